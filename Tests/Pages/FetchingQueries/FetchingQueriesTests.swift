import Apollo
import Foundation
import LoopbackServer
import Testing

/// The page "Fetching queries" of Apollo iOS 0.x: its code compiles in the Swift 5 language mode,
/// and does what its text says.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FetchingQueriesTests {
  private static let luke = #"{"data":{"hero":{"__typename":"Human","name":"Luke Skywalker"}}}"#
  private static let friends = #"""
    {"data":{"hero":{"__typename":"Human","name":"Luke Skywalker","friends":[
      {"__typename":"Human","name":"Han Solo"},{"__typename":"Human","name":"Leia Organa"},
      {"__typename":"Droid","name":"C-3PO"},{"__typename":"Droid","name":"R2-D2"}]}}}
    """#

  private func page(_ server: LoopbackServer) -> any QueriesOfThePage {
    Queries(apollo: ApolloClient(url: server.url()))
  }

  // MARK: - Queries

  @Test func aQueryIsSentExecutedAndReadOnTheMainQueue() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    page(server).fetchName()
    #expect(
      await PrintedLine.next()
        == PrintedLine(text: #"Optional("Luke Skywalker")"#, isOnMainQueue: true))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.headers["content-type"] == "application/json")
    let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    #expect(body?["variables"] as? [String: String] == ["episode": "EMPIRE"])
    #expect((body?["query"] as? String)?.hasPrefix("query HeroName($episode: Episode)") == true)
  }

  @Test func aHandlerIsCalledOnTheQueueThatTheCallNames() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "background")
    queue.setSpecific(key: key, value: "background")
    let apollo = ApolloClient(url: server.url())
    let name: String? = await withCheckedContinuation { continuation in
      apollo.fetch(query: HeroNameQuery(episode: .empire), queue: queue) { _ in
        continuation.resume(returning: DispatchQueue.getSpecific(key: key))
      }
    }
    #expect(name == "background")
  }

  @Test(arguments: [
    (luke, "Luke Skywalker"),
    (#"{"data":{"hero":null},"errors":[{"message":"No hero."}]}"#, "No hero."),
    (#"{"errors":[{"message":"Not allowed."}]}"#, "Not allowed."),
    ("this is no JSON", "JSON"),
  ])
  func aHandlerSeesTheNameTheErrorsOrTheFailure(response: String, expected: String) async throws {
    let server = try LoopbackServer { _, reply in reply.json(response) }
    defer { server.stop() }
    page(server).fetchNameWithErrors()
    let line = try #require(await PrintedLine.next())
    #expect(line.text.contains(expected), "\(line.text)")
    #expect(line.isOnMainQueue)
  }

  @Test func aHandlerSeesThatTheConnectionWasLost() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    let result = await fetch(ApolloClient(url: server.url()), .fetchIgnoringCacheData)
    #expect(throws: NetworkError.self) { try result.get() }
  }

  @Test func resultsAreNestedValues() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.friends) }
    defer { server.stop() }
    page(server).fetchNamesOfFriends()
    #expect(await PrintedLine.next()?.text == #"Optional("Luke Skywalker")"#)
    #expect(
      await PrintedLine.next()?.text == #"Optional("Han Solo, Leia Organa, C-3PO, R2-D2")"#)
  }

  // MARK: - Cache policies

  /// A policy, the sources of its results with an empty cache and with a full one, and whether the
  /// cache has the data afterwards.
  struct Policy: CustomTestStringConvertible, Sendable {
    var policy: CachePolicy
    var withEmptyCache: [GraphQLResult<HeroNameQuery.Data>.Source]
    var withFullCache: [GraphQLResult<HeroNameQuery.Data>.Source]
    var writesToCache: Bool

    var testDescription: String { "\(policy)" }
  }

  static let policies = [
    Policy(
      policy: .default, withEmptyCache: [.server], withFullCache: [.cache], writesToCache: true),
    Policy(
      policy: .returnCacheDataElseFetch, withEmptyCache: [.server], withFullCache: [.cache],
      writesToCache: true),
    Policy(
      policy: .fetchIgnoringCacheData, withEmptyCache: [.server], withFullCache: [.server],
      writesToCache: true),
    Policy(
      policy: .fetchIgnoringCacheCompletely, withEmptyCache: [.server], withFullCache: [.server],
      writesToCache: false),
    Policy(
      policy: .returnCacheDataDontFetch, withEmptyCache: [], withFullCache: [.cache],
      writesToCache: false),
    Policy(
      policy: .returnCacheDataAndFetch, withEmptyCache: [.server],
      withFullCache: [.cache, .server], writesToCache: true),
  ]

  @Test(arguments: policies)
  func everyPolicyUsesTheCacheAndTheServerInItsOrder(_ row: Policy) async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    let empty = ApolloClient(url: server.url())
    #expect(await sources(empty, row.policy, count: row.withEmptyCache.count) == row.withEmptyCache)
    let cached = await fetch(empty, .returnCacheDataDontFetch)
    #expect(((try? cached.get()) != nil) == row.writesToCache)

    let full = ApolloClient(url: server.url())
    _ = try await fetch(full, .fetchIgnoringCacheData).get()
    #expect(await sources(full, row.policy, count: row.withFullCache.count) == row.withFullCache)
  }

  @Test func aPolicyThatNeverFetchesReportsAMiss() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    let result = await fetch(ApolloClient(url: server.url()), .returnCacheDataDontFetch)
    #expect(throws: CacheMissError.self) { try result.get() }
    #expect(server.requests.isEmpty)
  }

  private func fetch(
    _ apollo: ApolloClient, _ policy: CachePolicy
  ) async -> Result<GraphQLResult<HeroNameQuery.Data>, any Error> {
    await withCheckedContinuation { continuation in
      apollo.fetch(
        query: HeroNameQuery(episode: .empire), cachePolicy: policy,
        queue: DispatchQueue(label: "tests")
      ) { continuation.resume(returning: $0) }
    }
  }

  /// The sources of the first `count` results; none if the call fails.
  private func sources(
    _ apollo: ApolloClient, _ policy: CachePolicy, count: Int
  ) async -> [GraphQLResult<HeroNameQuery.Data>.Source] {
    let (results, continuation) = AsyncStream<GraphQLResult<HeroNameQuery.Data>?>.makeStream()
    apollo.fetch(
      query: HeroNameQuery(episode: .empire), cachePolicy: policy,
      queue: DispatchQueue(label: "tests")
    ) { continuation.yield(try? $0.get()) }
    var sources: [GraphQLResult<HeroNameQuery.Data>.Source] = []
    for await result in results {
      guard let result else { break }
      sources.append(result.source)
      if sources.count == count { break }
    }
    return sources
  }

  // MARK: - GET and JSON

  @Test func aTransportSendsItsQueriesWithGET() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.luke) }
    defer { server.stop() }
    let apollo = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url(), useGETForQueries: true))
    _ = try await fetch(apollo, .default).get()
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.target.contains("operationName=HeroName"))
    #expect(request.body.isEmpty)
  }

  @Test func modelsAreConvertedToJSONAndBack() async throws {
    let server = try LoopbackServer { _, reply in reply.json(Self.friends) }
    defer { server.stop() }
    page(server).serialize()
    #expect(await PrintedLine.next()?.text == "equal")
    #expect(await PrintedLine.next()?.text == "4")
  }
}
