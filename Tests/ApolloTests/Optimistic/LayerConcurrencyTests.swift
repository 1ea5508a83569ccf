import Apollo
import ApolloAPI
import ApolloCache
import Testing

/// Layers that many tasks show, settle and remove while others read.
@Suite(.timeLimit(.minutes(10)))
struct LayerConcurrencyTests {
  private static let keys: [RecordKey] = ["Pair:1", "Pair:2"]

  /// Both records with the same number.
  private static func pair(_ number: Int) -> RecordSet {
    RecordSet(keys.map { Record(key: $0, fields: ["number": .int(Int64(number))]) })
  }

  /// Every write and every layer changes both records, so each reading must find them equal.
  @Test(arguments: CacheKind.allCases)
  func readersSeeAllOfAChangeOrNothing(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await store.publish(Self.pair(0))
    let isDone = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !isDone.get() {
            let numbers = try await store.withinReadTransaction { transaction in
              try Self.keys.map { try transaction.record(for: $0)?["number"] }
            }
            #expect(numbers[0] == numbers[1])
            await Task.yield()
          }
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for writer in 1...4 {
          writers.addTask { try await Self.change(store, from: writer * 1_000) }
        }
        try await writers.waitForAll()
      }
      isDone.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(store.layers.isIdle)
    let kept = try cache.loadRecords(forKeys: Set(Self.keys))
    #expect(kept["Pair:1"]?["number"] == kept["Pair:2"]?["number"])
    withExtendedLifetime(owner) {}
  }

  private static func change(_ store: ApolloStore, from start: Int) async throws {
    for number in start..<start + 40 {
      let layer = store.layers.reserve()
      try await store.showLayer(layer) { try $0.merge(pair(number)) }
      if number.isMultiple(of: 5) { try await store.publish(pair(number + 500)) }
      if number.isMultiple(of: 3) {
        await store.removeLayer(layer)
      } else {
        try await store.publish(
          NormalizedResponse(records: pair(number)), at: .layer(layer))
      }
    }
  }

  @Test(arguments: CacheKind.allCases)
  func aCallThatIsCancelledAtAnyMomentLeavesNothing(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await store.publish(Self.pair(0))
    await withTaskGroup(of: Void.self) { group in
      for number in 1...40 {
        group.addTask {
          let layer = store.layers.reserve()
          let call = Task {
            do { try await store.showLayer(layer) { try $0.merge(Self.pair(number)) } } catch {
              #expect(error is CancellationError)
            }
            await store.removeLayer(layer)
          }
          if number.isMultiple(of: 2) { await Task.yield() }
          call.cancel()
          await call.value
        }
      }
    }
    #expect(store.layers.isIdle)
    let read = try await store.readOnlyCache.loadRecords(forKeys: Set(Self.keys))
    #expect(read.values.allSatisfy { $0["number"] == 0 })
    withExtendedLifetime(owner) {}
  }
}
