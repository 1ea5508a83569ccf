import ApolloAPI
import ApolloCache
import SeededRandom
import TestOperations
import Testing

/// The layers of mutations that wait to be sent.
@Suite(.timeLimit(.minutes(10)))
struct WaitingLayerTests {
  /// A closure that sets the name of the record `R`.
  private func naming(_ name: String) -> OptimisticUpdate {
    { try $0.merge(["R": ["name": .string(name)]]) }
  }

  @Test func theyAreAboveAllOthersInTheOrderOfTheirNumbers() {
    var stack = LayerStack()
    stack.showWaiting(7, naming("7"))
    stack.showWaiting(3, naming("3"))
    let sent = stack.reserve()
    stack.showWaiting(5, naming("5"))
    let later = stack.reserve()
    #expect(
      stack.layers.map(\.id) == [sent, later] + [3, 5, 7].map { LayerID(waiting: $0) })
    #expect(stack.latest == later)
  }

  @Test func aSentOneMovesBelowThoseThatWait() {
    var stack = LayerStack()
    for number: Int64 in [1, 2, 3] { stack.showWaiting(number, naming("\(number)")) }
    let sent = stack.beginSending(2, naming("2"))
    #expect(stack.layers.map(\.id) == [sent] + [1, 3].map { LayerID(waiting: $0) })
  }

  @Test func aResponseIsCommittedAlthoughOthersWait() {
    var stack = LayerStack()
    stack.showWaiting(1, naming("1"))
    let sent = stack.beginSending(2, naming("2"))
    stack.set(sent, to: .settled(SettledResponse(RecordSet())))
    #expect(stack.takeFirstSettled() != nil)
    #expect(stack.layers.map(\.id) == [LayerID(waiting: 1)])
  }

  @Test func theyCanBeRemovedTogether() {
    var stack = LayerStack()
    stack.showWaiting(1, naming("1"))
    let sent = stack.reserve()
    stack.showWaiting(2, naming("2"))
    #expect(stack.removeWaiting(of: 0).map(\.id) == [1, 2].map { LayerID(waiting: $0) })
    #expect(stack.layers.map(\.id) == [sent])
  }

  @Test func twoQueuesHaveLayersOfTheirOwn() {
    var stack = LayerStack()
    let (first, second) = (stack.addQueue(), stack.addQueue())
    stack.showWaiting(first + 1, naming("1"))
    stack.showWaiting(second + 1, naming("other"))
    stack.showWaiting(first + 2, naming("2"))
    let own = [1, 2].map { LayerID(waiting: first + $0) }
    #expect(stack.layers.map(\.id) == own + [LayerID(waiting: second + 1)])
    #expect(stack.removeWaiting(of: first).map(\.id) == own)
    #expect(stack.layers.map(\.id) == [LayerID(waiting: second + 1)])
  }

  @Test func clearingTheCacheKeepsThem() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    store.restoreWaitingLayers([(1, naming("sent")), (2, naming("waiting"))])
    let sent = try await store.beginSending(1, naming("sent"))
    _ = store.layers.reserve()
    try await store.clearCache()
    #expect(store.layers.stack.layers.map(\.id) == [sent, LayerID(waiting: 2)])
  }

  @Test func clearingTheCacheRemovesAResponseThatWaits() {
    var stack = LayerStack()
    stack.showWaiting(1, naming("1"))
    let older = stack.reserve()
    let sent = stack.beginSending(1, naming("1"))
    stack.set(sent, to: .settled(SettledResponse(RecordSet())))
    #expect(stack.removeAll().map(\.id) == [older, sent])
  }

  /// A new store computes all layers, and one that has followed each change only a few.
  @Test func manyLayersThatComeAndGoShowWhatTheyWouldShowTogether() async throws {
    let (store, cache) = (ApolloStore(cache: InMemoryNormalizedCache()), InMemoryNormalizedCache())
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    var waiting: [Int64: OptimisticUpdate] = [:]
    var sent: [(id: LayerID, update: OptimisticUpdate)] = []
    let keys: [RecordKey] = ["R:0", "R:1", "R:2", "R:3", "R:4", "R:5"]
    func update(_ number: Int64, _ random: inout SeededGenerator) -> OptimisticUpdate {
      let (key, other) = (keys.randomElement(using: &random)!, keys.randomElement(using: &random)!)
      return { transaction in
        // Depends on what is below.
        let seen = try transaction.record(for: other)?.fields["name"] ?? "none"
        try transaction.merge([key: ["name": .string("\(number)"), "seen": seen]])
      }
    }
    for number in Int64(1)...300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let new = update(number, &random)
        waiting[number] = new
        await store.changeLayers { $0.showWaiting(number, new) }
      case 5..<7:
        guard let first = waiting.keys.min(), let moved = waiting.removeValue(forKey: first)
        else { continue }
        sent.append((try await store.beginSending(first, moved), moved))
      case 7:
        guard !sent.isEmpty else { continue }
        let ended = sent.removeFirst().id
        await store.changeLayers { $0.remove(ended) }
      case 8:
        guard let removed = waiting.keys.randomElement(using: &random) else { continue }
        waiting[removed] = nil
        await store.changeLayers { $0.remove(LayerID(waiting: removed)) }
      default:
        let key = keys.randomElement(using: &random)!
        try await store.publish([key: ["name": .string("cache \(number)")]])
        try await ApolloStore(cache: cache).publish([key: ["name": .string("cache \(number)")]])
      }
      let expected = ApolloStore(cache: cache)
      let all = sent.map(\.update) + waiting.sorted { $0.key < $1.key }.map(\.value)
      expected.restoreWaitingLayers(
        all.enumerated().map { (number: Int64($0.offset), update: $0.element) })
      let shown = try await fields(of: keys, in: store)
      let fresh = try await fields(of: keys, in: expected)
      #expect(shown == fresh, "seed \(seed), step \(number)")
      if shown != fresh { return }
    }
  }

  private func fields(
    of keys: [RecordKey], in store: ApolloStore
  ) async throws -> [RecordKey: FieldMap] {
    try await store.withinReadTransaction { transaction in
      var fields: [RecordKey: FieldMap] = [:]
      for key in keys { fields[key] = try transaction.record(for: key)?.fields }
      return fields
    }
  }

  /// The queue of a program may be attached at any time, also while a writer computes the layers.
  @Test func theyShowAlthoughTheyCameWhileOthersWereComputed() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let hasComeMeanwhile = Lock(false)
    let second = naming("2")
    await store.changeLayers { stack in
      stack.showWaiting(1) { transaction in
        if !hasComeMeanwhile.exchange(true) { store.restoreWaitingLayers([(2, second)]) }
        try transaction.merge(["R": ["name": "1"]])
      }
    }
    let name = try await store.withinReadTransaction { try $0.record(for: "R")?["name"] }
    #expect(name == "2")
  }

  /// A writer that has begun before cannot hide them.
  @Test func theyShowInTheFirstReadingAlthoughAWriterIsUnderWay() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let (isWriting, writing) = AsyncStream.makeStream(of: Void.self)
    let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
    let writer = Task {
      try await store.withinReadWriteTransaction { _ in
        writing.yield()
        for await _ in mayEnd { break }
      }
    }
    for await _ in isWriting { break }
    store.restoreWaitingLayers([(1, naming("waiting"))])
    let reader = Task {
      try await store.withinReadTransaction { try $0.record(for: "R")?["name"] }
    }
    // It may have begun to wait by then, or not.
    await Task.yield()
    end.yield()
    #expect(try await reader.value == "waiting")
    try await writer.value
  }

  /// The transaction ends when the task has read, so the task cannot wait for its end.
  @Test func theyShowInAReadingForWhichATransactionWaits() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let update = naming("waiting")
    try await store.withinReadWriteTransaction { transaction in
      store.restoreWaitingLayers([(1, update)])
      let reader = Task.detached {
        try await store.withinReadTransaction { try $0.record(for: "R")?["name"] }
      }
      #expect(try await reader.value == "waiting")
      try transaction.merge(["R": ["name": "written"]])
    }
    let name = try await store.withinReadTransaction { try $0.record(for: "R")?["name"] }
    #expect(name == "waiting")
  }

  /// Results that were kept are without them.
  @Test func theyShowInEveryReadingAtOnceAndLeaveItAtOnce() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "stored", "friends": .null],
    ])
    func name() async throws -> String? {
      try await store.load(HeroAPI.HeroQuery()).data?.hero?.name
    }
    for _ in 0..<2 { #expect(try await name() == "stored") }
    let queue = store.addWaitingQueue()
    store.restoreWaitingLayers([
      (queue + 1, { try $0.merge(["Hero:1": ["name": "waiting"]]) })
    ])
    for _ in 0..<2 { #expect(try await name() == "waiting") }
    store.removeWaitingLayers(of: queue)
    for _ in 0..<2 { #expect(try await name() == "stored") }
  }
}
