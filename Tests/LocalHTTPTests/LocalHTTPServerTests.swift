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

@Suite struct LocalHTTPServerTests {
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
