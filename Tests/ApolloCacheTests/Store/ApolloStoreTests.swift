import ApolloCache
import Testing

@Suite(.timeLimit(.minutes(10))) struct ApolloStoreTests {
  private struct Failure: Error {}

  /// Both kinds of caches that a store must serve: one that gives snapshots, and one of a user that
  /// has the least.
  static let makers: [@Sendable (RecordSet) -> any NormalizedCache] = [
    { InMemoryNormalizedCache(records: $0) }, { DictionaryCache($0) },
  ]

  @Test(arguments: makers)
  func aTransactionReadsItsOwnWrites(_ make: @Sendable (RecordSet) -> any NormalizedCache)
    async throws
  {
    let store = ApolloStore(
      cache: make([
        "Hero:1": ["name": "Luke"], "Hero:2": ["name": "Leia"], "Ship:1": ["name": "Falcon"],
      ]))
    try await store.withinReadWriteTransaction { transaction in
      try transaction.merge(["Hero:1": ["age": 19]])
      #expect(
        try transaction.record(for: "Hero:1")
          == Record(key: "Hero:1", fields: ["name": "Luke", "age": 19]))
      try transaction.removeObjects(matching: "hero")
      #expect(try transaction.record(for: "Hero:1") == nil)
      #expect(try transaction.record(for: "Hero:2") == nil)
      try transaction.merge(["Hero:2": ["age": 20]])
      #expect(try transaction.record(for: "Hero:2")?.fields == ["age": 20])
      try transaction.removeObject(for: "Ship:1")
      #expect(try transaction.record(for: "Ship:1") == nil)
    }
    try await store.withinReadTransaction { transaction throws in
      #expect(try transaction.record(for: "Hero:1") == nil)
      #expect(try transaction.record(for: "Hero:2")?.fields == ["age": 20])
      #expect(try transaction.record(for: "Ship:1") == nil)
    }
    try await store.withinReadWriteTransaction { transaction in
      try transaction.clear()
      #expect(try transaction.record(for: "Hero:2") == nil)
      try transaction.merge(["Hero:3": [:]])
    }
    try await store.withinReadTransaction { transaction throws in
      #expect(try transaction.record(for: "Hero:2") == nil)
      #expect(try transaction.record(for: "Hero:3") != nil)
    }
  }

  @Test(arguments: makers)
  func aTransactionThatThrowsLeavesNothing(_ make: @Sendable (RecordSet) -> any NormalizedCache)
    async throws
  {
    let store = ApolloStore(cache: make(["Hero:1": ["name": "Luke"]]))
    let notes = Notes()
    let subscription = store.subscribe { notes.append($0) }
    await #expect(throws: Failure.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["Hero:1": ["name": "Vader"]])
        try transaction.clear()
        throw Failure()
      }
    }
    let record = try await store.withinReadTransaction { try $0.record(for: "Hero:1") }
    #expect(record?["name"] == "Luke")
    #expect(notes.count == 0)
    try await store.publish(["Hero:1": ["name": "Vader"]])  // the writer's place is free again
    #expect(notes.count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: makers)
  func aTransactionInsideATransactionIsAnError(_ make: @Sendable (RecordSet) -> any NormalizedCache)
    async throws
  {
    let store = ApolloStore(cache: make([:]))
    let other = ApolloStore()
    let bodies: [@Sendable () async throws -> Void] = [
      { try await store.withinReadWriteTransaction { _ in } },
      { try await store.withinReadTransaction { _ in } },
      { _ = try await store.publish([:]) },
      { try await store.clearCache() },
      { try await other.withinReadWriteTransaction { _ in _ = try await store.publish([:]) } },
    ]
    for body in bodies {
      try await store.withinReadWriteTransaction { _ in
        await #expect(throws: StoreError.reentrantTransaction) { try await body() }
        try await other.publish(["Hero:1": [:]])
      }
      try await store.withinReadTransaction { _ in
        _ = await #expect(throws: StoreError.reentrantTransaction) { try await body() }
      }
    }
  }

  @Test func aTaskThatOutlivesItsTransactionMayBeginAnother() async throws {
    let store = ApolloStore()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let task = try await store.withinReadWriteTransaction { _ in
      Task {
        for await _ in gate { break }
        try await store.publish(["Hero:1": ["name": "Luke"]])
      }
    }
    opener.yield()
    try await task.value
    #expect(try await store.withinReadTransaction { try $0.record(for: "Hero:1") } != nil)
  }

  @Test func aTaskThatABodyStartsMayAlwaysRead() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(records: ["Hero:1": ["name": "Luke"]]))
    for _ in 0..<200 {
      let task = try await store.withinReadWriteTransaction { transaction in
        try transaction.merge(["Hero:2": ["name": "Leia"]])
        let before = Task { try await store.load(LibraryQuery<Scores>()).misses.count }
        #expect(try await before.value == 1, "A body may even wait for it.")
        await #expect(throws: StoreError.reentrantTransaction) {
          try await store.load(LibraryQuery<Scores>())
        }
        return Task {
          try await store.withinReadTransaction { try $0.record(for: "Hero:1") }
        }
      }
      #expect(try await task.value?["name"] == "Luke")
    }
  }

  @Test func aTransactionCannotBeUsedAfterItsEnd() async throws {
    let store = ApolloStore()
    var reading: ReadTransaction?
    var writing: ReadWriteTransaction?
    try await store.withinReadTransaction { reading = $0 }
    try await store.withinReadWriteTransaction { writing = $0 }
    #expect(throws: StoreError.transactionEnded) { try reading?.record(for: "Hero:1") }
    #expect(throws: StoreError.transactionEnded) { try writing?.record(for: "Hero:1") }
    #expect(throws: StoreError.transactionEnded) { try writing?.merge([:]) }
    #expect(throws: StoreError.transactionEnded) { try writing?.clear() }
  }

  @Test func aReaderDoesNotSeeAWriteThatComesWhileItReads() async throws {
    let store = ApolloStore(
      cache: InMemoryNormalizedCache(records: ["A": ["n": 1], "B": ["n": 1]]))
    try await store.withinReadTransaction { transaction in
      let before = try transaction.record(for: "A")
      try await Task.detached { _ = try await store.publish(["A": ["n": 2], "B": ["n": 2]]) }.value
      #expect(try transaction.record(for: "A") == before)
      #expect(try transaction.record(for: "B")?["n"] == 1)
    }
    #expect(try await store.withinReadTransaction { try $0.record(for: "B") }?["n"] == 2)
  }

  @Test func anErrorOfTheCacheReachesTheWriterAndAdmitsTheNext() async throws {
    let cache = DictionaryCache([:])
    let store = ApolloStore(cache: cache)
    cache.fails = true
    await #expect(throws: DictionaryCache.Failure.self) { _ = try await store.publish(["A": [:]]) }
    await #expect(throws: DictionaryCache.Failure.self) {
      try await store.withinReadTransaction { try $0.record(for: "A") }
    }
    await #expect(throws: DictionaryCache.Failure.self) {
      try await store.withinReadWriteTransaction { try $0.merge(["A": [:]]) }
    }
    cache.fails = false
    try await store.publish(["A": ["n": 1]])
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") }?["n"] == 1)
  }

  @Test func writersComeOneAfterTheOther() async throws {
    let store = ApolloStore(cache: DictionaryCache(["Counter": ["n": 0]]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await store.withinReadWriteTransaction { transaction in
            guard case .int(let count)? = try transaction.record(for: "Counter")?["n"] else {
              throw Failure()
            }
            await Task.yield()
            try transaction.merge(["Counter": ["n": .int(count + 1)]])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.withinReadTransaction { try $0.record(for: "Counter") }?["n"] == 200)
  }

  @Test func aWriterThatIsCancelledWhileItWaitsLeavesTheLine() async throws {
    let store = ApolloStore()
    try await store.withinReadWriteTransaction { _ in
      let waiting = Task.detached { _ = try await store.publish(["A": ["n": 1]]) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    try await store.publish(["B": ["n": 1]])
    #expect(try await store.withinReadTransaction { try $0.record(for: "A") } == nil)
  }
}
