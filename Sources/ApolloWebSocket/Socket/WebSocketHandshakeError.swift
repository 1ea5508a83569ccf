public import Foundation

internal import ApolloTransport

/// A response to the opening handshake that does not open a WebSocket.
///
/// ```swift
/// do {
///   socket = try await connector.connect(to: request, subprotocols: ["graphql-transport-ws"])
/// } catch let error as WebSocketHandshakeError where error.statusCode == 401 {
///   await refreshToken()
/// }
/// ```
public struct WebSocketHandshakeError: Error, Hashable, Sendable {
  /// The kind of a failure. More codes can be added; keep a `default` when you switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, such as "refused".
    public let description: String

    /// The status is not 101.
    public static let refused = Code(description: "refused")
    /// The response is a redirect that is not followed.
    public static let redirectRefused = Code(description: "redirectRefused")
    /// The status is 101, but the headers do not accept this handshake.
    public static let notAccepted = Code(description: "notAccepted")
    /// The server selected a subprotocol that was not offered.
    public static let unexpectedSubprotocol = Code(description: "unexpectedSubprotocol")
    /// The server selected an extension that was not offered, or with parameters that were not.
    public static let unexpectedExtension = Code(description: "unexpectedExtension")
  }

  /// The kind of the failure.
  public let code: Code

  /// The URL, without user, password, query and fragment.
  public let url: String

  /// The status, such as 401.
  public let statusCode: Int

  /// The headers. Their names are in lower case; the values of equal names are joined by commas.
  public let headers: [String: String]

  /// The beginning of the body, at most ``WebSocketLimits/maximumErrorBodyByteCount``.
  public let body: Data

  /// Further knowledge, as a clause. May be empty.
  let detail: String

  /// A failure with a given response, such as one for a connector of your own.
  public init(
    _ code: Code, url: URL, statusCode: Int, headers: [String: String] = [:], body: Data = Data()
  ) {
    self.init(
      code, url: url, statusCode: statusCode, headers: headers, body: body, detail: "")
  }

  package init(
    _ code: Code, url: URL, statusCode: Int, headers: [String: String], body: Data, detail: String
  ) {
    self.code = code
    self.url = url.textWithoutSecrets
    self.statusCode = statusCode
    self.headers = headers
    self.body = body
    self.detail = detail.shortened
  }

  /// The time that the server asks to wait before the next attempt, or `nil` if it names none in
  /// whole seconds.
  public var retryAfter: Duration? {
    guard let seconds = headers["retry-after"].flatMap(Int32.init), seconds >= 0 else { return nil }
    return .seconds(seconds)
  }
}

// MARK: - Sentences

extension WebSocketHandshakeError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its remedy in a sentence each. Never contains a secret of the request.
  public var description: String {
    switch code {
    case .refused: "\(url) refused the WebSocket with status \(statusCode). \(advice)"
    case .redirectRefused:
      "\(url) responded with a redirect that is not followed\(because). Use the final URL."
    case .unexpectedSubprotocol:
      "\(url) selected a subprotocol that was not offered\(because). Offer one that the server supports."
    case .unexpectedExtension:
      "\(url) selected an extension that was not offered\(because). Check the server and what is in front of it."
    default:
      "\(url) did not accept the WebSocket handshake\(because). Check the server and what is in front of it."
    }
  }

  private var advice: String {
    switch statusCode {
    case 400:
      "\(upgradeAdvice) A proxy also refuses large headers so: check their size, such as that of cookies."
    case 200..<300, 404, 405, 426: upgradeAdvice
    case 401, 403, 407: "Check the credentials."
    case 414, 431: "Send fewer or smaller headers, or raise the limit of the server or the proxy."
    case 429, 503: "Try again later."
    case 501, 505:
      "The server, or a proxy in front of it, has no WebSockets. Use another URL, or subscribe over HTTP."
    case 500...: "Check the server and what is in front of it."
    default: "Check the URL and the headers."
    }
  }

  private var upgradeAdvice: String {
    "Check that this is the URL of WebSockets, and that each proxy in between passes 'Upgrade' and 'Connection' on: nginx, Apache, Varnish, Squid and lighttpd drop them unless they are told to. See the article “Behind a proxy”."
  }

  private var because: String { detail.isEmpty ? "" : ": \(detail)" }
}

// MARK: - Dumps

extension WebSocketHandshakeError: CustomReflectable {
  /// The facts without the headers' values and the body, so that `dump` and debuggers don't print
  /// cookies into logs.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code, "url": url, "statusCode": statusCode, "headers": headers.keys.sorted(),
        "bodyByteCount": body.count, "detail": detail,
      ], displayStyle: .struct)
  }
}
