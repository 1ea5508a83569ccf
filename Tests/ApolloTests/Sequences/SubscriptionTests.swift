import Apollo
import ApolloAPI
import ApolloCache
import Dispatch
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Subscriptions, on a transport that scripts their events.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionTests {
  private let subscription = HeroAPI.HeroChangedSubscription()

  private func names(
    _ responses: GraphQLResponses<HeroAPI.HeroChangedSubscription>
  ) async throws -> [String?] {
    var names: [String?] = []
    for try await response in responses { names.append(response.data?.heroChanged?.name) }
    return names
  }

  @Test func eventsArriveInOrderUntilTheServerCompletes() async throws {
    let transport = StreamingTransport { _ in ["A", "B", "C"].map { .response($0) } }
    let client = ApolloClient(networkTransport: transport)
    #expect(try await names(client.subscribe(subscription: subscription)) == ["A", "B", "C"])
  }

  /// The cache keeps the objects of events, and the memory of the store keeps the latest event.
  @Test func theCacheKeepsTheLatestOfAThousandEvents() async throws {
    let cache = UsersOwnCache()
    let transport = StreamingTransport { _ in (1...1_000).map { .response("\($0)") } }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    #expect(try await names(client.subscribe(subscription: subscription)).count == 1_000)
    #expect(cache.keys == ["Hero:1"])
    let cached = try await client.store.load(subscription)
    #expect(cached.data?.heroChanged?.name == "1000")
  }

  /// The layer hides the object of the event, and the cache still has it.
  @Test func theLatestEventOutlivesAnOptimisticRemoval() async throws {
    let transport = StreamingTransport { _ in [.response("A")] }
    let client = ApolloClient(networkTransport: transport)
    #expect(try await names(client.subscribe(subscription: subscription)) == ["A"])
    let store = client.store
    let layer = store.layers.reserve()
    try await store.showLayer(layer) { try $0.removeObjects(matching: "Hero") }
    let hidden = try await store.load(subscription)
    #expect(hidden.data == nil)
    await store.removeLayer(layer)
    let cached = try await store.load(subscription)
    #expect(cached.data?.heroChanged?.name == "A")
    try await store.clearCache()
    let cleared = try await store.load(subscription)
    #expect(cleared.data == nil)
  }

  @Test func nothingIsSentBeforeTheFirstEventIsAwaited() async throws {
    let transport = StreamingTransport { _ in [.response("A")] }
    let responses = ApolloClient(networkTransport: transport).subscribe(subscription: subscription)
    var iterator = responses.makeAsyncIterator()
    #expect(transport.callCount == 0)
    _ = try await iterator.next()
    #expect(transport.callCount == 1)
  }

  @Test func theNextEventIsReadWhenItIsAwaited() async throws {
    let transport = StreamingTransport { _ in ["A", "B"].map { .response($0) } }
    let client = ApolloClient(networkTransport: transport)
    var iterator = client.subscribe(subscription: subscription).makeAsyncIterator()
    _ = try await iterator.next()
    #expect(transport.readCount == 1)
    _ = try await iterator.next()
    #expect(transport.readCount == 2)
  }

  @Test func eachIterationIsACallOfItsOwn() async throws {
    let transport = StreamingTransport { call in [.response("\(call)")] }
    let client = ApolloClient(networkTransport: transport)
    let responses = client.subscribe(subscription: subscription, cachePolicy: .networkOnly)
    #expect(try await names(responses) == ["0"])
    #expect(try await names(responses) == ["1"])
  }

  @Test func afterAFailureTheSequenceHasEnded() async throws {
    let transport = StreamingTransport { _ in
      [.response("A"), .failure(StreamingTransport.Failure()), .response("B")]
    }
    let client = ApolloClient(networkTransport: transport)
    var iterator = client.subscribe(subscription: subscription).makeAsyncIterator()
    _ = try await iterator.next()
    await #expect(throws: StreamingTransport.Failure.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(transport.readCount == 2)
  }

  @Test func releasingTheIteratorReleasesTheCall() async throws {
    let transport = StreamingTransport { _ in ["A", "B"].map { .response($0) } }
    let client = ApolloClient(networkTransport: transport)
    for try await _ in client.subscribe(subscription: subscription) { break }
    #expect(transport.openCount == 0)
  }

  @Test func cancellingTheTaskEndsTheSubscription() async throws {
    let transport = StreamingTransport { _ in [.response("A"), .silence] }
    let client = ApolloClient(networkTransport: transport)
    let isSubscribed = Signal()
    let task = Task {
      for try await _ in client.subscribe(subscription: subscription) { isSubscribed.fire() }
    }
    await isSubscribed.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.openCount == 0)
  }

  @Test func eventsAreInTheCacheWhenTheyAreDelivered() async throws {
    let transport = StreamingTransport { _ in ["A", "B"].map { .response($0) } }
    let client = ApolloClient(networkTransport: transport)
    for try await event in client.subscribe(subscription: subscription) {
      let record = try await client.store.withinReadTransaction { try $0.record(for: "Hero:1") }
      #expect(record?["name"] == event.data?.heroChanged.map { .string($0.name) })
    }
  }

  @Test(arguments: [
    (CachePolicy.Subscription.cacheThenNetwork, [ResultSource.cache, .server]),
    (.networkOnly, [.server]),
  ])
  func thePolicyDecidesWhetherTheCacheIsRead(
    policy: CachePolicy.Subscription, sources: [ResultSource]
  ) async throws {
    let transport = StreamingTransport { _ in [.response("A")] }
    let client = ApolloClient(networkTransport: transport)
    for try await _ in client.subscribe(subscription: subscription) {}
    var received: [ResultSource] = []
    for try await event in client.subscribe(subscription: subscription, cachePolicy: policy) {
      received.append(event.source)
    }
    #expect(received == sources)
  }

  @Test(
    arguments: [
      ["Hero.name": .seconds(60)], ["Subscription.heroChanged": .seconds(60)],
    ] as [MaxAges])
  func theLatestEventIsReadUntilItHasExpired(maxAges: MaxAges) async throws {
    let time = Lock(0.0)
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = maxAges
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000 + time.get()) }
    let transport = StreamingTransport { _ in [.response("A")] }
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(configuration: configuration))
    for try await _ in client.subscribe(subscription: subscription) {}
    time.withLock { $0 = 59 }
    let fresh = try await client.store.load(subscription)
    #expect(fresh.data != nil)
    #expect(fresh.freshness?.age == .seconds(59))
    #expect(fresh.freshness?.earliestExpiry == Date(timeIntervalSince1970: 1_060))
    time.withLock { $0 = 60 }
    #expect(try await client.store.load(subscription).misses.first?.code == .expired)
    let stale = try await client.store.load(subscription, ttlEnforcement: .permissive)
    #expect(stale.data != nil && stale.freshness?.containsStaleFields == true)
    var sources: [ResultSource] = []
    for try await event in client.subscribe(subscription: subscription) {
      sources.append(event.source)
    }
    #expect(sources == [.server])
  }

  @Test func aTransportWithoutSubscriptionsIsNamed() async throws {
    let client = ApolloClient(networkTransport: ScriptedTransport { _, _ in "{}" })
    let error = await #expect(throws: ApolloClientError.self) {
      try await names(client.subscribe(subscription: subscription))
    }
    #expect(error?.code == .noSubscriptionTransport)
    #expect(error?.transportName == "ScriptedTransport")
  }

  // MARK: Callbacks

  /// Returns a handler, and what it receives until it receives an error.
  private func results() -> (
    AsyncStream<String>, GraphQLResultHandler<HeroAPI.HeroChangedSubscription.Data>
  ) {
    let (results, continuation) = AsyncStream<String>.makeStream()
    return (
      results,
      { result in
        switch result {
        case .success(let event): continuation.yield(event.data?.heroChanged?.name ?? "nothing")
        case .failure(let error):
          continuation.yield("\(type(of: error))")
          continuation.finish()
        }
      }
    )
  }

  @Test func aHandlerReceivesEachEventAndTheFailure() async throws {
    let transport = StreamingTransport { _ in
      [.response("A"), .response("B"), .failure(StreamingTransport.Failure())]
    }
    let client = ApolloClient(networkTransport: transport)
    let (results, handler) = results()
    _ = client.subscribe(subscription: subscription, queue: .global(), resultHandler: handler)
    #expect(await results.reduce(into: []) { $0.append($1) } == ["A", "B", "Failure"])
  }

  @Test func theNextEventIsReadWhenTheHandlerHasReturned() async throws {
    let transport = StreamingTransport { _ in ["A", "B"].map { .response($0) } + [.silence] }
    let client = ApolloClient(networkTransport: transport)
    let (reads, continuation) = AsyncStream<Int>.makeStream()
    let call = client.subscribe(subscription: subscription, queue: .global()) { _ in
      continuation.yield(transport.readCount)
    }
    var iterator = reads.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    call.cancel()
  }

  @Test func aCancelledSubscriptionDeliversOneCancellationError() async throws {
    let transport = StreamingTransport { _ in [.response("A"), .silence] }
    let client = ApolloClient(networkTransport: transport)
    let (results, handler) = results()
    let call = client.subscribe(
      subscription: subscription, queue: .global(), resultHandler: handler)
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == "A")
    call.cancel()
    #expect(await iterator.next() == "CancellationError")
    #expect(await iterator.next() == nil)
  }

  @Test func anEventThatWaitsForItsQueueIsNotDeliveredAfterTheCancellation() async throws {
    let transport = StreamingTransport { _ in [.response("A"), .silence] }
    let client = ApolloClient(networkTransport: transport)
    let queue = DispatchQueue(label: "results")
    queue.suspend()
    let (results, handler) = results()
    let call = client.subscribe(
      subscription: subscription, queue: queue, resultHandler: handler)
    await until { transport.readCount == 1 }
    call.cancel()
    queue.resume()
    #expect(await results.reduce(into: []) { $0.append($1) } == ["CancellationError"])
  }
}
