/// One connection, for the script to answer on.
package final class Reply: Sendable {
  private let socket: Socket
  private let closed = Guarded(false)

  init(socket: Socket) { self.socket = socket }

  var isClosed: Bool { closed.withLock { $0 } }

  /// Sends raw bytes. `false` when the client has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  /// Sends raw text, which must bring its own `\r\n`.
  @discardableResult
  package func send(_ text: String) -> Bool { send([UInt8](text.utf8)) }

  /// Sends a complete response.
  package func respond(
    _ status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []
  ) {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    send([UInt8]((head + "\r\n").utf8) + body)
  }

  /// Sends a complete JSON response.
  package func json(
    _ body: String, status: Int = 200, type: String = "application/json",
    headers: [(String, String)] = []
  ) {
    respond(status, headers: [("Content-Type", type)] + headers, body: [UInt8](body.utf8))
  }

  /// Sends the head of a chunked response.
  package func beginChunks(type: String = "application/json") {
    send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
  }

  @discardableResult
  package func chunk(_ text: String) -> Bool {
    send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }

  package func endChunks() { send("0\r\n\r\n") }

  /// Ends the connection when the script returns.
  package func close() { closed.withLock { $0 = true } }

  /// Ends the connection with a reset when the script returns.
  package func reset() {
    socket.resetOnClose()
    close()
  }

  /// Blocks until the client closes the connection, throwing away what it still sends.
  package func waitForClientToClose() {
    while !socket.receive().isEmpty {}
    close()
  }
}
