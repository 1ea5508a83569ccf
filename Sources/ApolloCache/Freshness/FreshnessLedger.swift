internal import ApolloAPI

/// The writes of all fields of a cache, as far as they are known. It is a value, and its copies are
/// snapshots.
///
/// The fields of the latest writes are kept as lists, which cost little to note. They are sorted in
/// by records when the writes of a record are asked for (``sortIn()``). That is seldom: the age of
/// most readings follows from the latest write of their selection.
package struct FreshnessLedger: Sendable {
  /// A write whose fields are not in `records` yet.
  private struct LatestWrite: Sendable {
    let id: WriteID
    let fields: [(key: RecordKey, shape: RecordShape)]
  }

  private var records = HashTrie<RecordKey, RecordWrites>()
  /// The number of fields of `records` that have an entry each, as those of a root.
  private var separateFieldCount = 0
  private var facts = HashTrie<WriteID, WriteFacts>()
  private var latest: [LatestWrite] = []
  private var latestRecordCount = 0
  private var wholeWrites = WholeWrites()
  /// The number of changes after which a reading can have another age than before, although its
  /// data is the same.
  package private(set) var version: UInt64 = 0

  /// The number of times that the writes of fields were forgotten.
  private(set) var forgetCount: UInt64 = 0

  /// The number of records of the latest writes above which they are sorted in.
  private static let mostLatestRecords = 32_768
  /// The number of the latest writes above which they are sorted in.
  private static let mostLatestWrites = 256

  package init() {}

  /// Creates an empty ledger with the next version of another one.
  init(after other: FreshnessLedger) {
    version = other.version + 1
    forgetCount = other.forgetCount + 1
  }

  /// Indicates whether the writes of records can be asked for.
  package var isSorted: Bool { latest.isEmpty }

  /// The number of records and of separate fields whose writes are known, so about the memory that
  /// the ledger takes. Records of the latest writes can count twice.
  var entryCount: Int { records.count + separateFieldCount + latestRecordCount }

  /// The writes of a record's fields, or `nil` if none is known.
  ///
  /// - Precondition: The ledger is sorted.
  package func writes(of key: RecordKey) -> RecordWrites? {
    assert(isSorted)
    return records[key]
  }

  /// The facts about a write, or `nil` if they are not known any more.
  package func facts(about id: WriteID) -> WriteFacts? { facts[id] }

  /// The facts about the latest write of a field, or `nil` if they are not known.
  ///
  /// - Precondition: The ledger is sorted.
  package func facts(about address: FieldAddress) -> WriteFacts? {
    writes(of: address.record)?[address.field].flatMap { facts[$0] }
  }

  /// The latest write of a selection. `nil` if others have written many of its fields since, or if
  /// that is not known before the ledger is sorted.
  func wholeWrite(of selection: SelectionKey) -> WholeWrite? {
    let whole = wholeWrites.write(of: selection) { facts[$0] }
    return latest.isEmpty || latest.last?.id == whole?.id ? whole : nil
  }

  /// The latest write of a selection, if it has written these fields and all are still from it.
  mutating func wholeWrite(of selection: SelectionKey, fingerprint: FieldsFingerprint)
    -> WriteID?
  {
    guard let known = wholeWrites.fingerprint(of: selection), known.fields == fingerprint else {
      return nil
    }
    if latest.last?.id != known.id { sortIn() }
    guard let whole = wholeWrite(of: selection), whole.replaced.isEmpty else { return nil }
    return whole.id
  }

  // MARK: - Changing

  /// Notes that readings whose data is the same can have another age.
  mutating func beginVersion() { version += 1 }

  package mutating func set(_ new: WriteFacts, of id: WriteID) {
    facts.updateValue(new, forKey: id)
  }

  /// Notes the fields of a write.
  ///
  /// - Complexity: O(1), but for every few hundred calls.
  mutating func note(_ fields: [(key: RecordKey, shape: RecordShape)], _ id: WriteID) {
    latest.append(LatestWrite(id: id, fields: fields))
    latestRecordCount += fields.count
    if latestRecordCount > Self.mostLatestRecords || latest.count > Self.mostLatestWrites {
      sortIn()
    }
  }

  /// Notes that the fields of a write, which was just noted, are all fields of a selection.
  mutating func noteWhole(
    _ id: WriteID, _ fingerprint: FieldsFingerprint, of selection: SelectionKey
  ) {
    wholeWrites.set(id, fingerprint, of: selection)
  }

  /// Gives a write another time, because the same fields were written again.
  mutating func noteRepetition(of id: WriteID, _ new: WriteFacts, of selection: SelectionKey) {
    version += 1
    set(new, of: id)
    wholeWrites.noteRepetition(of: selection)
  }

  /// Sorts the fields of the latest writes in, so that the writes of records can be asked for.
  ///
  /// - Complexity: O(*n*) in the number of their records.
  package mutating func sortIn() {
    guard !latest.isEmpty else { return }
    var whole = WholeWrites()
    swap(&whole, &wholeWrites)  // so that a closure may change it
    for write in latest {
      for (key, shape) in write.fields {
        note(shape, of: key, write.id) { replaced in
          if replaced != write.id { whole.noteReplacement(of: replaced, in: key) }
        }
      }
    }
    swap(&whole, &wholeWrites)
    latest = []
    latestRecordCount = 0
  }

  private mutating func note(
    _ shape: RecordShape, of key: RecordKey, _ id: WriteID, replaced: (WriteID) -> Void
  ) {
    var added = 0
    records.update(key) { writes in
      let count = writes?.separateFieldCount ?? 0
      if writes == nil {
        writes = .one(shape, id)
      } else {
        writes?.note(shape, id, replaced: replaced)
      }
      added = (writes?.separateFieldCount ?? 0) - count
    }
    separateFieldCount += added
  }

  /// Adds what a cache has kept, as far as nothing is known of the fields.
  mutating func add(_ kept: KeptWrites) {
    sortIn()
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

  /// Forgets the writes of a record that was removed. Their next repetition writes it anew.
  mutating func forget(_ key: RecordKey) {
    sortIn()
    version += 1
    forgetCount += 1
    let writes = records.removeValue(forKey: key)
    separateFieldCount -= writes?.separateFieldCount ?? 0
    for (_, id) in writes?.all ?? [] {
      wholeWrites.noteReplacement(of: id, in: key)
    }
  }

  /// Forgets the writes of fields that were removed.
  mutating func forget(_ fields: Set<FieldKey>, of key: RecordKey) {
    sortIn()
    version += 1
    forgetCount += 1
    guard var writes = records.removeValue(forKey: key) else { return }
    separateFieldCount -= writes.separateFieldCount
    for id in writes.forget(fields) { wholeWrites.noteReplacement(of: id, in: key) }
    guard !writes.isEmpty else { return }
    separateFieldCount += writes.separateFieldCount
    records.updateValue(writes, forKey: key)
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

/// A ledger as it was at one moment.
///
/// An object, because the copy of a ledger retains each of its parts.
final class LedgerSnapshot: Sendable {
  let ledger: FreshnessLedger

  init(_ ledger: FreshnessLedger) { self.ledger = ledger }
}
