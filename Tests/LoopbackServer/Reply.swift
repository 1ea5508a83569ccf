import Foundation

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
  package func beginChunks(_ status: Int = 200, type: String = "application/json") {
    send("HTTP/1.1 \(status) OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
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

  /// Connects the client with another port of the loopback interface, as a proxy does, until one of
  /// them closes its connection.
  package func tunnel(to port: UInt16) {
    defer { close() }
    guard let target = try? Socket.connected(to: port) else {
      respond(502)
      return
    }
    send("HTTP/1.1 200 Connection established\r\n\r\n")
    let isBackDone = DispatchGroup()
    isBackDone.enter()
    let thread = Thread { [socket] in
      Self.copy(from: target, to: socket)
      isBackDone.leave()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
    Self.copy(from: socket, to: target)
    isBackDone.wait()
    target.closeDescriptor()
  }

  /// Copies until one side closes its connection, then ends both.
  private static func copy(from source: Socket, to target: Socket) {
    while true {
      let bytes = source.receive()
      guard !bytes.isEmpty, target.send(bytes) else { break }
    }
    source.shutDown()
    target.shutDown()
  }

  #if os(Linux)
    /// Blocks until all that was sent is in the client's socket, and the end of the connection as
    /// well if there is one.
    package func waitUntilReceived() {
      if isClosed { socket.shutDown() }
      while socket.hasUnacknowledgedBytes { sched_yield() }
    }
  #endif

  /// Blocks until the client sends something. Empty when it has closed the connection.
  package func receive() -> [UInt8] { socket.receive() }

  /// Blocks until the client closes the connection, throwing away what it still sends.
  package func waitForClientToClose() {
    while !socket.receive().isEmpty {}
    close()
  }

  /// Sends a text again and again, with a pause after each, until the client has gone.
  package func repeatSending(_ text: String, pauseInMilliseconds: Int) {
    socket.limitReceiving(milliseconds: pauseInMilliseconds)
    while send(text) { _ = socket.receive() }
    close()
  }
}
