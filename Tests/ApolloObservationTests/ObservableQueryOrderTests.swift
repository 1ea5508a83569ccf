import Apollo
import ApolloAPI
import ApolloCache
import ApolloObservation
import ApolloTransport
import Foundation
import TestOperations
import Testing

/// The data that a query shows while requests, mutations and cancellations meet.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservableQueryOrderTests {
  private typealias HeroQuery = HeroAPI.HeroQuery

  @Test func itLoadsWhileCachedDataIsShown() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: HeroQuery())
    await server.respond("R2-D2", to: 1)
    _ = try await first
    let query = ObservableQuery(
      HeroQuery(), client: client, cachePolicy: .returnCacheDataAndFetch)
    await wait { query.data != nil }
    #expect(query.isLoading)
    await server.respond("Artoo", to: 2)
    await wait { !query.isLoading }
    #expect(query.data?.hero?.name == "Artoo")
  }

  @Test func anErrorLeavesTheCachedDataThatWasNotShownYet() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: HeroQuery())
    await server.respond("R2-D2", to: 1)
    _ = try await first
    let offline = ApolloClient(networkTransport: NoNetwork(), store: client.store)
    let query = ObservableQuery(
      HeroQuery(), client: offline, cachePolicy: .returnCacheDataAndFetch)
    await wait { query.error != nil }
    #expect(query.data?.hero?.name == "R2-D2")
  }

  @Test func theEndOfASessionEndsLoading() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.untilSent(1)
    #expect(query.isLoading)
    try await client.endSession()
    await wait { !query.isLoading }
    let refetch = query.refetch()
    await server.respond("R2-D2", to: 2)
    await refetch.value
    #expect(query.data?.hero?.name == "R2-D2")
    #expect(!query.isLoading)
  }

  @Test func aCancelledRefetchEndsLoading() async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { !query.isLoading }
    let refetch = query.refetch()
    #expect(query.isLoading)
    await server.untilSent(2)
    refetch.cancel()
    await refetch.value
    #expect(!query.isLoading && query.error == nil && query.data?.hero?.name == "R2-D2")
    let next = query.refetch()
    await server.respond("Artoo", to: 3)
    await next.value
    #expect(query.data?.hero?.name == "Artoo" && !query.isLoading)
  }

  @Test func aReplacedRefetchEndsWithoutEndingLoading() async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { !query.isLoading }
    let first = query.refetch()
    await server.untilSent(2)
    let second = query.refetch()
    await first.value
    #expect(query.isLoading)
    first.cancel()
    await server.respond("Artoo", to: 3)
    await second.value
    #expect(query.data?.hero?.name == "Artoo" && !query.isLoading)
  }

  /// The response of the refetch is older than the mutation, which is optimistic meanwhile.
  @Test func aRefetchDuringAnOptimisticMutationFollowsTheCache() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { !query.isLoading }
    let layer = client.store.layers.reserve()
    try await client.store.showLayer(layer) { try $0.merge(["Hero:1": ["name": "expected"]]) }
    await wait { query.data?.hero?.name == "expected" }
    let refetch = query.refetch()
    await server.respond("R2-D2", to: 2)
    await refetch.value
    #expect(query.data?.hero?.name == "expected")
    await client.store.removeLayer(layer)
    await wait { query.data?.hero?.name == "R2-D2" }
    try await client.store.publish(["Hero:1": ["name": "Artoo"]])
    await wait { query.data?.hero?.name == "Artoo" }
  }

  @Test func aRefetchThatIsOvertakenFollowsTheCache() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { !query.isLoading }
    let refetch = query.refetch()
    await server.untilSent(2)
    try await client.store.publish(["Hero:1": ["name": "Artoo"]])
    await server.respond("R2-D2", to: 2)
    await refetch.value
    #expect(query.data?.hero?.name == "Artoo")
  }

  /// The next user must not see the former one's data beside an error.
  @Test(arguments: [false, true])
  func aRefetchOfTheNextSessionThatFailsShowsNothingOfTheFormer(
    hasResponse: Bool
  ) async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { query.data != nil }
    try await client.endSession()
    #expect(query.data?.hero?.name == "R2-D2", "It is the program's to drop.")
    let refetch = query.refetch()
    if hasResponse {
      await server.respond(json: #"{"errors":[{"message":"Not now."}]}"#, to: 2)
    } else {
      await server.fail(2)
    }
    await refetch.value
    #expect((query.error == nil) == hasResponse)
    #expect(query.errors.map(\.message) == (hasResponse ? ["Not now."] : []))
    #expect(query.data == nil && !query.isLoading)
  }

  /// Nor the error, which can be a message of the server to the former user.
  @Test func aRefetchOfTheNextSessionRemovesTheErrorOfTheFormer() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.fail(1)
    await wait { query.error != nil }
    try await client.endSession()
    let refetch = query.refetch()
    #expect(query.error == nil && query.isLoading)
    await server.fail(2)
    await refetch.value
    #expect(query.error != nil)
    // In the same session, it stays until the response arrives.
    let next = query.refetch()
    #expect(query.error != nil && query.isLoading)
    await server.respond("R2-D2", to: 3)
    await next.value
    #expect(query.error == nil && query.data?.hero?.name == "R2-D2")
  }

  @Test func aRefetchAfterACancellationThatFailsFollowsTheCache() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { query.data != nil }
    query.cancel()
    try await client.store.publish(["Hero:1": ["name": "Artoo"]])
    let refetch = query.refetch()
    await server.fail(2)
    await refetch.value
    await wait { query.data?.hero?.name == "Artoo" }
    #expect(query.data?.hero?.name == "Artoo")
  }

  @Test func aRefetchAfterACancellationWatchesAgain() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2", to: 1)
    await wait { query.data != nil }
    query.cancel()
    let refetch = query.refetch()
    await server.respond("R2-D2", to: 2)
    await refetch.value
    try await client.store.publish(["Hero:1": ["name": "Artoo"]])
    await wait { query.data?.hero?.name == "Artoo" }
    #expect(query.error == nil)
    #expect(query.data?.hero?.name == "Artoo")
  }
}

/// A transport that fails at once.
private final class NoNetwork: NetworkTransport {
  private struct Offline: Error {}

  func send(_ request: OperationRequest) async throws -> NetworkResponse { throw Offline() }
}

/// A transport whose requests wait for a test to respond to them. They are numbered from 1.
final class HeldHero: NetworkTransport {
  private let sent = Lock<[AsyncThrowingStream<NetworkResponse, any Error>.Continuation]>([])

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let (stream, continuation) = AsyncThrowingStream<NetworkResponse, any Error>.makeStream()
    sent.withLock { $0.append(continuation) }
    for try await response in stream { return response }
    throw CancellationError()
  }

  /// Returns when so many requests were sent, of which some may have been cancelled since.
  func untilSent(_ count: Int) async {
    while sent.withLock({ $0.count < count }) { await Task.yield() }
  }

  /// `rest`: The members of the response after its data, each with a comma before it.
  func respond(_ name: String, _ rest: String = "", to number: Int) async {
    let hero = #"{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}"#
    await respond(json: #"{"data":{"hero":\#(hero)}\#(rest)}"#, to: number)
  }

  func respond(json body: String, to number: Int) async {
    await untilSent(number)
    let continuation = sent.withLock { $0[number - 1] }
    continuation.yield(NetworkResponse(body: Data(body.utf8)))
    continuation.finish()
  }

  func fail(_ number: Int) async {
    await untilSent(number)
    sent.withLock { $0[number - 1] }.finish(throwing: URLError(.notConnectedToInternet))
  }
}
