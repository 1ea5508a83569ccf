import ApolloCodegenLib
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the requests of a schema download through `URLSession`.
struct SchemaHTTP: Sendable {
  /// The place where the address comes from, which messages name.
  enum AddressSource {
    /// The key 'endpointURL' of the configuration.
    case configuration
    /// The option `--endpoint`.
    case option
    /// The registry, whose address is fixed.
    case registry

    /// The setting to check, if the address can be wrong.
    fileprivate var setting: String {
      switch self {
      case .configuration: "'endpointURL'"
      case .option: "--endpoint"
      case .registry: "the network"
      }
    }
  }

  var source = AddressSource.configuration

  private static let maximumRedirectCount = 5

  /// Returns `true` if `text` is a complete `http` or `https` URL.
  static func isAddress(_ text: String) -> Bool {
    URL(string: text).map { origin(of: $0) != nil } ?? false
  }

  /// Sends a request, and follows redirects to the same origin.
  ///
  /// Headers and bodies contain keys, so they are not sent to another origin. A redirect that would
  /// turn a POST into a GET is not followed.
  @Sendable func send(_ request: SchemaRequest) async throws -> SchemaResponse {
    guard Self.isAddress(request.url), var url = URL(string: request.url) else {
      // The text is not shown, because a password in it cannot be recognized reliably.
      throw CommandFailure("\(source.setting) is not an address. Use http://… or https://….")
    }
    for _ in 0...Self.maximumRedirectCount {
      let (response, body) = try await transfer(request, to: url)
      guard let location = try redirect(response, from: url, request) else {
        return SchemaResponse(
          status: response.statusCode,
          contentType: response.value(forHTTPHeaderField: "Content-Type"), body: body)
      }
      url = location
    }
    throw CommandFailure(
      "The server at '\(request.redactedURL)' redirects in a circle. Check \(source.setting).")
  }

  private func transfer(
    _ request: SchemaRequest, to url: URL
  ) async throws -> (HTTPURLResponse, [UInt8]) {
    let urlRequest = try urlRequest(for: request, to: url, timeout: request.timeout)
    do {
      return try await SchemaTransfer.response(to: urlRequest, within: request.timeout)
    } catch let error as URLError {
      throw CommandFailure(message(for: error, request))
    } catch let error as SchemaTransfer.Interruption {
      throw CommandFailure(message(forInterruption: error.failure, request))
    } catch is SchemaTransfer.BodyTooLarge {
      throw CommandFailure(
        "The server at '\(request.redactedURL)' responded with more than \(SchemaTransfer.maximumByteCount >> 20) MB. "
          + "No schema is that large; check \(source.setting).")
    }
  }

  // MARK: - Redirects

  /// Returns the next request, or `nil` if the response is not a redirect.
  private func redirect(
    _ response: HTTPURLResponse, from url: URL, _ request: SchemaRequest
  ) throws(CommandFailure) -> URL? {
    let status = response.statusCode
    guard [301, 302, 303, 307, 308].contains(status) else { return nil }
    guard let text = response.value(forHTTPHeaderField: "Location"),
      let target = URL(string: text, relativeTo: url)?.absoluteURL,
      let origin = Self.origin(of: target)
    else {
      throw CommandFailure(
        "The server at '\(request.redactedURL)' responded with a redirect (\(status)) to nowhere. Check \(source.setting)."
      )
    }
    let keepsMethod = [307, 308].contains(status) || request.method == "GET"
    guard origin == Self.origin(of: url), keepsMethod, target.user == nil, target.password == nil
    else {
      throw CommandFailure(
        "The server at '\(request.redactedURL)' responded with a redirect to \(origin)\(target.path); "
          + "set \(source.setting) to it.")
    }
    return target
  }

  /// Returns scheme, host and port of an address, or `nil` if it is none.
  static func origin(of address: String) -> String? { URL(string: address).flatMap(origin) }

  /// Returns scheme, host and port of an `http` or `https` URL. Keys are only sent to the same
  /// origin.
  private static func origin(of url: URL) -> String? {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    let standard = scheme == "http" ? 80 : 443
    let port = url.port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port)"
  }

  // MARK: - Messages

  /// Returns the message for a request without a response.
  func message(for error: URLError, _ request: SchemaRequest) -> String {
    let address = request.redactedURL
    return switch error.code {
    case .timedOut:
      "The server at '\(address)' did not respond within \(request.timeout.formatted()) seconds. "
        + (source == .option
          ? "Check the server."
          : "Raise 'schemaDownload.downloadTimeout', or check the server.")
    case .cannotFindHost, .dnsLookupFailed:
      "There is no host '\(URL(string: address)?.host ?? address)'. Check \(source.setting)."
    case .cannotConnectToHost:
      "Cannot connect to '\(address)'. Is the server running, and is the address right?"
    case .networkConnectionLost:
      "Cannot connect to '\(address)'. Is the server running, and is the address right?"
        + otherScheme(address)
    default:
      "Cannot reach '\(address)': \(error.localizedDescription)"
        + (canBeOtherScheme(error, address) ? "." + otherScheme(address) : "")
    }
  }

  /// Returns the message for a response that breaks off. The request has reached the server.
  func message(forInterruption error: URLError, _ request: SchemaRequest) -> String {
    "The response of the server at '\(request.redactedURL)' cannot be read to its end "
      + "(\(error.localizedDescription)). Check the server's log, and what is in front of it."
  }

  /// Returns `true` if a failure can be that of TLS on a port for plain HTTP, or of plain HTTP on a
  /// port for TLS. Not every system has codes for them.
  private func canBeOtherScheme(_ error: URLError, _ address: String) -> Bool {
    guard address.lowercased().hasPrefix("https:") else { return true }
    let text = error.localizedDescription
    return (error.code == .secureConnectionFailed || text.contains("SSL") || text.contains("TLS"))
      && !text.contains("certificate")
  }

  /// Returns the advice for an address that may have the wrong one of the two schemes.
  private func otherScheme(_ address: String) -> String {
    address.lowercased().hasPrefix("https:")
      ? " If the server speaks plain HTTP there, use http://… in \(source.setting)."
      : " If the server expects TLS there, use https://… in \(source.setting)."
  }
}
