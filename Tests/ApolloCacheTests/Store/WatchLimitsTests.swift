import ApolloAPI
import ApolloCache
import Testing

/// Watches at the edges: callbacks that use the store, very many of them, and those that nothing concerns.
@Suite(.timeLimit(.minutes(10)))
struct WatchLimitsTests {
  private func trace(_ store: ApolloStore, _ record: RecordKey, _ field: FieldKey = "x")
    -> ReadingTrace
  {
    ReadingTrace(
      dependencies: Dependencies([FieldAddress(record: record, field: field)]),
      generation: store.board.generation)
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
          generation: store.board.generation))
      kept.withLock { $0.append(inner) }
      store.watch { _ in }.cancel()
      store.publish(records: ["B": ["x": 1]], completion: nil)
    }
    #expect(watch.depend(on: trace(store, "A")))
    try await store.publish(["A": ["x": 1]])
    #expect(await written.first { _ in true } != nil)
    #expect(try await store.withinReadTransaction { try $0.record(for: "B") }?["x"] == 1)
  }

  @Test func everyOneOfTenThousandIsToldAndNobodyElse() async throws {
    let store = ApolloStore()
    let told = Lock(0)
    let watches = (0..<10_000).map { index in
      let watch = store.watch { _ in told.withLock { $0 += 1 } }
      _ = watch.depend(on: trace(store, RecordKey("R:\(index % 100)")))
      return watch
    }
    try await store.publish(["R:7": ["x": 1], "R:8": ["x": 1]])
    #expect(told.withLock { $0 } == 200)
    try await store.publish(["R:7": ["y": 1], "Elsewhere": ["x": 1]])
    #expect(told.withLock { $0 } == 200)
    try await store.clearCache()
    #expect(told.withLock { $0 } == 10_200)
    for watch in watches { watch.cancel() }
    try await store.publish(["R:7": ["x": 2], "R:9": ["x": 2]])
    #expect(told.withLock { $0 } == 10_200)
  }

  /// A callback may own anything, another watch included, which ends with it.
  @Test func aWatchMayEndAnotherOneWithItsCallback() async throws {
    let store = ApolloStore()
    let told = Lock(0)
    var outer: StoreWatch?
    do {
      let inner = store.watch { _ in told.withLock { $0 += 1 } }
      #expect(inner.depend(on: trace(store, "A")))
      outer = store.watch { _ in withExtendedLifetime(inner) {} }
    }
    try await store.publish(["A": ["x": 1]])
    #expect(told.withLock { $0 } == 1)
    outer?.cancel()
    try await store.publish(["A": ["x": 2]])
    #expect(told.withLock { $0 } == 1)
    outer = nil
  }

  /// Watches of one record that ask for the same fields or for others come and go in any order.
  @Test func watchesOfOneRecordComeAndGo() async throws {
    let store = ApolloStore()
    let told = Lock<[Int: Int]>([:])
    var watches = (0..<300).map { index in
      let watch = store.watch { _ in told.withLock { $0[index, default: 0] += 1 } }
      _ = watch.depend(on: trace(store, "A", ["x", "y", "z"][index % 3]))
      return watch
    }
    try await store.publish(["A": ["x": 1, "y": 1]])
    #expect(Set(told.withLock { $0.keys }) == Set((0..<300).filter { $0 % 3 != 2 }))
    for watch in watches.prefix(200) { watch.cancel() }
    told.withLock { $0 = [:] }
    try await store.publish(["A": ["x": 2, "z": 2]])
    #expect(Set(told.withLock { $0.keys }) == Set((200..<300).filter { $0 % 3 != 1 }))
    watches.removeLast(99)
    told.withLock { $0 = [:] }
    try await store.publish(["A": ["z": 3]])
    #expect(told.withLock { $0 } == [200: 1])
    withExtendedLifetime(watches) {}
  }

  @Test func watchesThatAnswerEachOtherComeToRest() async throws {
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
