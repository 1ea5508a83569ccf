import ApolloAPI
import ApolloCache
import Testing

/// Watches in extreme cases: callbacks that use the store, ten thousand watches, and watches that
/// no change concerns.
@Suite(.timeLimit(.minutes(10)))
struct WatchLimitsTests {
  private func trace(_ store: ApolloStore, _ record: RecordKey, _ field: FieldKey = "x")
    -> ReadingTrace
  {
    ReadingTrace(
      dependencies: Dependencies([FieldAddress(record: record, field: field)]),
      generation: store.registry.generation)
  }

  @Test func aCallbackMayWriteWatchAndCancel() async throws {
    let store = ApolloStore()
    let (written, continuation) = AsyncStream<Void>.makeStream()
    let kept = Lock<[StoreWatch]>([])
    let watch = store.watch { _ in
      // Nothing is locked, so all of this goes through at once.
      let inner = store.watch { _ in continuation.yield() }
      _ = inner.depend(
        on: ReadingTrace(
          dependencies: Dependencies([FieldAddress(record: "B", field: "x")]),
          generation: store.registry.generation))
      kept.withLock { $0.append(inner) }
      store.watch { _ in }.cancel()
      store.publish(records: ["B": ["x": 1]], completion: nil)
    }
    #expect(watch.depend(on: trace(store, "A")))
    try await store.publish(["A": ["x": 1]])
    #expect(await written.first { _ in true } != nil)
    #expect(try await store.withinReadTransaction { try $0.record(for: "B") }?["x"] == 1)
  }

  @Test func notifiesTenThousandWatchesAndNoOthers() async throws {
    let store = ApolloStore()
    let notified = Lock(0)
    let watches = (0..<10_000).map { index in
      let watch = store.watch { _ in notified.withLock { $0 += 1 } }
      _ = watch.depend(on: trace(store, RecordKey("R:\(index % 100)")))
      return watch
    }
    try await store.publish(["R:7": ["x": 1], "R:8": ["x": 1]])
    #expect(notified.withLock { $0 } == 200)
    try await store.publish(["R:7": ["y": 1], "Elsewhere": ["x": 1]])
    #expect(notified.withLock { $0 } == 200)
    try await store.clearCache()
    #expect(notified.withLock { $0 } == 10_200)
    for watch in watches { watch.cancel() }
    try await store.publish(["R:7": ["x": 2], "R:9": ["x": 2]])
    #expect(notified.withLock { $0 } == 10_200)
  }

  /// A callback may own anything, another watch included, which ends with it.
  @Test func aWatchMayEndAnotherOneWithItsCallback() async throws {
    let store = ApolloStore()
    let notified = Lock(0)
    var outer: StoreWatch?
    do {
      let inner = store.watch { _ in notified.withLock { $0 += 1 } }
      #expect(inner.depend(on: trace(store, "A")))
      outer = store.watch { _ in withExtendedLifetime(inner) {} }
    }
    try await store.publish(["A": ["x": 1]])
    #expect(notified.withLock { $0 } == 1)
    outer?.cancel()
    try await store.publish(["A": ["x": 2]])
    #expect(notified.withLock { $0 } == 1)
    outer = nil
  }

  /// Watches of one record that ask for the same fields or for others come and go in any order.
  @Test func watchesOfOneRecordComeAndGo() async throws {
    let store = ApolloStore()
    let notified = Lock<[Int: Int]>([:])
    var watches = (0..<300).map { index in
      let watch = store.watch { _ in notified.withLock { $0[index, default: 0] += 1 } }
      _ = watch.depend(on: trace(store, "A", ["x", "y", "z"][index % 3]))
      return watch
    }
    try await store.publish(["A": ["x": 1, "y": 1]])
    #expect(Set(notified.withLock { $0.keys }) == Set((0..<300).filter { $0 % 3 != 2 }))
    for watch in watches.prefix(200) { watch.cancel() }
    notified.withLock { $0 = [:] }
    try await store.publish(["A": ["x": 2, "z": 2]])
    #expect(Set(notified.withLock { $0.keys }) == Set((200..<300).filter { $0 % 3 != 1 }))
    watches.removeLast(99)
    notified.withLock { $0 = [:] }
    try await store.publish(["A": ["z": 3]])
    #expect(notified.withLock { $0 } == [200: 1])
    withExtendedLifetime(watches) {}
  }

  /// Each watch depends on another field of a root. The concerned ones are found by field.
  @Test func notifiesTheWatchesOfOneRecordAboutTheirOwnFields() async throws {
    let store = ApolloStore()
    let notified = Lock<[Int: Int]>([:])
    func field(_ number: Int) -> FieldKey { FieldKey("hero(id:\(number))") }
    var watches = (0..<200).map { index in
      let watch = store.watch { _ in notified.withLock { $0[index, default: 0] += 1 } }
      let addresses = [field(index), field(index + 1)].map {
        FieldAddress(record: .queryRoot, field: $0)
      }
      _ = watch.depend(
        on: ReadingTrace(
          dependencies: Dependencies(addresses), generation: store.registry.generation))
      return watch
    }
    func tell(_ numbers: [Int], _ value: CacheValue) async throws -> [Int: Int] {
      notified.withLock { $0 = [:] }
      try await store.publish(
        RecordSet([
          Record(key: .queryRoot, fields: FieldMap(numbers.map { (field($0), value) }))
        ]))
      return notified.withLock { $0 }
    }
    #expect(try await tell([7], 1) == [6: 1, 7: 1])
    #expect(try await tell([7, 8, 1_000], 2) == [6: 1, 7: 1, 8: 1])
    watches.removeSubrange(7..<200)
    #expect(try await tell([7, 8], 3) == [6: 1])
    // More fields than a shape can have.
    let once = Dictionary(uniqueKeysWithValues: (0..<7).map { ($0, 1) })
    #expect(try await tell(Array(0..<100), 4) == once)
    watches = []
    #expect(try await tell([1], 5) == [:])
  }

  @Test func watchesThatWriteInTurnComeToRest() async throws {
    let store = ApolloStore()
    let (rest, continuation) = AsyncStream<Int64>.makeStream()
    // Each writes one more than the other has, up to ten.
    func follow(_ from: RecordKey, _ to: RecordKey) -> StoreWatch {
      let watch = store.watch { _ in
        store.withinReadWriteTransaction(
          { transaction -> Int64 in
            guard case .int(let number)? = try transaction.record(for: from)?["x"] else { return 0 }
            if number < 10 { try transaction.merge([to: ["x": .int(number + 1)]]) }
            return number
          }, completion: { if case .success(10) = $0 { continuation.yield(10) } })
      }
      _ = watch.depend(on: trace(store, from))
      return watch
    }
    let watches = [follow("A", "B"), follow("B", "A")]
    try await store.publish(["A": ["x": 1]])
    #expect(await rest.first { _ in true } == 10)
    withExtendedLifetime(watches) {}
  }
}
