import ApolloAPI
import ApolloCache
import Dispatch
import TestOperations
import Testing

/// The calls with callbacks do what the `async` ones do, in the order in which they are made.
@Suite(.timeLimit(.minutes(10)))
struct StoreCallbackTests {
  private let store = ApolloStore()

  private struct Failure: Error {}

  /// Makes a call, and waits for its callback.
  private func result<Value: Sendable>(
    _ call: (@escaping StoreCompletion<Value>) -> Void
  ) async -> Result<Value, any Error> {
    await withCheckedContinuation { done in
      call { done.resume(returning: $0) }
    }
  }

  @Test func aTransactionReturnsTheResultOfItsBody() async throws {
    let written = await result {
      store.withinReadWriteTransaction(
        { transaction in
          try transaction.merge(["A": ["n": 1]])
          return "written"
        }, completion: $0)
    }
    #expect(try written.get() == "written")
    let read = await result { done in
      store.withinReadTransaction({ try $0.record(for: "A")?["n"] }, completion: done)
    }
    #expect(try read.get() == 1)
  }

  @Test func aTransactionThatThrowsLeavesNothing() async throws {
    let written = await result {
      store.withinReadWriteTransaction(
        { transaction in
          try transaction.merge(["A": ["n": 1]])
          throw Failure()
        }, completion: $0)
    }
    #expect(throws: Failure.self) { try written.get() }
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") } == nil)
  }

  /// Counts on from the number before, without waiting.
  private func count(to number: Int64) {
    store.withinReadWriteTransaction(
      { transaction in
        guard try transaction.record(for: "A")?["n"] ?? 0 == .int(number - 1) else {
          throw Failure()
        }
        try transaction.merge(["A": ["n": .int(number)]])
      }, completion: nil)
  }

  @Test func callsTakeEffectInTheirOrder() async throws {
    for number in 1...200 { count(to: Int64(number)) }
    let read = await result { done in
      store.withinReadTransaction({ try $0.record(for: "A")?["n"] }, completion: done)
    }
    #expect(try read.get() == 200)
  }

  @Test func callsBackOnTheQueueThatItIsGiven() async {
    let queue = DispatchQueue(label: "tests")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let isThere = await withCheckedContinuation { done in
      store.clearCache(callbackQueue: queue) { _ in
        done.resume(returning: DispatchQueue.getSpecific(key: key))
      }
    }
    #expect(isThere == true)
  }

  @Test func aCallFromInsideOfATransactionWaitsForItsEnd() async throws {
    let (later, continuation) = AsyncStream<CacheValue?>.makeStream()
    try await store.withinReadWriteTransaction { transaction in
      store.withinReadWriteTransaction(
        { inner in
          let seen = try inner.record(for: "A")?["n"]
          try inner.merge(["A": ["n": 2]])
          return seen
        }, completion: { continuation.yield(try? $0.get()) })
      try transaction.merge(["A": ["n": 1]])
    }
    #expect(await later.first { _ in true } == .some(1))
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 2)
  }

  /// The call waits for the end of the transaction, and the clearing would wait for the call.
  @Test func aClearingInsideOfATransactionIsRefusedAlsoAfterACall() async throws {
    try await store.withinReadWriteTransaction { _ in
      store.publish(records: ["A": ["n": 1]], completion: nil)
      await #expect(throws: StoreError.reentrantTransaction) { try await store.clearCache() }
    }
    let kept = await result { done in
      store.withinReadTransaction({ try $0.record(for: "A")?["n"] }, completion: done)
    }
    #expect(try kept.get() == 1)
  }

  @Test func aClearingThatWaitsForCallsCanBeCancelled() async throws {
    let (later, continuation) = AsyncStream<CacheValue?>.makeStream()
    try await store.withinReadWriteTransaction { _ in
      store.withinReadWriteTransaction(
        { inner in
          try inner.merge(["A": ["n": 1]])
          return try inner.record(for: "A")?["n"]
        }, completion: { continuation.yield(try? $0.get()) })
      // Detached, because a part of the transaction would be refused.
      let clearing = Task.detached { [store] in try await store.clearCache() }
      clearing.cancel()
      await #expect(throws: CancellationError.self) { try await clearing.value }
    }
    #expect(await later.first { _ in true } == .some(1))
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 1)
  }

  @Test func loadingReturnsDataOrItsMisses() async throws {
    let query = HeroAPI.HeroQuery()
    let miss = await result { store.load(query, resultHandler: $0) }
    let error = #expect(throws: CacheMissError.self) { try miss.get() }
    #expect(error?.misses.map(\.code) == [.noRecord])
    let published = await result {
      store.publish(records: ["QUERY_ROOT": ["hero": .null]], completion: $0)
    }
    #expect(try published.get().records == ["QUERY_ROOT"])
    let hit = await result { store.load(query, resultHandler: $0) }
    #expect(try hit.get().data != nil)
    #expect(try hit.get().source == .cache)
  }

  @Test func anErrorOfTheCacheReachesTheCallback() async {
    let cache = DictionaryCache([:])
    cache.fails = true
    let store = ApolloStore(cache: cache)
    let outcomes = [
      await result { store.clearCache(completion: $0) },
      await result { done in store.publish(records: ["A": [:]]) { done($0.map { _ in }) } },
      await result { done in
        store.withinReadTransaction({ _ = try $0.record(for: "A") }, completion: done)
      },
    ]
    for outcome in outcomes { #expect(throws: DictionaryCache.Failure.self) { try outcome.get() } }
  }
}
