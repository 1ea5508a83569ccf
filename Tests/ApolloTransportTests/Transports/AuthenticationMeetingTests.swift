import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Refreshes that meet other requests, their cancellation, logouts and the limit of connections.
@Suite(.timeLimit(.minutes(10)))
struct AuthenticationMeetingTests {
  private struct Refused: Error {}

  private func status(
    _ url: URL, _ interceptor: AuthenticationInterceptor, _ client: any HTTPClient
  ) async throws -> Int {
    try await HTTPSender(client: client, interceptors: [interceptor])
      .send(_OutgoingRequest(URLRequest(url: url))).response.statusCode
  }

  /// A server that accepts one token.
  private func server(
    accepting token: String, rejection: String = "{}"
  ) throws -> LoopbackServer {
    try LoopbackServer { request, reply in
      let isValid = request.headers["authorization"] == "Bearer \(token)"
      reply.json(isValid ? "{}" : rejection, status: isValid ? 200 : 401)
    }
  }

  #if CURL
    private func clientWithOneConnection() -> CurlClient {
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.maximumConnectionCountPerHost = 1
      return CurlClient(configuration: configuration, limits: TransferLimits(deadline: nil))
    }

    /// An unread body of a rejection holds no connection.
    @Test(arguments: [10, 1 << 20])
    func theSecondAttemptDoesNotWaitForTheConnectionOfTheFirst(byteCount: Int) async throws {
      let page = String(repeating: "x", count: byteCount)
      let server = try server(accepting: "new", rejection: page)
      defer { server.stop() }
      let (url, client) = (server.url(), clientWithOneConnection())
      let interceptor = AuthenticationInterceptor(token: "old") { "new" }
      // The deadline ends a wait that would never end.
      let code = try await CallDeadline(.seconds(30)).limit(url: url) {
        try await status(url, interceptor, client)
      }
      #expect(code == 200)
    }

    @Test(arguments: [10, 1 << 20])
    func aRefreshDoesNotWaitForTheConnectionOfTheRejection(byteCount: Int) async throws {
      let page = String(repeating: "x", count: byteCount)
      let server = try LoopbackServer { request, reply in
        if request.target == "/token" { return reply.json(#"{"token":"new"}"#) }
        let isValid = request.headers["authorization"] == "Bearer new"
        reply.json(isValid ? "{}" : page, status: isValid ? 200 : 401)
      }
      defer { server.stop() }
      let (url, tokens) = (server.url("/graphql"), server.url("/token"))
      let client = clientWithOneConnection()
      let interceptor = AuthenticationInterceptor(token: "old") {
        let body = try await client.response(to: URLRequest(url: tokens)).body()
        return try JSONValue(jsonBytes: body)["token"]?.stringValue ?? ""
      }
      let code = try await CallDeadline(.seconds(30)).limit(url: url) {
        try await status(url, interceptor, client)
      }
      #expect(code == 200)
    }
  #endif

  @Test func aRequestAfterACancelledRefreshHasOneOfItsOwn() async throws {
    let server = try server(accepting: "new")
    defer { server.stop() }
    let (isRefreshing, isJoined) = (Signal(), Signal())
    let count = Lock(0)
    let interceptor = AuthenticationInterceptor(token: nil) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number == 1 else { return "new" }
      isRefreshing.fire()
      // It notices its cancellation after the next request has come.
      await isJoined.wait()
      throw Refused()
    }
    let client: any HTTPClient = .patient()
    let url = server.url()
    let first = Task { try await status(url, interceptor, client) }
    await isRefreshing.wait()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await status(url, interceptor, client) }
    isJoined.fire()
    #expect(try await second.value == 200)
    #expect(count.get() == 2)
  }

  @Test func aTokenOfTheProgramEndsTheWaitForARefresh() async throws {
    let server = try server(accepting: "login")
    defer { server.stop() }
    let (isRefreshing, mayEnd) = (Signal(), Signal())
    let interceptor = AuthenticationInterceptor(token: "old") {
      isRefreshing.fire()
      await mayEnd.wait()
      return "late"
    }
    let client: any HTTPClient = .patient()
    let url = server.url()
    let first = Task { try await status(url, interceptor, client) }
    await isRefreshing.wait()
    interceptor.setToken("login")
    #expect(try await first.value == 200)
    mayEnd.fire()
    #expect(try await interceptor.currentToken() == "login")
  }
}
