import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Servers that misbehave: each ends in a typed error or in the right answer, soon, with nothing
/// left open.
@Suite(.timeLimit(.minutes(10)))
struct HostileServerTests {
  private static let jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  private let request = OperationRequest(HeroAPI.HeroQuery())

  enum Fault: String, CaseIterable {
    case silence, headByteByByte, bodyByteByByte, endlessInformation, endlessHead
  }

  @Test(arguments: Fault.allCases)
  func theDeadlineEndsWhatWouldNeverEnd(_ fault: Fault) async throws {
    let server = try LoopbackServer { _, reply in
      switch fault {
      case .silence: break
      case .headByteByByte: reply.send("HTTP/1.1 20")
      case .bodyByteByByte: reply.send(Self.jsonHead + "Content-Length: 60\r\n\r\n{")
      case .endlessInformation:
        for _ in 0..<50 { reply.send("HTTP/1.1 103 Early Hints\r\n\r\n") }
      case .endlessHead: reply.send(Self.jsonHead + "X-A: " + String(repeating: "a", count: 1_000))
      }
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = DefaultHTTPClient.patient(deadline: .milliseconds(100))
    let transport = HTTPNetworkTransport(url: server.url(), client: client)
    let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }
    #expect(error?.code == .deadlineExceeded)
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func theIdleTimeoutEndsASilence() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let silent = {
      var request = URLRequest(url: server.url())
      request.timeoutInterval = 0.1
      return request
    }()
    let error = await #expect(throws: NetworkError.self) {
      _ = try await DefaultHTTPClient().response(to: silent)
    }
    #expect(error?.code == .timedOut)
    #if CURL
      let setting =
        " of 0.1 seconds. Check the server and what is in front of it, or raise `idleTimeout`."
    #else
      // The limit that the system keeps is one of its own settings.
      let setting =
        ". Check the server and what is in front of it, or raise `timeoutIntervalForRequest`."
    #endif
    #expect(
      error?.description
        == "\(server.url()) sent nothing for longer than the idle timeout\(setting)")
  }

  @Test func informationBeforeTheAnswerIsSkipped() async throws {
    let server = try LoopbackServer { _, reply in
      for _ in 0..<50 { reply.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") }
      reply.json("{}")
    }
    defer { server.stop() }
    let response = try await HTTPNetworkTransport(url: server.url(), client: .patient()).send(
      request)
    #expect(response.http?.statusCode == 200)
    #expect(response.body == Data("{}".utf8))
  }

  @Test(arguments: [
    "Content-Length: -5\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
    "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "X-A: " + String(repeating: "a", count: 400_000) + "\r\nContent-Length: 2\r\n\r\n{}",
  ])
  func brokenFramesAreErrors(_ rest: String) async throws {
    let server = try LoopbackServer { _, reply in
      reply.send(Self.jsonHead + rest)
      reply.close()
    }
    defer { server.stop() }
    await #expect(throws: (any Error).self) {
      try await HTTPNetworkTransport(url: server.url(), client: .patient()).send(request)
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  // MARK: Compression

  private func gzipped(_ base64: String) throws -> LoopbackServer {
    let bytes = [UInt8](try #require(Data(base64Encoded: base64)))
    return try LoopbackServer { _, reply in
      reply.respond(
        headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], body: bytes)
    }
  }

  @Test func answersMayBeCompressed() async throws {
    let server = try gzipped("H4sIAAAAAAACA6tWSkksSVSyqq6tBQDWBnvzCwAAAA==")
    defer { server.stop() }
    let response = try await HTTPNetworkTransport(url: server.url(), client: .patient()).send(
      request)
    #expect(response.body == Data(#"{"data":{}}"#.utf8))
  }

  /// 133 bytes that become 100,000.
  @Test func theSizeLimitCountsWhatComesOutOfCompression() async throws {
    let server = try gzipped(
      "H4sIAAAAAAACA+3BMQEAAADCoKDr38MaHkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArwZ+MsIMoIYBAA=="
    )
    defer { server.stop() }
    let client = DefaultHTTPClient.patient(limits: TransferLimits(maximumResponseByteCount: 50_000))
    let error = await #expect(throws: NetworkError.self) {
      try await HTTPNetworkTransport(url: server.url(), client: client).send(request)
    }
    #expect(error?.code == .responseTooLarge)
  }

  // MARK: State and secrets

  @Test func cookiesAreNotKept() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json("{}", headers: [("Set-Cookie", "session=secret; Path=/")])
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient())
    _ = try await transport.send(request)
    _ = try await transport.send(request)
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test(arguments: [false, true])
  func errorsNeverTellTheSecretsOfAURL(_ isAnswering: Bool) async throws {
    let server = try LoopbackServer { _, reply in
      if isAnswering { reply.json("[]", status: 500) } else { reply.close() }
    }
    defer { server.stop() }
    let url = try #require(
      URL(string: "http://user:secret1@127.0.0.1:\(server.port)/graphql?token=secret2#secret3"))
    let transport = HTTPNetworkTransport(
      url: url, client: .patient(), useGETForQueries: true,
      additionalHeaders: ["Authorization": "secret4"])
    let error = await #expect(throws: (any Error).self) { try await transport.send(request) }
    let text = try #require(
      error.map { "\($0) \(String(reflecting: $0)) \($0.localizedDescription)" })
    #expect(text.contains("http://127.0.0.1:\(server.port)/graphql"))
    #expect(!text.contains("secret"))
    #expect(
      server.requests.first?.target.hasPrefix("/graphql?token=secret2&operationName=") == true)
  }

  @Test func anAuthenticationChallengeIsAnAnswer() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json("{}", status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
    }
    defer { server.stop() }
    let error = await #expect(throws: GraphQLHTTPResponseError.self) {
      try await HTTPNetworkTransport(url: server.url(), client: .patient()).send(request)
    }
    #expect(error?.statusCode == 401)
  }
}
