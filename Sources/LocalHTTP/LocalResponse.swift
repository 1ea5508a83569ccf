internal import ApolloAPI

/// The response to one request, which a handler sends at once or in parts.
///
/// Without a response, the server sends status 500 when the handler returns.
package final class LocalResponse: Sendable {
  private enum State {
    case waiting
    /// The head was sent. Parts are chunks, or end with the connection.
    case streaming(inChunks: Bool)
    /// `keepsConnection` is `false` if the end of the connection is the end of the body, or if the
    /// client has gone.
    case ended(keepsConnection: Bool)
  }

  private let outbox: ByteOutbox
  private let request: LocalRequest
  private let state = Lock(State.waiting)

  init(to request: LocalRequest, _ outbox: ByteOutbox) {
    self.request = request
    self.outbox = outbox
  }

  /// Sends a whole response. A later one is ignored.
  ///
  /// - Parameters:
  ///   - status: The status, such as 200.
  ///   - headers: Further header fields, without line breaks. The server adds `Content-Length` and
  ///     `Connection`.
  ///   - body: The body, which a response to `HEAD` does not contain.
  package func send(
    status: Int = 200, headers: [LocalRequest.Header] = [], body: [UInt8] = []
  ) {
    state.withLock { state in
      guard case .waiting = state else { return }
      let hasBody = status >= 200 && status != 204 && status != 304
      let length =
        hasBody ? [LocalRequest.Header("Content-Length", "\(body.count)")] : []
      var bytes = head(status, headers + length, keepsConnection: request.keepsConnection)
      if hasBody, request.method != "HEAD" { bytes += body }
      let isSent = outbox.append(bytes)
      state = .ended(keepsConnection: isSent && request.keepsConnection)
    }
  }

  /// Sends a text of a type.
  package func send(
    status: Int = 200, _ text: String, type: String = "text/plain; charset=utf-8",
    headers: [LocalRequest.Header] = []
  ) {
    send(
      status: status, headers: [LocalRequest.Header("Content-Type", type)] + headers,
      body: Array(text.utf8))
  }

  /// Begins a response in parts, such as server-sent events.
  ///
  /// - Returns: `false` if the client has gone, or if a response has begun already.
  @discardableResult
  package func begin(status: Int = 200, headers: [LocalRequest.Header] = []) -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      let inChunks = request.acceptsChunks
      let keeps = request.keepsConnection && inChunks
      let coding = inChunks ? [LocalRequest.Header("Transfer-Encoding", "chunked")] : []
      let isSent = outbox.append(head(status, headers + coding, keepsConnection: keeps))
      state = isSent ? .streaming(inChunks: inChunks) : .ended(keepsConnection: false)
      return isSent
    }
  }

  /// Sends a part of the body. It does not wait for the client.
  ///
  /// - Returns: `false` if the client has gone, or does not read, or if the response has not begun
  ///   or has ended.
  @discardableResult
  package func write(_ part: [UInt8]) -> Bool {
    state.withLock { state in
      guard case .streaming(let inChunks) = state else { return false }
      guard !part.isEmpty, request.method != "HEAD" else { return true }
      let frame =
        inChunks
        ? Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8) : part
      let isSent = outbox.append(frame)
      if !isSent { state = .ended(keepsConnection: false) }
      return isSent
    }
  }

  /// Sends a text as a part of the body.
  @discardableResult
  package func write(_ part: String) -> Bool { write(Array(part.utf8)) }

  /// Ends a response in parts.
  package func end() {
    state.withLock { state in
      guard case .streaming(let inChunks) = state else { return }
      var isSent = true
      if inChunks, request.method != "HEAD" { isSent = outbox.append(Array("0\r\n\r\n".utf8)) }
      state = .ended(keepsConnection: isSent && inChunks && request.keepsConnection)
    }
  }

  /// Ends a response in parts before its last part. The connection ends without the mark that ends
  /// chunks, so that the client notices that something is missing.
  package func breakOff() {
    state.withLock { state in
      guard case .streaming = state else { return }
      state = .ended(keepsConnection: false)
    }
  }

  /// Accepts the WebSocket that the request asks for. The handler uses it until it returns.
  ///
  /// - Parameter subprotocol: The subprotocol, which must be one of those that the client offers.
  /// - Returns: The WebSocket, or `nil` if the request asks for none, or if a response has begun.
  package func acceptWebSocket(subprotocol: String? = nil) -> LocalWebSocket? {
    state.withLock { state in
      guard case .waiting = state, let key = request.webSocketKey else { return nil }
      state = .ended(keepsConnection: false)
      var head =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(LocalWebSocket.acceptValue(for: key))\r\n"
      if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
      guard outbox.append(Array((head + "\r\n").utf8)) else { return nil }
      let webSocket = LocalWebSocket(outbox)
      outbox.read(with: webSocket)
      return webSocket
    }
  }

  /// Ends the response after the handler. Returns whether the connection can serve another request.
  func finish() -> Bool {
    send(status: 500, "The server did not respond.")
    end()
    return state.withLock { if case .ended(let keeps) = $0 { keeps } else { false } }
  }

  private func head(
    _ status: Int, _ headers: [LocalRequest.Header], keepsConnection: Bool
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    for header in headers {
      let line = "\(header.name): \(header.value)"
      precondition(
        !line.utf8.contains { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") },
        "A header field has one line.")
      text += line + "\r\n"
    }
    return Array("\(text)Connection: \(keepsConnection ? "keep-alive" : "close")\r\n\r\n".utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 421: "Misdirected Request"
    case 426: "Upgrade Required"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
