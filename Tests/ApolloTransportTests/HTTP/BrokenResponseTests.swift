import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses that are cut or broken, by the client that is the default.
@Suite(.timeLimit(.minutes(10)))
struct BrokenResponseTests {
  private static let responses: [(name: String, text: String)] = [
    (
      "length",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"data\":{}}"
    ),
    (
      "chunked",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"dat\r\n6;x=\"y\"\r\na\":{}}\r\n0\r\n\r\n"
    ),
    (
      "trailer",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\nb\r\n{\"data\":{}}\r\n0\r\nX: 1\r\nY: 2\r\n\r\n"
    ),
    (
      "informational",
      "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"data\":{}}"
    ),
    ("noBody", "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n"),
  ]

  /// A server that answers each path with the bytes that `response` gives for it, and closes.
  private func server(_ response: @escaping @Sendable (String) -> [UInt8]) throws -> LoopbackServer
  {
    try LoopbackServer { request, reply in
      reply.send(response(request.path))
      reply.close()
    }
  }

  @Test(arguments: responses.indices)
  func everyPrefixIsAnErrorAndTheWholeIsNot(_ index: Int) async throws {
    let bytes = [UInt8](Self.responses[index].text.utf8)
    let server = try server { path in [UInt8](bytes.prefix(Int(path.dropFirst()) ?? 0)) }
    defer { server.stop() }
    let client: any HTTPClient = .patient()
    // Behind a last chunk, nothing depends on the very last line feed.
    let isChunked = Self.responses[index].text.hasSuffix("\r\n\r\n") && index != 4
    for length in bytes.indices.dropLast(isChunked ? 1 : 0) {
      let error = await #expect(throws: NetworkError.self, "\(length)") {
        try await client.response(to: URLRequest(url: server.url("/\(length)"))).body()
      }
      #expect(error?.code == .connectionLost, "\(length): \(error as Any)")
    }
    let whole = try await client.response(to: URLRequest(url: server.url("/\(bytes.count)")))
    #expect(
      try await String(decoding: whole.body(), as: UTF8.self)
        == (whole.response.statusCode == 204 ? "" : #"{"data":{}}"#))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 O\0K\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: 1\r\n folded\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Encoding: unknown\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\n" + (0..<10_000).map { "X-\($0): 1\r\n" }.joined() + "\r\n",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 400_000) + "\r\n\r\n",
  ])
  func aMalformedResponseIsNamedAsSuchAndItsQueryIsNotRepeated(_ response: String) async throws {
    let server = try server { _ in [UInt8](response.utf8) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let error = await #expect(throws: NetworkError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error?.code == .malformedResponse, "\(error as Any)")
    #expect(server.requests.count == 1)
    await server.wait { $0.openConnectionCount == 0 }
  }

  #if CURL
    /// A connection that was not made for HTTP/2 is kept only if bytes behind a response are found.
    @Test(arguments: ["HTTP/2 200 OK", "HTTP/2.1 200 OK", "HTTP/3 200 OK"])
    func aVersionThatTheConnectionDoesNotUseIsAnError(_ statusLine: String) async throws {
      let server = try LoopbackServer { _, reply in
        reply.send("\(statusLine)\r\nContent-Length: 2\r\n\r\n{}")
      }
      defer { server.stop() }
      let error = await #expect(throws: NetworkError.self) {
        try await CurlClient.patient().response(to: URLRequest(url: server.url())).body()
      }
      #expect(error?.code == .malformedResponse || error?.code == .notHTTP, "\(error as Any)")
      await server.wait { $0.openConnectionCount == 0 }
    }

    /// libcurl notes the latest version for all connections to the host.
    @Test func aVersionThatTheConnectionDoesNotUseLetsNoRequestsShareAConnection() async throws {
      let goodHasEnded = Signal()
      let (bothAreHere, bothAreHereAgain) = (Rendezvous(count: 2), Rendezvous(count: 2))
      let server = try LoopbackServer { request, reply in
        switch request.target {
        case "/good":
          bothAreHere.block()
          reply.json(#""good""#)
        case "/wrong":
          bothAreHere.block()
          goodHasEnded.block()
          reply.send("HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        default:
          bothAreHereAgain.block()
          reply.json("\"\(request.target)\"")
        }
      }
      defer { server.stop() }
      let client = CurlClient.patient()
      @Sendable func body(_ path: String) async throws -> String {
        let response = try await client.response(to: URLRequest(url: server.url(path)))
        return String(decoding: try await response.body(), as: UTF8.self)
      }
      let wrong = Task { try await body("/wrong") }
      _ = try await body("/good")
      goodHasEnded.fire()
      await #expect(throws: NetworkError.self) { try await wrong.value }
      async let first = body("/first")
      async let second = body("/second")
      #expect(try await [first, second] == [#""/first""#, #""/second""#])
    }
  #endif

  /// libcurl takes the NUL for the end of the connection.
  @Test func aNULBeforeTheFirstHeaderIsAnErrorAndItsQueryIsNotRepeated() async throws {
    let server = try server { _ in
      [UInt8]("HTTP/1.1 200 OK\r\n\0X: 1\r\nContent-Length: 2\r\n\r\n{}".utf8)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    let error = await #expect(throws: NetworkError.self) {
      try await transport.send(OperationRequest(HeroAPI.HeroQuery()))
    }
    #expect(error?.code == .connectionLost)
    #expect(error?.responseHadBegun == true)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "this is not HTTP\r\n", "\0\0\0\0\0\0\0\0", "SSH-2.0-OpenSSH_9.2\r\n",
    "HTTP/1.1 999999 OK\r\nContent-Length: 2\r\n\r\n{}",
  ])
  func whatIsNotHTTPIsNamedAsSuch(_ response: String) async throws {
    let server = try server { _ in [UInt8](response.utf8) }
    defer { server.stop() }
    let error = await #expect(throws: NetworkError.self) {
      try await DefaultHTTPClient.patient().response(to: URLRequest(url: server.url()))
    }
    #expect(error?.code == .notHTTP)
  }
}
