#if CURL
  import Foundation

  /// The proxies that environment variables name.
  ///
  /// | URL | variables, the first that is set |
  /// | :-- | :-- |
  /// | `http` | `http_proxy`, `all_proxy`, `ALL_PROXY` |
  /// | `https` | `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` |
  ///
  /// `HTTP_PROXY` is ignored: in a CGI program it is the header `Proxy` of a request.
  ///
  /// Direct connections are made to the loopback interface, and to the hosts in `no_proxy` or
  /// `NO_PROXY`: a list, separated by commas or spaces, of host names, of domains (with or without
  /// a leading dot), of addresses, of networks such as `10.0.0.0/8`, or of `*` for all hosts.
  ///
  /// The variables are read here and not by libcurl, so that every version of libcurl follows the
  /// same rules, and errors can name the proxy.
  struct ProxyEnvironment {
    /// Returns the value of a variable.
    var variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

    /// Returns the proxy for a URL, or `nil` for a direct connection.
    func proxy(for url: URL) -> String? {
      guard first(of: Self.proxyVariables) != nil else { return nil }
      guard let origin = Origin(url) else { return nil }
      let names = origin.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
      guard let proxy = first(of: names + ["all_proxy", "ALL_PROXY"]) else { return nil }
      let host = Self.plain(origin.host)
      let exceptions = first(of: ["no_proxy", "NO_PROXY"]) ?? ""
      let isDirect =
        LoopbackHost.contains(host)
        || exceptions.split(whereSeparator: { $0 == "," || $0.isWhitespace })
          .contains { Self.matches(host, Self.plain($0.lowercased())) }
      return isDirect ? nil : proxy
    }

    private static let proxyVariables = [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ]

    private func first(of names: [String]) -> String? {
      for name in names {
        if let value = variable(name), !value.isEmpty { return value }
      }
      return nil
    }

    /// The host without the brackets of an IPv6 literal and the dots around a name.
    private static func plain(_ host: String) -> String {
      host.trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
    }

    private static func matches(_ host: String, _ exception: String) -> Bool {
      if exception == "*" { return true }
      if exception.isEmpty { return false }
      let parts = exception.split(separator: "/", maxSplits: 1).map(String.init)
      guard let address = address(host), let network = parts.first.flatMap(Self.address) else {
        return host == exception || host.hasSuffix(".\(exception)")
      }
      let bitCount = parts.count == 2 ? Int(parts[1]) : network.count * 8
      guard let bitCount, (0...network.count * 8).contains(bitCount), network.count == address.count
      else { return false }
      // In three steps with types, because the compiler needs 15 seconds for one expression.
      return (0..<bitCount).allSatisfy { (bit: Int) -> Bool in
        let difference: UInt8 = network[bit / 8] ^ address[bit / 8]
        let mask: UInt8 = 0x80 >> (bit % 8)
        return difference & mask == 0
      }
    }

    /// The bytes of an IPv4 or IPv6 address.
    private static func address(_ text: String) -> [UInt8]? {
      for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
        var bytes = [UInt8](repeating: 0, count: count)
        if inet_pton(family, text, &bytes) == 1 { return bytes }
      }
      return nil
    }
  }

  /// The names of the loopback interface.
  enum LoopbackHost {
    static func contains(_ host: String) -> Bool {
      let host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
      if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
  }
#endif
