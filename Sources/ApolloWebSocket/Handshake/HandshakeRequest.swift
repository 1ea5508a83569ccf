internal import ApolloHashing
internal import ApolloTransport
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The opening handshake as a client sends it.
///
/// Spec: RFC 6455, section 4.1.
struct HandshakeRequest: Sendable {
  /// The URL with the scheme `http` or `https`.
  let url: URL
  /// The URL as the program wrote it, for messages.
  let shownURL: URL
  /// The key whose hash the server sends back: 16 random bytes in base64.
  let key: String
  /// The subprotocols, the preferred one first.
  let subprotocols: [String]
  /// The compression that is offered, or `nil` for none.
  let compression: CompressionOffer?
  private let request: URLRequest
  private let userAgent: String

  /// The headers that the handshake determines, in lower case. A program's values are dropped.
  private static let ownHeaders: Set<String> = [
    "connection", "upgrade", "sec-websocket-key", "sec-websocket-version",
    "sec-websocket-protocol", "sec-websocket-extensions", "content-length", "transfer-encoding",
    "expect",
  ]

  /// - Throws: `GraphQLHTTPRequestError` if the URL is not that of a WebSocket, or if a header is
  ///   invalid.
  init(
    _ request: URLRequest, subprotocols: [String], compression: CompressionOffer?,
    userAgent: String, key: [UInt8]
  ) throws(GraphQLHTTPRequestError) {
    let original = request.url ?? URL(fileURLWithPath: "/")
    guard let url = Self.httpURL(original) else {
      throw .unsupportedWebSocketURL(original.textWithoutSecrets)
    }
    var request = request
    request.url = url
    // A list in the request's own header serves callers that have no other place for it.
    let offered =
      subprotocols.isEmpty
      ? Self.list(request.value(forHTTPHeaderField: "Sec-WebSocket-Protocol")) : subprotocols
    // Foundation's own headers drop some invalid values without a word.
    guard offered.allSatisfy({ HeaderField.isValid(name: $0) && !$0.contains(",") }) else {
      throw .invalidHeader(name: "Sec-WebSocket-Protocol")
    }
    guard HeaderField.isValid(value: userAgent) else {
      throw .invalidHeader(name: "User-Agent")
    }
    try HeaderField.checkCharacters(of: request)
    self.url = url
    shownURL = original
    self.request = request
    self.subprotocols = offered
    self.compression = compression
    self.userAgent = userAgent
    self.key = Data(key).base64EncodedString()
  }

  /// The URL with `http` in place of `ws`, or `nil` if its scheme is another one or it has no host.
  static func httpURL(_ url: URL) -> URL? {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return nil
    }
    switch components.scheme?.lowercased() {
    case "ws", "http": components.scheme = "http"
    case "wss", "https": components.scheme = "https"
    default: return nil
    }
    components.fragment = nil
    guard let url = components.url, Origin(url) != nil else { return nil }
    return url
  }

  /// The request for a `URLSession`, which adds the handshake's own headers.
  var sessionRequest: URLRequest {
    var request = URLRequest(url: webSocketURL)
    // The handshake has its own deadline, and an open connection may stay silent.
    request.timeoutInterval = 1e9
    for (name, value) in self.request.allHTTPHeaderFields ?? [:]
    where !Self.ownHeaders.contains(name.lowercased()) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    if let credentials, request.value(forHTTPHeaderField: "Authorization") == nil {
      request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
    }
    if !subprotocols.isEmpty {
      request.setValue(
        subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
    }
    return request
  }

  /// The URL with the scheme `ws` or `wss`, which `URLSession` requires.
  private var webSocketURL: URL {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return url
    }
    components.scheme = url.scheme == "https" ? "wss" : "ws"
    components.user = nil
    components.password = nil
    return components.url ?? url
  }

  private static func list(_ value: String?) -> [String] {
    (value ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The value that the server's `Sec-WebSocket-Accept` must have.
  var expectedAccept: String {
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Data(SHA1.hash(Array(text.utf8))).base64EncodedString()
  }

  /// The bytes to send.
  var bytes: [UInt8] {
    var lines = ["GET \(target) HTTP/1.1", "Host: \(host)"]
    lines += [
      "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)",
      "Sec-WebSocket-Version: 13",
    ]
    if !subprotocols.isEmpty {
      lines.append("Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))")
    }
    if let compression { lines.append("Sec-WebSocket-Extensions: \(compression.headerValue)") }
    let fields = request.allHTTPHeaderFields ?? [:]
    let names = Set(fields.keys.map { $0.lowercased() })
    if !names.contains("user-agent"), !userAgent.isEmpty {
      lines.append("User-Agent: \(userAgent)")
    }
    if !names.contains("authorization"), let credentials {
      lines.append("Authorization: Basic \(credentials)")
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key })
    where !Self.ownHeaders.contains(name.lowercased()) && name.lowercased() != "host" {
      lines.append("\(name): \(value)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The path and the query, as the URL encodes them.
  private var target: String {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let path = components?.percentEncodedPath ?? ""
    let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
    return (path.isEmpty ? "/" : path) + query
  }

  private var host: String {
    if let value = request.value(forHTTPHeaderField: "Host") { return value }
    var host = url.host ?? ""
    if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
    return url.port.map { "\(host):\($0)" } ?? host
  }

  /// The user and the password of the URL in base64.
  private var credentials: String? {
    guard let user = url.user(percentEncoded: false) else { return nil }
    let password = url.password(percentEncoded: false) ?? ""
    return Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
