import Apollo
import ApolloAPI
import ApolloCache
import ApolloObservation
import ApolloTransport
import Foundation
import Observation
import TestOperations
import Testing

/// The data that a query shows while requests, mutations and cancellations meet.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservableQueryOrderTests {
  private typealias HeroQuery = HeroAPI.HeroQuery

  /// Suspends until a condition on the properties of a query holds.
  private func wait(until condition: () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
      await Task.yield()
    }
  }

  @Test func itLoadsWhileCachedDataIsShown() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: HeroQuery())
    await server.respond("R2-D2")
    _ = try await first
    let query = ObservableQuery(
      HeroQuery(), client: client, cachePolicy: .returnCacheDataAndFetch)
    await wait { query.data != nil }
    #expect(query.isLoading)
    await server.respond("Artoo")
    await wait { !query.isLoading }
    #expect(query.data?.hero?.name == "Artoo")
  }

  @Test func anErrorLeavesTheCachedDataThatWasNotShownYet() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: HeroQuery())
    await server.respond("R2-D2")
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
    await server.untilSent()
    #expect(query.isLoading)
    try await client.endSession()
    await wait { !query.isLoading }
    let refetch = query.refetch()
    await server.respond("R2-D2")
    await refetch.value
    #expect(query.data?.hero?.name == "R2-D2")
    #expect(!query.isLoading)
  }

  @Test func aCancelledRefetchEndsLoading() async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    _ = query.data
    await server.respond("R2-D2")
    await wait { !query.isLoading }
    let refetch = query.refetch()
    #expect(query.isLoading)
    await server.untilSent()
    refetch.cancel()
    await refetch.value
    #expect(!query.isLoading && query.error == nil && query.data?.hero?.name == "R2-D2")
    let next = query.refetch()
    await server.respond("Artoo")
    await next.value
    #expect(query.data?.hero?.name == "Artoo" && !query.isLoading)
  }

  @Test func aReplacedRefetchEndsWithoutEndingLoading() async {
    let server = HeldHero()
    let query = ObservableQuery(HeroQuery(), client: ApolloClient(networkTransport: server))
    _ = query.data
    await server.respond("R2-D2")
    await wait { !query.isLoading }
    let first = query.refetch()
    await server.untilSent()
    let second = query.refetch()
    await first.value
    #expect(query.isLoading)
    first.cancel()
    await server.respond("Artoo")
    await second.value
    #expect(query.data?.hero?.name == "Artoo" && !query.isLoading)
  }

  /// The response of the refetch is older than the mutation, which is optimistic meanwhile.
  @Test func aRefetchDuringAnOptimisticMutationFollowsTheCache() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2")
    await wait { !query.isLoading }
    let layer = client.store.layers.reserve()
    try await client.store.showLayer(layer) { try $0.merge(["Hero:1": ["name": "expected"]]) }
    await wait { query.data?.hero?.name == "expected" }
    let refetch = query.refetch()
    await server.respond("R2-D2")
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
    await server.respond("R2-D2")
    await wait { !query.isLoading }
    let refetch = query.refetch()
    await server.untilSent()
    try await client.store.publish(["Hero:1": ["name": "Artoo"]])
    await server.respond("R2-D2")
    await refetch.value
    #expect(query.data?.hero?.name == "Artoo")
  }

  @Test func aRefetchAfterACancellationWatchesAgain() async throws {
    let server = HeldHero()
    let client = ApolloClient(networkTransport: server)
    let query = ObservableQuery(HeroQuery(), client: client)
    _ = query.data
    await server.respond("R2-D2")
    await wait { query.data != nil }
    query.cancel()
    let refetch = query.refetch()
    await server.respond("R2-D2")
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

/// A transport whose requests wait for a test to respond to the newest one.
final class HeldHero: NetworkTransport {
  private typealias Continuation = AsyncThrowingStream<NetworkResponse, any Error>.Continuation

  private let count = Lock(0)
  /// The requests that wait. One that was cancelled does not.
  private let sent = Lock<[Int: Continuation]>([:])

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    let (stream, continuation) = AsyncThrowingStream<NetworkResponse, any Error>.makeStream()
    let number = count.withLock { count in
      count += 1
      return count
    }
    sent.withLock { $0[number] = continuation }
    continuation.onTermination = { [sent] _ in
      _ = sent.withLock { $0.removeValue(forKey: number) }
    }
    for try await response in stream { return response }
    throw CancellationError()
  }

  /// Returns when a request waits.
  func untilSent() async {
    while sent.withLock({ $0.isEmpty }) { await Task.yield() }
  }

  func respond(_ name: String) async {
    await untilSent()
    let body =
      #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(name)","friends":null}}}"#
    for continuation in sent.exchange([:]).values {
      continuation.yield(NetworkResponse(body: Data(body.utf8)))
      continuation.finish()
    }
  }
}
