import Foundation
import LocalHTTP
import LoopbackServer
import Testing

/// A connection to a server, byte by byte.
private struct RawClient {
  private let socket: Socket

  init(to port: UInt16) throws { socket = try Socket.connected(to: port) }

  func send(_ text: String) { #expect(socket.send(Array(text.utf8))) }

  /// Reads until the server ends the connection.
  func readToEnd() -> String { read { _ in false } }

  /// Reads until the bytes contain a text.
  func read(to end: String) -> String { read { $0.contains(end) } }

  private func read(until isEnd: (String) -> Bool) -> String {
    var bytes: [UInt8] = []
    while !isEnd(String(decoding: bytes, as: UTF8.self)) {
      let more = socket.receive()
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func closeDescriptor() { socket.closeDescriptor() }
}

/// Runs a body that blocks on a thread of its own: handlers need those of the tests.
private func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result(catching: body))
    }
  }
}

/// Waits until the task is cancelled.
@Sendable private func waitForCancellation() async {
  let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in nothing {}
  _ = continuation
}

@Suite(.timeLimit(.minutes(10))) struct LocalHTTPServerTests {
  /// Sends bytes to a server and returns what it sends until the end of the connection.
  private func exchange(
    _ bytes: String, _ handler: @escaping LocalHTTPServer.Handler
  ) async throws -> String {
    try await onThread {
      let server = try LocalHTTPServer(handler: handler)
      defer { server.stop() }
      let client = try RawClient(to: server.port)
      defer { client.closeDescriptor() }
      client.send(bytes)
      return client.readToEnd()
    }
  }

  @Test func servesSeveralRequestsOfOneConnection() async throws {
    let text = try await exchange(
      "POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"
        + "HEAD /2 HTTP/1.1\r\nHost: [::1]\r\n\r\n"
        + "GET /3 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    ) { request, response in
      response.send("\(request.path) \(String(decoding: request.body, as: UTF8.self))")
    }
    func head(_ length: Int, _ connection: String) -> String {
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(length)\r\nConnection: \(connection)\r\n\r\n"
    }
    #expect(
      text == head(5, "keep-alive") + "/1 hi" + head(3, "keep-alive") + head(3, "close") + "/3 ")
  }

  @Test func sendsPartsAsChunks() async throws {
    let text = try await exchange("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    {
      _, response in
      response.begin(headers: [.init("Content-Type", "text/event-stream")])
      response.write("data: 1\n\n")
      response.write("")
      response.write("0123456789abcdefg")
      response.end()
    }
    #expect(text.hasSuffix("\r\n\r\n9\r\ndata: 1\n\n\r\n11\r\n0123456789abcdefg\r\n0\r\n\r\n"))
    #expect(text.contains("Transfer-Encoding: chunked\r\n"))
  }

  @Test func aResponseThatIsBrokenOffHasNoLastChunk() async throws {
    let text = try await exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") { _, response in
      response.begin()
      response.write("a")
      response.breakOff()
      #expect(!response.write("b"))
      response.end()
      response.send("c")
    }
    #expect(text.hasSuffix("\r\n\r\n1\r\na\r\n"), "\(text)")
  }

  @Test func endsPartsWithTheConnectionForAClientThatKnowsNoChunks() async throws {
    let text = try await exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") {
      _, response in
      response.begin()
      response.write("one")
      response.write("two")
    }
    #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nonetwo")
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n", 421),
    ("GET / HTTP/1.1\r\nHost: localhost.evil.example\r\nConnection: close\r\n\r\n", 421),
    (
      "POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
        + "Connection: close\r\n\r\n", 403
    ),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nConnection: close\r\n\r\n", 403),
    ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/3.0\r\n\r\n", 505),
    ("GET /silent HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 500),
  ])
  func refusesWhatItDoesNotServe(bytes: String, status: Int) async throws {
    let text = try await exchange(bytes) { request, response in
      if request.path != "/silent" { response.send("served") }
    }
    #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
    #expect(!text.contains("served"))
  }

  // MARK: WebSockets

  private static let handshake =
    "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Protocol: a, b\r\n\r\n"

  private static func echo(_ request: LocalRequest, _ response: LocalResponse) async {
    let subprotocol = request.webSocketSubprotocols.last
    guard let socket = response.acceptWebSocket(subprotocol: subprotocol) else {
      return response.send(status: 426, "Ask for a WebSocket.")
    }
    for await message in socket.messages {
      socket.send(message)
      if message == "end" { socket.close(4000, "Enough.") }
    }
  }

  private static func frame(_ opcode: UInt8, _ text: String) -> [UInt8] {
    WebSocketFramesTests.frame(opcode, Array(text.utf8))
  }

  @Test func aHandlerAcceptsAWebSocket() async throws {
    let bytes = try await onThread {
      let server = try LocalHTTPServer { await Self.echo($0, $1) }
      defer { server.stop() }
      let socket = try Socket.connected(to: server.port)
      defer { socket.closeDescriptor() }
      // Messages may follow the handshake at once.
      #expect(
        socket.send(
          Array(Self.handshake.utf8) + Self.frame(1, "hi") + Self.frame(9, "p")
            + Self.frame(1, "end")))
      var bytes: [UInt8] = []
      while true {
        let more = socket.receive()
        if more.isEmpty { return bytes }
        bytes += more
      }
    }
    let head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: b\r\n\r\n"
    #expect(bytes.starts(with: head.utf8))
    let rest = Array(bytes.dropFirst(head.utf8.count))
    // The pong has no order among messages, which the handler sends.
    let frames: [[UInt8]] = [
      [0x81, 2] + Array("hi".utf8), [0x81, 3] + Array("end".utf8),
      [0x88, 9, 0x0F, 0xA0] + Array("Enough.".utf8),
    ]
    let pong: [UInt8] = [0x8A, 1, UInt8(ascii: "p")]
    let orders = (0...3).map { index in
      (frames[..<index] + [pong] + frames[index...]).flatMap { $0 }
    }
    #expect(orders.contains(rest), "\(rest)")
  }

  @Test func aLongReasonEndsWithAWholeCharacter() async throws {
    let bytes = try await onThread {
      let server = try LocalHTTPServer { _, response in
        guard let socket = response.acceptWebSocket() else { return }
        // 31 characters have 124 bytes.
        socket.close(4400, String(repeating: "\u{1F600}", count: 31))
      }
      defer { server.stop() }
      let socket = try Socket.connected(to: server.port)
      defer { socket.closeDescriptor() }
      #expect(socket.send(Array(Self.handshake.utf8)))
      var bytes: [UInt8] = []
      while true {
        let more = socket.receive()
        if more.isEmpty { return bytes }
        bytes += more
      }
    }
    let reason = Array(String(repeating: "\u{1F600}", count: 30).utf8)
    let expected: [UInt8] = [0x88, 122, 0x11, 0x30] + reason
    #expect(bytes.suffix(expected.count).elementsEqual(expected), "\(bytes.suffix(130))")
  }

  @Test func aCloseIsAnsweredAndAViolationIsNamed() async throws {
    for (sent, expected) in [
      (WebSocketFramesTests.frame(8, [3, 232]), [0x88, 2, 3, 232]),
      (WebSocketFramesTests.frame(8, []), [0x88, 0]),
      (WebSocketFramesTests.frame(2, [0]), [0x88, 13, 3, 235] + Array("Send texts.".utf8)),
    ] as [([UInt8], [UInt8])] {
      let text = try await onThread {
        let server = try LocalHTTPServer { await Self.echo($0, $1) }
        defer { server.stop() }
        let socket = try Socket.connected(to: server.port)
        defer { socket.closeDescriptor() }
        #expect(socket.send(Array(Self.handshake.utf8) + sent))
        var bytes: [UInt8] = []
        while true {
          let more = socket.receive()
          if more.isEmpty { return bytes }
          bytes += more
        }
      }
      #expect(text.suffix(expected.count).elementsEqual(expected), "\(text.suffix(30))")
    }
  }

  @Test func theMessagesEndWhenTheServerStops() async throws {
    try await onThread {
      let server = try LocalHTTPServer { await Self.echo($0, $1) }
      let socket = try Socket.connected(to: server.port)
      defer { socket.closeDescriptor() }
      #expect(socket.send(Array(Self.handshake.utf8)))
      var bytes: [UInt8] = []
      while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
        let more = socket.receive()
        guard !more.isEmpty else { break }
        bytes += more
      }
      #expect(bytes.starts(with: "HTTP/1.1 101 ".utf8))
      server.stop()
    }
  }

  @Test(arguments: [
    ("Upgrade: websocket", "Upgrade: h2c"), ("Connection: Upgrade", "Connection: close"),
    ("Version: 13", "Version: 8"), ("dGhlIHNhbXBsZSBub25jZQ==", "dGhl"), ("GET ", "HEAD "),
  ])
  func aRequestForNoWebSocketGetsAResponse(part: String, other: String) async throws {
    let request = Self.handshake.replacingOccurrences(of: part, with: other)
      .replacingOccurrences(of: "Connection: Upgrade", with: "Connection: upgrade, close")
    let text = try await exchange(request) { await Self.echo($0, $1) }
    #expect(text.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n"), "\(text)")
  }

  // MARK: Clients that do not read

  /// Handlers do not wait for a client: it gets all of a large response when it reads.
  @Test func aLargeResponseArrivesWholeThoughTheHandlerHasEnded() async throws {
    let count = 20 << 20
    let received = try await onThread {
      let hasEnded = DispatchSemaphore(value: 0)
      let server = try LocalHTTPServer { _, response in
        response.send(body: [UInt8](repeating: 65, count: count))
        hasEnded.signal()
      }
      defer { server.stop() }
      let socket = try Socket.connected(to: server.port)
      defer { socket.closeDescriptor() }
      #expect(
        socket.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)))
      hasEnded.wait()
      var received = 0
      while true {
        let more = socket.receive()
        if more.isEmpty { return received }
        received += more.count
      }
    }
    #expect(received > count)
  }

  @Test func aClientThatDoesNotReadIsLeft() async throws {
    try await onThread {
      let hasEnded = DispatchSemaphore(value: 0)
      let server = try LocalHTTPServer { _, response in
        response.begin()
        while response.write([UInt8](repeating: 65, count: 1 << 20)) {}
        hasEnded.signal()
      }
      defer { server.stop() }
      let socket = try Socket.connected(to: server.port)
      defer { socket.closeDescriptor() }
      #expect(socket.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)))
      hasEnded.wait()
    }
  }

  @Test func doesNotAskAClientThatHasSentTheBodyAlready() async throws {
    let text = try await exchange(
      "POST /1 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi"
        + "GET /2 HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        + "Connection: close\r\n\r\n"
    ) { request, response in response.send(request.path) }
    #expect(!text.contains("100 Continue"))
    #expect(text.hasSuffix("\r\n\r\n/2"))
  }

  @Test func asksAClientThatWaitsForTheBody() async throws {
    let (first, rest) = try await onThread {
      let server = try LocalHTTPServer { request, response in
        response.send(String(decoding: request.body, as: UTF8.self))
      }
      defer { server.stop() }
      let client = try RawClient(to: server.port)
      defer { client.closeDescriptor() }
      client.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
          + "Connection: close\r\n\r\n")
      let first = client.read(to: "\r\n\r\n")
      client.send("hi")
      return (first, client.readToEnd())
    }
    #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(rest.hasSuffix("\r\n\r\nhi"))
  }

  #if os(Linux)
    // Other systems notice it at the next part.
    @Test func cancelsTheHandlerWhenTheClientLeaves() async throws {
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let server = try LocalHTTPServer { _, response in
        response.begin()
        response.write("begun")
        await waitForCancellation()
        end.finish()
      }
      try await onThread {
        let client = try RawClient(to: server.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.read(to: "begun").hasPrefix("HTTP/1.1 200"))
        client.closeDescriptor()
      }
      for await _ in ended {}
      try await onThread { server.stop() }
    }
  #endif

  @Test func stoppingCancelsHandlersAndEndsConnections() async throws {
    try await onThread {
      let server = try LocalHTTPServer { _, response in
        response.begin()
        response.write("begun")
        await waitForCancellation()
      }
      let client = try RawClient(to: server.port)
      defer { client.closeDescriptor() }
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(client.read(to: "begun").hasPrefix("HTTP/1.1 200"))
      server.stop()
      _ = client.readToEnd()  // the server has ended the connection
    }
  }

  @Test func namesAPortThatIsTaken() async throws {
    try await onThread {
      let first = try LocalHTTPServer { _, _ in }
      defer { first.stop() }
      let error = #expect(throws: LocalServerError.self) {
        try LocalHTTPServer(port: first.port) { _, _ in }
      }
      #expect(error?.isTaken == true)
      #expect(
        error?.description
          == "Another program listens on port \(first.port). Choose another port.")
    }
  }
}
