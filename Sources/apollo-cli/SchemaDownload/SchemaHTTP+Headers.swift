import ApolloCodegenLib
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SchemaHTTP {
  /// Returns a request for `URLSession`, with all headers.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - url: The address, which can be that of a redirect.
  ///   - timeout: The timeout, in seconds.
  /// - Returns: The request.
  /// - Throws: ``CommandFailure`` if a header cannot be sent. `URLSession` would leave it out.
  func urlRequest(
    for request: SchemaRequest, to url: URL, timeout: Double
  ) throws(CommandFailure) -> URLRequest {
    var urlRequest = URLRequest(url: url)
    // On Linux, a limit below a second would end the request at once, and the argument of the
    // initializer has no effect: the session's 60 seconds would apply.
    urlRequest.timeoutInterval = timeout.rounded(.up)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body.map { Data($0) }
    urlRequest.setValue("apollo-cli/\(generatorVersion)", forHTTPHeaderField: "User-Agent")
    for header in request.headers {
      try Self.check(header)
      urlRequest.setValue(header.value, forHTTPHeaderField: header.key)
    }
    return urlRequest
  }

  /// Checks that a header can be sent.
  ///
  /// - Throws: ``CommandFailure`` if it cannot. The value can be a secret, so it is not shown.
  static func check(
    _ header: ApolloCodegenConfiguration.SchemaDownload.Header
  ) throws(CommandFailure) {
    guard !header.key.isEmpty, header.key.utf8.allSatisfy(isTokenCharacter) else {
      throw CommandFailure(
        "'\(header.key)' cannot be the name of a header. Use letters, digits and hyphens.")
    }
    guard !header.value.utf8.contains(where: isControl) else {
      throw CommandFailure(
        "The value of the header '\(header.key)' has a line break or another control character. "
          + "Remove it, also from the variables that the value names.")
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
  }

  /// Returns `true` for the characters of a `token`.
  ///
  /// Spec: RFC 9110, 5.6.2.
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
