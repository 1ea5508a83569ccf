#if CURL
  import ApolloAPI
  import CurlShim
  import Foundation

  /// The header lines of requests, in libcurl's form.
  ///
  /// Requests with the same fields share one list, which is not changed.
  // `@unchecked Sendable` because nothing changes after the initializer.
  final class HeaderLines: @unchecked Sendable {
    /// The facts on which the lines depend.
    struct Source: Hashable, Sendable {
      var fields: [String: String]
      var hasBody: Bool
      var acceptsCompression: Bool
    }

    let list: UnsafeMutablePointer<curl_slist>
    fileprivate let source: Source

    init(_ source: Source) throws(CurlSetupError) {
      var list: UnsafeMutablePointer<curl_slist>?
      for line in Self.lines(source) {
        guard let longer = curl_slist_append(list, line) else {
          curl_slist_free_all(list)
          throw CurlSetupError(option: "headers", code: CURLE_OUT_OF_MEMORY)
        }
        list = longer
      }
      guard let list else { preconditionFailure("There is a line for every request.") }
      self.list = list
      self.source = source
    }

    deinit { curl_slist_free_all(list) }

    /// A name with a colon alone removes a header of libcurl's own.
    private static func lines(_ source: Source) -> [String] {
      var lines = ["Expect:"]
      var hasContentType = false
      var acceptsDefaultCodings = source.acceptsCompression
      for (name, value) in source.fields {
        switch name.lowercased() {
        case "content-type": hasContentType = true
        case "accept-encoding": acceptsDefaultCodings = false
        default: break
        }
        // libcurl leaves out a header whose value is blank, unless a semicolon takes its place.
        let isBlank = value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        lines.append(isBlank ? "\(name);" : "\(name): \(value)")
      }
      if source.hasBody && !hasContentType { lines.append("Content-Type:") }
      if acceptsDefaultCodings {
        lines.append("Accept-Encoding: \(ContentDecoder.acceptedCodings)")
      }
      return lines
    }
  }

  /// The header lines of a client's latest requests.
  final class HeaderLinesCache: Sendable {
    /// A program sends some operations again and again. Searching more lists than these takes as
    /// long as making one.
    private static let limit = 8

    private let latest = Lock<[HeaderLines]>([])

    /// Returns the lines for `source`, which are made when they are needed first.
    func lines(_ source: HeaderLines.Source) throws(CurlSetupError) -> HeaderLines {
      let known = latest.withLock { latest in latest.first { $0.source == source } }
      if let known { return known }
      let lines = try HeaderLines(source)
      latest.withLock { latest in
        if latest.count >= Self.limit { latest.removeFirst() }
        latest.append(lines)
      }
      return lines
    }
  }
#endif
