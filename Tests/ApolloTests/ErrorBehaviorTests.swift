import Apollo
import ApolloAPI
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The request parameter `onError`, which is sent only when it is asked for.
@Suite(.timeLimit(.minutes(10)))
struct ErrorBehaviorTests {
  private let query = HeroAPI.HeroQuery()

  private static func configuration(
    _ behavior: ErrorBehavior?, usesGET: Bool? = nil
  ) -> RequestConfiguration {
    var configuration = RequestConfiguration(usesGET: usesGET)
    configuration.onError = behavior
    return configuration
  }

  private static func server() throws -> LoopbackServer {
    try LoopbackServer { $1.json(#"{"data":{"hero":null}}"#) }
  }

  @Test(arguments: ErrorBehavior.allCases)
  func aCallSendsItsBehavior(behavior: ErrorBehavior) async throws {
    let server = try Self.server()
    let client = ApolloClient(url: server.url())
    _ = try await client.fetch(
      query: query, cachePolicy: .networkOnly, requestConfiguration: Self.configuration(behavior))
    let body = try JSONValue(jsonBytes: Array(try #require(server.requests.last).bodyText.utf8))
    #expect(body["onError"] == .string(behavior.rawValue))
    #expect(body["operationName"] == "Hero")
    server.stop()
  }

  @Test func aRequestWithoutABehaviorHasNoParameter() async throws {
    let server = try Self.server()
    let client = ApolloClient(url: server.url())
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(try #require(server.requests.last).bodyText.contains("onError") == false)
    server.stop()
  }

  @Test func theBehaviorOfTheClientIsThatOfItsCalls() async throws {
    let server = try Self.server()
    let client = ApolloClient(
      url: server.url(), defaultRequestConfiguration: Self.configuration(.null))
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(try #require(server.requests.last).bodyText.contains(#""onError":"NULL""#))
    _ = try await client.fetch(
      query: query, cachePolicy: .networkOnly, requestConfiguration: Self.configuration(.halt))
    #expect(try #require(server.requests.last).bodyText.contains(#""onError":"HALT""#))
    server.stop()
  }

  @Test func aGETHasTheBehaviorInItsURL() async throws {
    let server = try Self.server()
    let client = ApolloClient(url: server.url())
    _ = try await client.fetch(
      query: query, cachePolicy: .networkOnly,
      requestConfiguration: Self.configuration(.null, usesGET: true))
    let request = try #require(server.requests.last)
    #expect(request.method == "GET" && request.target.contains("onError=NULL"))
    server.stop()
  }

  /// Requests that ask for different data are not shared.
  @Test func callsOfDifferentBehaviorsAreDifferentRequests() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _, number in
      start.yield()
      if number == 0 { for await _ in gate { break } }
      return #"{"data":{"hero":null}}"#
    }
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(transport))
    let query = query
    async let first = client.fetch(
      query: query, cachePolicy: .networkOnly, requestConfiguration: Self.configuration(.null))
    for await _ in started { break }
    _ = try await client.fetch(
      query: query, cachePolicy: .networkOnly, requestConfiguration: Self.configuration(.halt))
    open.yield()
    _ = try await first
    #expect(transport.requestCount == 2)
  }
}
