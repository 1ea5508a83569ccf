internal import ApolloAPI

/// The writes of all fields of a cache, as far as they are known. It is a value, and its copies are
/// snapshots.
package struct FreshnessLedger: Sendable {
  private var records = HashTrie<RecordKey, RecordWrites>()
  private var facts = HashTrie<WriteID, WriteFacts>()
  /// The number of changes after which a reading can have another age than before, although its
  /// data is the same.
  package private(set) var version: UInt64 = 0

  /// The number of times that the writes of fields were forgotten.
  private(set) var forgetCount: UInt64 = 0

  package init() {}

  /// Creates an empty ledger with the next version of another one.
  init(after other: FreshnessLedger) {
    version = other.version + 1
    forgetCount = other.forgetCount + 1
  }

  package var recordCount: Int { records.count }
  package var writeCount: Int { facts.count }

  /// The writes of a record's fields, or `nil` if none is known.
  package func writes(of key: RecordKey) -> RecordWrites? { records[key] }

  /// The facts about a write, or `nil` if they are not known any more.
  package func facts(about id: WriteID) -> WriteFacts? { facts[id] }

  /// The facts about the latest write of a field, or `nil` if they are not known.
  package func facts(about address: FieldAddress) -> WriteFacts? {
    records[address.record]?[address.field].flatMap { facts[$0] }
  }

  // MARK: - Changing

  /// Notes that readings whose data is the same can have another age.
  mutating func beginVersion() { version += 1 }

  package mutating func set(_ new: WriteFacts, of id: WriteID) {
    facts.updateValue(new, forKey: id)
  }

  /// Notes that a write has written fields of a record.
  mutating func note(
    _ shape: RecordShape, of key: RecordKey, _ id: WriteID, replaced: (WriteID) -> Void
  ) {
    records.update(key) { writes in
      if writes == nil {
        writes = .one(shape, id)
      } else {
        writes?.note(shape, id, replaced: replaced)
      }
    }
  }

  /// Adds what a cache has kept, as far as nothing is known of the fields.
  mutating func add(_ kept: KeptWrites) {
    version += 1
    for (id, known) in kept.facts where facts[id] == nil { facts.updateValue(known, forKey: id) }
    for (key, fields) in kept.fields {
      let known = records[key]
      let new = fields.filter { known?[$0.key] == nil }
      for (id, fields) in Dictionary(grouping: new, by: \.value) {
        note(.of(fields.map(\.key).sorted()), of: key, id) { _ in }
      }
    }
  }

  mutating func forget(_ key: RecordKey) {
    version += 1
    forgetCount += 1
    _ = records.removeValue(forKey: key)
  }

  /// Forgets the oldest writes, so that half of the number remains. Their fields have no known time
  /// then.
  mutating func forgetOldest(keeping limit: Int) {
    guard facts.count > limit else { return }
    version += 1
    var times: [(id: WriteID, time: Double)] = []
    times.reserveCapacity(facts.count)
    facts.forEach { times.append(($0, $1.time)) }
    times.sort { $0.time < $1.time }
    for (id, _) in times.prefix(times.count - limit / 2) { _ = facts.removeValue(forKey: id) }
  }
}
