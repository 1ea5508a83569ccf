import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ApolloClientTests {
  // MARK: Fetching

  @Test func fetchesFromTheServerOnceAndThenFromTheCache() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient(url: server.url)
    let first = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(first.data?.hero?.name == "R2-D2")
    #expect(first.data?.hero?.friends?.map(\.name) == ["Luke", "Leia"])
    #expect(first.source == .server)
    #expect(first.http?.statusCode == 200)
    let second = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(second.data == first.data)
    #expect(second.source == .cache)
    #expect(second.http == nil)
    #expect(server.requestCount == 1)
  }

  @Test func sendsTheVariables() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(query: HeroAPI.HeroQuery(name: "R2"))
    #expect(
      server.server.requests.first?.bodyText.contains(#""variables":{"name":"R2"}"#) == true)
  }

  @Test func networkOnlySendsEachTimeAndWritesToTheCache() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    let second = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    #expect(second.source == .server)
    #expect(server.requestCount == 2)
    let cached = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)
    #expect(cached?.data == second.data)
    #expect(cached?.source == .cache)
  }

  @Test func writesNothingToTheCacheIfTheConfigurationExcludesIt() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(
      query: HeroAPI.HeroQuery(),
      requestConfiguration: RequestConfiguration(writeResultsToCache: false))
    let cached = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)
    #expect(cached == nil)
  }

  @Test func networkFirstFallsBackToTheCache() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let first = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst)
    #expect(first.source == .server)
    server.breakDown()
    let second = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst)
    #expect(second.source == .cache)
    #expect(second.data == first.data)
  }

  @Test func reportsBothReasonsWhenBothSidesFail() async throws {
    let port = try ClosedPort()
    let client = ApolloClient.patient(url: port.url)
    let error = await #expect(throws: CacheAndNetworkError.self) {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst)
    }
    #expect(error?.code == .notCached)
    #expect(error?.operationName == "Hero")
    #expect((error?.networkError as? NetworkError)?.code == .cannotConnect)
    #expect((error?.cacheError as? CacheMissError)?.operationName == "Hero")
    withExtendedLifetime(port) {}
  }

  @Test func cacheAndNetworkDeliversTheCachedDataFirst() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    func sources() async throws -> [ResultSource] {
      var sources: [ResultSource] = []
      let query = HeroAPI.HeroQuery()
      for try await response in client.fetch(query: query, cachePolicy: .cacheAndNetwork) {
        sources.append(response.source)
      }
      return sources
    }
    #expect(try await sources() == [.server])
    #expect(try await sources() == [.cache, .server])
    #expect(server.requestCount == 2)
  }

  @Test func deliversDataBesideErrors() async throws {
    let server = try LoopbackServer { _, reply in
      reply.json(
        #"{"data":{"hero":null},"errors":[{"message":"asleep","path":["hero"]}],"extensions":{"cost":7}}"#
      )
    }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let response = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(response.data != nil)
    #expect(response.data?.hero == nil)
    #expect(response.errors == [GraphQLError(message: "asleep", path: ["hero"])])
    #expect(response.extensions == ["cost": 7])
    // A null that an error explains is not cached as data.
    let again = try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)
    #expect(again == nil)
  }

  @Test func clearingTheCacheRemovesItsData() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(query: HeroAPI.HeroQuery())
    try await client.clearCache()
    #expect(try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) == nil)
    #expect(try await client.fetch(query: HeroAPI.HeroQuery()).source == .server)
  }

  // MARK: Mutations

  @Test func aMutationChangesTheCachedDataOfQueries() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(query: HeroAPI.HeroQuery())
    let mutation = HeroAPI.RenameMutation(id: "1", name: "Luke Skywalker")
    let response = try await client.perform(mutation: mutation)
    #expect(response.data?.rename?.name == "Luke Skywalker")
    let cached = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(cached.source == .cache)
    #expect(cached.data?.hero?.friends?.map(\.name) == ["Luke Skywalker", "Leia"])
  }

  @Test func aMutationIsSentOnce() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    await #expect(throws: NetworkError.self) {
      try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "x"))
    }
    #expect(server.requests.count == 1)
  }

  // MARK: Cancelling

  @Test func aCancelledFetchThrowsACancellationErrorAndClosesItsConnection() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let task = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await server.wait { $0.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.wait { $0.openConnectionCount == 0 }
  }
}
