import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The page "Creating a client" of Apollo iOS 0.x: its long sample compiles unchanged in the
/// Swift 5 language mode, and does what its text says.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CreatingAClientTests {
  private static let hero = #"{"data":{"hero":null}}"#

  /// Fetches through a transport whose delegate is the singleton of the page.
  private func fetch(
    _ server: LoopbackServer
  ) async -> Result<GraphQLResult<HeroAPI.HeroQuery.Data>, Error> {
    let transport = HTTPNetworkTransport(url: server.url(), delegate: Network.shared)
    let apollo = ApolloClient(networkTransport: transport)
    return await withCheckedContinuation { continuation in
      apollo.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
        queue: DispatchQueue(label: "tests")
      ) { continuation.resume(returning: $0) }
    }
  }

  private func authorizations(_ server: LoopbackServer) -> [String?] {
    server.requests.map { $0.headers["authorization"] }
  }

  @Test func theSingletonHasAClient() {
    let transport = Network.shared.apollo.networkTransport as? HTTPNetworkTransport
    #expect(transport?.endpointURL?.absoluteString == "http://localhost:8080/graphql")
    #expect(transport?.delegate === Network.shared)
  }

  @Test func aClientNeedsOnlyAnAddress() {
    let transport = BasicSetup.Network.shared.apollo.networkTransport as? HTTPNetworkTransport
    #expect(transport?.endpointURL?.absoluteString == "http://localhost:8080/graphql")
    #expect(transport?.delegate == nil)
  }

  @Test func aClientTakesATransportAndAStore() {
    let session = URLSessionClient()
    defer { session.invalidate() }
    let transport = BasicSetup.transport(client: session, delegate: Network.shared)
    #expect(transport.delegate === Network.shared)
    let client = BasicSetup.client(networkTransport: transport)
    #expect(client.networkTransport as AnyObject === transport)
  }

  @Test func aRequestIsNotSentWithoutAUser() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero) }
    defer { server.stop() }
    UserManager.shared.logIn(token: nil)
    let result = await fetch(server)
    #expect(throws: GraphQLHTTPRequestError.cancelledByDelegate) { try result.get() }
    #expect(server.requests.isEmpty)
  }

  @Test func aRequestHasTheHeadersThatTheDelegateAdds() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero) }
    defer { server.stop() }
    UserManager.shared.logIn(token: "first")
    _ = try await fetch(server).get()
    #expect(authorizations(server) == ["Bearer first"])
    #expect(server.requests.first?.headers["content-type"] == "application/json")
  }

  @Test func theRawResponseIsLogged() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero) }
    defer { server.stop() }
    UserManager.shared.logIn(token: "first")
    _ = Logger.takeLines()
    _ = try await fetch(server).get()
    let lines = Logger.takeLines()
    #expect(lines.count == 4)
    #expect(lines.last?.contains("hero") == true)
    #expect(lines.allSatisfy { $0.hasPrefix("debug: ") })
  }

  @Test func aFailureIsLogged() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    UserManager.shared.logIn(token: "first")
    _ = Logger.takeLines()
    let result = await fetch(server)
    #expect(throws: NetworkError.self) { try result.get() }
    #expect(
      Logger.takeLines().suffix(2) == [
        "error: No URL Response received!", "error: No data received!",
      ])
  }

  @Test(arguments: ["application/json", "application/graphql-response+json"])
  func anExpiredTokenIsRenewedAndTheRequestRetried(type: String) async throws {
    let server = try LoopbackServer { request, reply in
      guard request.headers["authorization"] == "Bearer new" else {
        return reply.json(#"{"errors":[{"message":"expired"}]}"#, status: 401, type: type)
      }
      reply.json(Self.hero, type: type)
    }
    defer { server.stop() }
    UserManager.shared.logIn(token: "expired")
    _ = try await fetch(server).get()
    #expect(authorizations(server) == ["Bearer expired", "Bearer new"])
  }

  @Test func theFirstDecisionOfTheRetryDelegateCounts() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero, status: 401) }
    defer { server.stop() }
    UserManager.shared.logIn(token: "expired", canReAuthenticate: false)
    let result = await fetch(server)
    #expect(throws: UserManager.ReAuthenticationFailure.self) { try result.get() }
    #expect(server.requests.count == 1)
  }

  @Test func otherFailuresAreNotRetried() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.hero, status: 500) }
    defer { server.stop() }
    UserManager.shared.logIn(token: "first")
    let result = await fetch(server)
    #expect(throws: GraphQLHTTPResponseError.self) { try result.get() }
    #expect(server.requests.count == 1)
  }
}
