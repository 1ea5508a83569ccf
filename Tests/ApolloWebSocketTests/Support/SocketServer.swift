import ApolloHashing
import Foundation
import LoopbackServer

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A scripted server of WebSockets on a loopback port. A script runs on a thread of its own and may
/// block.
final class SocketServer: Sendable {
  let http: LoopbackServer

  /// - Parameter script: Called after each request.
  /// - Throws: An error of the system.
  init(_ script: @escaping @Sendable (SocketPeer) -> Void) throws {
    http = try LoopbackServer { request, reply in
      script(SocketPeer(request, reply))
      reply.close()
    }
  }

  /// A server that accepts every handshake, then calls `script`.
  static func accepting(
    _ script: @escaping @Sendable (SocketPeer) -> Void
  ) throws -> SocketServer {
    try SocketServer { peer in
      peer.accept()
      script(peer)
    }
  }

  var url: URL { http.url("/graphql") }
  var request: URLRequest { URLRequest(url: url) }

  func stop() { http.stop() }
}

/// The server's end of a connection.
// `@unchecked Sendable` because a script uses it on one thread.
final class SocketPeer: @unchecked Sendable {
  let request: ReceivedRequest
  let reply: Reply
  private var machine: SocketMachine
  private var events: [SocketMachine.Event] = []

  init(_ request: ReceivedRequest, _ reply: Reply, compression: CompressionAgreement? = nil) {
    self.request = request
    self.reply = reply
    machine = SocketMachine(.init(role: .server, compression: compression))
  }

  var offeredSubprotocols: [String] {
    (request.headers["sec-websocket-protocol"] ?? "").components(separatedBy: ", ")
      .filter { !$0.isEmpty }
  }

  /// The right value of `Sec-WebSocket-Accept`.
  var acceptValue: String {
    let text =
      (request.headers["sec-websocket-key"] ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return Data(SHA1.hash(Array(text.utf8))).base64EncodedString()
  }

  /// The head of a response that accepts the handshake.
  func acceptance(_ more: [(String, String)] = []) -> [UInt8] {
    var head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Accept: \(acceptValue)\r\n"
    for (name, value) in more { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  func accept() {
    var more: [(String, String)] = []
    if let first = offeredSubprotocols.first { more = [("Sec-WebSocket-Protocol", first)] }
    reply.send(acceptance(more))
  }

  /// Accepts the handshake and compresses messages.
  func acceptCompressed(_ agreement: CompressionAgreement, _ parameters: String) {
    machine = SocketMachine(.init(role: .server, compression: agreement))
    reply.send(acceptance([("Sec-WebSocket-Extensions", "permessage-deflate\(parameters)")]))
  }

  func send(_ message: WebSocketMessage) {
    _ = machine.send(message)
    reply.send(machine.takeOutput())
  }

  func close(_ code: WebSocketCloseCode, _ reason: String = "") {
    _ = machine.close(CloseBody(code: code, reason: reason))
    reply.send(machine.takeOutput())
  }

  func ping(_ payload: [UInt8]) {
    _ = machine.ping(payload)
    reply.send(machine.takeOutput())
  }

  /// Blocks until the client has sent something. `nil` when it has closed the connection.
  func next() -> SocketMachine.Event? {
    while events.isEmpty {
      var bytes = reply.receive()
      if bytes.isEmpty { return nil }
      bytes.withUnsafeMutableBytes { bytes in
        var rest = bytes[...]
        while let event = machine.receive(&rest) { events.append(event) }
      }
      reply.send(machine.takeOutput())
    }
    return events.removeFirst()
  }

  /// Sends every message back until the connection ends.
  func echo() {
    while case .message(let message) = next() { send(message) }
  }
}
