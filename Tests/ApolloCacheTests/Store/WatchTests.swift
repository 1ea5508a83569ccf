import ApolloAPI
import ApolloCache
import SeededRandom
import Testing

@Suite struct WatchTests {
  private let store = ApolloStore(
    cache: InMemoryNormalizedCache(records: ["A": ["x": 1, "y": 1], "B": ["x": 1]]))
  private let notes = Notes()

  private func trace(_ addresses: FieldAddress...) -> ReadingTrace {
    ReadingTrace(dependencies: Dependencies(addresses), generation: store.registry.generation)
  }

  private func address(_ record: RecordKey, _ field: FieldKey) -> FieldAddress {
    FieldAddress(record: record, field: field)
  }

  @Test func isNotifiedOfItsDependenciesAndOfNothingElse() async throws {
    let watch = store.watch { [notes] in notes.append($0) }
    #expect(watch.depend(on: trace(address("A", "x"), address("C", "z"))))
    try await store.publish(["A": ["y": 2], "B": ["x": 2]])
    #expect(notes.count == 0)
    try await store.publish(["A": ["x": 1]])
    #expect(notes.count == 0, "An equal value is no change.")
    try await store.publish(["A": ["x": 2, "y": 3]])
    #expect(notes.count == 1)
    try await store.publish(["C": ["z": 1]])
    #expect(notes.count == 2, "A record that was missing has come.")
    try await store.removeObject(for: "A")
    #expect(notes.count == 3)
    try await store.removeObjects(matching: "c")
    #expect(notes.count == 4)
    try await store.removeObject(for: "A")
    #expect(notes.count == 4, "It was gone already.")
    try await store.clearCache()
    #expect(notes.count == 5)
  }

  @Test func isNotifiedOnceForEachWrite() async throws {
    let watch = store.watch { [notes] in notes.append($0) }
    #expect(watch.depend(on: trace(address("A", "x"), address("A", "y"), address("B", "x"))))
    try await store.publish(["A": ["x": 2, "y": 2], "B": ["x": 2]])
    #expect(notes.count == 1)
    #expect(
      notes.last?.changes.addresses == [address("A", "x"), address("A", "y"), address("B", "x")])
  }

  @Test func isNotifiedOfAChangeBetweenReadingAndWatching() async throws {
    let watch = store.watch { [notes] in notes.append($0) }
    let early = trace(address("A", "x"))
    try await store.publish(["B": ["x": 5]])
    #expect(watch.depend(on: early), "Something else changed.")
    try await store.publish(["A": ["x": 5]])
    #expect(!watch.depend(on: early))
    for number in 0..<1_000 { try await store.publish(["B": ["x": .int(Int64(number))]]) }
    #expect(!watch.depend(on: early), "What is forgotten may have been a change.")
  }

  @Test func newDependenciesReplaceTheOldOnes() async throws {
    let watch = store.watch { [notes] in notes.append($0) }
    #expect(watch.depend(on: trace(address("A", "x"))))
    #expect(watch.depend(on: trace(address("B", "x"))))
    try await store.publish(["A": ["x": 7]])
    #expect(notes.count == 0)
    try await store.publish(["B": ["x": 7]])
    #expect(notes.count == 1)
  }

  @Test func endsWithItsLastReferenceAndWithCancel() async throws {
    var watch: StoreWatch? = store.watch { [notes] in notes.append($0) }
    #expect(watch?.depend(on: trace(address("A", "x"))) == true)
    let other = store.subscribe { [notes] in notes.append($0) }
    other.cancel()
    watch = nil
    try await store.publish(["A": ["x": 8]])
    #expect(notes.count == 0)
  }

  @Test func carriesTheOriginOfTheWrite() async throws {
    let origin = ChangeOrigin()
    let subscription = store.subscribe { [notes] in notes.append($0) }
    try await store.publish(["A": ["x": 8]], origin: origin)
    #expect(notes.last?.origin == origin)
    #expect(notes.last?.origin != ChangeOrigin())
    try await store.withinReadWriteTransaction(origin: origin) { try $0.merge(["A": ["x": 9]]) }
    #expect(notes.count == 2)
    #expect(notes.last?.origin == origin)
    try await store.withinReadWriteTransaction { _ in }
    #expect(notes.count == 2, "Nothing was written.")
    withExtendedLifetime(subscription) {}
  }

  @Test func aCallbackMayUseTheStore() async throws {
    let store = store
    let notes = notes
    let box = Lock<StoreWatch?>(nil)
    let watch = store.watch { change in
      notes.append(change)
      box.withLock { $0 }?.cancel()  // of itself
      _ = store.watch { _ in }
    }
    box.withLock { $0 = watch }
    #expect(watch.depend(on: trace(address("A", "x"))))
    try await store.publish(["A": ["x": 8]])
    try await store.publish(["A": ["x": 9]])
    #expect(notes.count == 1)
    box.withLock { $0 = nil }
  }

  /// Each round, exactly those random watches must be notified whose fields differ before and
  /// after.
  @Test func notifiesTheSameWatchesAsAnOracle() async throws {
    var random = SeededGenerator(seed: freshSeed)
    let records = (0..<12).map { RecordKey("R:\($0)") }
    let fields = (0..<8).map { FieldKey("f\($0)") }
    let store = ApolloStore()
    var oracle: [FieldAddress: CacheValue] = [:]
    var notified: [Notes] = []
    var watches: [(watch: StoreWatch, addresses: Set<FieldAddress>)] = []
    for round in 0..<400 {
      if watches.count < 40 || round.isMultiple(of: 5) {
        let notes = Notes()
        let watch = store.watch { notes.append($0) }
        let addresses = Set(
          (0..<Int.random(in: 1...6, using: &random)).map { _ in
            address(records.randomElement(using: &random)!, fields.randomElement(using: &random)!)
          })
        #expect(
          watch.depend(
            on: ReadingTrace(
              dependencies: Dependencies(addresses), generation: store.registry.generation)))
        notified.append(notes)
        watches.append((watch, addresses))
      }
      let before = oracle
      var removed: Set<RecordKey> = []
      if Int.random(in: 0..<6, using: &random) == 0 {
        let key = records.randomElement(using: &random)!
        let existed = try await store.withinReadTransaction { try $0.record(for: key) } != nil
        if existed { removed.insert(key) }
        for field in fields { oracle[address(key, field)] = nil }
        try await store.removeObject(for: key)
      } else {
        var incoming = RecordSet()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          var record = Record(key: records.randomElement(using: &random)!)
          for field in fields where Bool.random(using: &random) {
            record[field] = .int(.random(in: 0..<3, using: &random))
            oracle[address(record.key, field)] = record[field]
          }
          incoming.append(record)
        }
        try await store.publish(incoming)
      }
      for (index, (_, addresses)) in watches.enumerated() {
        let mustBeNotified = addresses.contains { before[$0] != oracle[$0] }
        // A removed record, or a field that one write changes back, may cause a needless
        // notification.
        if mustBeNotified {
          #expect(notified[index].count == 1, "seed \(freshSeed), round \(round)")
        }
        if notified[index].count > 0 && !mustBeNotified {
          #expect(
            notified[index].last.map { note in
              addresses.contains { note.changes.contains($0) || removed.contains($0.record) }
            } == true, "seed \(freshSeed), round \(round)")
        }
        notified[index].removeAll()
      }
    }
  }
}
