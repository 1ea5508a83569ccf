import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import Testing

/// The law of layers: readers see the base with the remaining layers applied in the order of their
/// requests, the cache holds the base alone, and watches are notified of what differs. The base has
/// the responses that wait for no older mutation, and all of a queue's mutations.
@Suite(.timeLimit(.minutes(10)))
struct LayerScheduleTests {
  static let makers: [@Sendable () -> any NormalizedCache] = [
    { InMemoryNormalizedCache() }, { ChainedNormalizedCache(InMemoryNormalizedCache()) },
    { DictionaryCache([:]) },
  ]

  /// The number of steps for each kind of cache.
  private static let stepCount =
    ProcessInfo.processInfo.environment["LAYER_STEPS"].flatMap(Int.init) ?? 3_000

  @Test(arguments: makers)
  func everyScheduleFollowsTheLaw(_ make: @Sendable () -> any NormalizedCache) async throws {
    let seed =
      ProcessInfo.processInfo.environment["LAYER_SEED"].flatMap(UInt64.init) ?? freshSeed
    var schedule = Schedule(make(), seed: seed)
    for step in 0..<Self.stepCount {
      let failure = try await schedule.step()
      if let failure {
        Issue.record("seed \(seed), step \(step), \(schedule.latestStep): \(failure)")
        return
      }
    }
    if let failure = try await schedule.finish() { Issue.record("seed \(seed), end: \(failure)") }
  }
}

/// A store and its model, which take the same random steps.
private struct Schedule {
  private let cache: any NormalizedCache
  private let store: ApolloStore
  private var model = LayerModel()
  private var random: SeededGenerator
  /// The layers that may still be settled or removed, and some that were already.
  private var ids: [LayerID] = []
  private let notes = Notes()
  private let watch: StoreWatch
  private(set) var latestStep = ""

  private static let keys: [RecordKey] = ["A:1", "A:2", "B:1", "B:2", "B:3"]
  private static let fields: [FieldKey] = ["likes", "name", "size"]

  init(_ cache: any NormalizedCache, seed: UInt64) {
    self.cache = cache
    store = ApolloStore(cache: cache)
    random = SeededGenerator(seed: seed)
    watch = store.subscribe { [notes] in notes.append($0) }
  }

  /// Takes a step, and returns what is wrong after it.
  mutating func step() async throws -> String? {
    let before = model.visible
    notes.removeAll()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25 where model.layers.count < 12:
      let isQueued = Int.random(in: 0..<3, using: &random) == 0
      let id = isQueued ? try await store.beginSending(0, nil) : store.layers.reserve()
      model.reserve(id, isQueued: isQueued)
      ids.append(id)
      if Bool.random(using: &random) { fallthrough }
      latestStep = "reserve"
    case 25..<40:
      guard let id = ids.randomElement(using: &random) else { return nil }
      let change = change()
      latestStep = "show \(id) \(change)"
      try await store.showLayer(id, change.update)
      model.show(id, change)
    case 40..<60:
      guard let id = takeID() else { return nil }
      let records = records()
      latestStep = "settle \(id) \(records)"
      try await store.publish(NormalizedResponse(records: records), at: .layer(id))
      model.settle(id, records)
    case 60..<75:
      guard let id = takeID() else { return nil }
      latestStep = "remove \(id)"
      await store.removeLayer(id)
      model.remove(id)
    case 75..<85:
      let records = records()
      let position = ids.randomElement(using: &random)
      latestStep = "query after \(String(describing: position)) \(records)"
      try await store.publish(
        NormalizedResponse(records: records),
        at: position.map { .requested(after: $0) } ?? .newest)
      model.write([.merge(records)], newerThan: position)
    case 85..<99:
      let mutations = mutations()
      latestStep = "write \(mutations)"
      try await store.withinReadWriteTransaction { transaction in
        for mutation in mutations {
          switch mutation {
          case .merge(let records): try transaction.merge(records)
          case .remove(let key): try transaction.removeObject(for: key)
          case .removeMatching(let pattern): try transaction.removeObjects(matching: pattern)
          case .clear: try transaction.clear()
          }
        }
      }
      model.write(mutations, newerThan: nil)
    default:
      latestStep = "clear"
      try await store.clearCache()
      model.write([.clear], newerThan: nil)
    }
    return try await difference(from: before)
  }

  /// Ends all layers, and returns what is left of them.
  mutating func finish() async throws -> String? {
    for id in ids {
      await store.removeLayer(id)
      model.remove(id)
    }
    guard store.layers.isIdle else { return "There are layers left." }
    return try await difference(from: nil)
  }

  private func difference(from before: RecordTable?) async throws -> String? {
    let visible = model.visible.dictionary
    let read = try await store.withinReadTransaction { transaction in
      var read: [RecordKey: FieldMap] = [:]
      for key in Self.keys { read[key] = try transaction.record(for: key)?.fields }
      return read
    }
    guard read == visible else { return "visible: \(read), expected: \(visible)" }
    let kept = try cache.loadRecords(forKeys: Set(Self.keys)).mapValues(\.fields)
    let base = model.base.dictionary
    guard kept == base else { return "in the cache: \(kept), expected: \(base)" }
    guard let before = before?.dictionary else { return nil }
    return notificationFailure(from: before, to: visible)
  }

  private func notificationFailure(
    from before: [RecordKey: FieldMap], to after: [RecordKey: FieldMap]
  ) -> String? {
    var isChanged = false
    for key in Self.keys {
      for field in Self.fields where before[key]?[field] != after[key]?[field] {
        isChanged = true
        let address = FieldAddress(record: key, field: field)
        guard notes.last?.changes.contains(address) == true else {
          return "no notification of \(address)"
        }
      }
    }
    let isOfLayersAlone = latestStep.hasPrefix("show") || latestStep.hasPrefix("remove")
    if isOfLayersAlone, !isChanged, before == after, notes.count > 0,
      notes.last?.changes.includesEverything == false
    {
      return "notified of \(notes.last!.changes.records) without a change"
    }
    return nil
  }

  // MARK: Random values

  private mutating func takeID() -> LayerID? {
    guard let index = ids.indices.randomElement(using: &random) else { return nil }
    // Now and then a call ends twice.
    return Int.random(in: 0..<5, using: &random) == 0 ? ids[index] : ids.remove(at: index)
  }

  private mutating func key() -> RecordKey {
    Self.keys[Int.random(in: Self.keys.indices, using: &random)]
  }

  private mutating func record() -> Record {
    var fields: [(FieldKey, CacheValue)] = []
    for field in Self.fields where Bool.random(using: &random) {
      fields.append((field, .int(Int64.random(in: 0..<4, using: &random))))
    }
    return Record(key: key(), fields: FieldMap(fields))
  }

  private mutating func records() -> RecordSet {
    RecordSet((0..<Int.random(in: 1...3, using: &random)).map { _ in record() })
  }

  private mutating func change() -> OptimisticChange {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: .merge(records())
    case 9..<16: .increment(key(), "likes")
    case 16, 17: .remove(key())
    case 18: .removeMatching("a:")
    default: .clear
    }
  }

  private mutating func mutations() -> [CacheMutation] {
    (0..<Int.random(in: 1...2, using: &random)).map { _ in
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<10: .merge(records())
      case 10: .remove(key())
      default: .removeMatching("B:")
      }
    }
  }
}
