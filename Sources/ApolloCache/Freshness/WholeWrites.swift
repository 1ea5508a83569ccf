/// A write of all fields of a selection, of which others have at most replaced those of a few
/// records.
///
/// The age of a reading of the same fields is known without a look at the writes of each. A reading
/// of the selection may have other fields: deferred ones can be missing in the latest response. The
/// fingerprint tells.
struct WholeWrite: Equatable, Sendable {
  let id: WriteID
  let facts: WriteFacts
  /// The fields.
  let fingerprint: FieldsFingerprint
  /// The records of which others have written some of the fields since.
  let replaced: [RecordKey]

  /// Returns whether others have written some of the fields of a record since.
  func isReplaced(_ key: RecordKey) -> Bool {
    !replaced.isEmpty && replaced.contains { $0.trieHash == key.trieHash && $0 == key }
  }
}

/// The latest write of each selection, as long as others have replaced the fields of few records.
struct WholeWrites: Sendable {
  private struct Entry: Sendable {
    let id: WriteID
    let fingerprint: FieldsFingerprint
    var replaced: [RecordKey] = []
    var lastUse: UInt64
  }
  private var entries: [SelectionKey: Entry] = [:]
  /// The selections of these writes.
  private var selections: [WriteID: SelectionKey] = [:]
  private var useCount: UInt64 = 0

  /// The largest number of selections whose latest write is known.
  private static let mostSelections = 256
  /// The largest number of records with fields of others. Each is compared with all that are read.
  private static let mostReplaced = 16

  /// The latest write of a selection, or `nil` if it is not known or others have written many of
  /// its fields since.
  func write(of selection: SelectionKey, facts: (WriteID) -> WriteFacts?) -> WholeWrite? {
    guard let entry = entries[selection], let facts = facts(entry.id) else { return nil }
    return WholeWrite(
      id: entry.id, facts: facts, fingerprint: entry.fingerprint, replaced: entry.replaced)
  }

  /// The number and the fields of the latest write of a selection.
  func fingerprint(of selection: SelectionKey) -> (id: WriteID, fields: FieldsFingerprint)? {
    entries[selection].map { ($0.id, $0.fingerprint) }
  }

  /// Notes the latest write of a selection.
  mutating func set(_ id: WriteID, _ fingerprint: FieldsFingerprint, of selection: SelectionKey) {
    useCount += 1
    let entry = Entry(id: id, fingerprint: fingerprint, lastUse: useCount)
    if let old = entries.updateValue(entry, forKey: selection) { selections[old.id] = nil }
    selections[id] = selection
    guard entries.count > Self.mostSelections else { return }
    for (selection, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
      .prefix(Self.mostSelections / 4)
    {
      entries[selection] = nil
      selections[entry.id] = nil
    }
  }

  /// Notes that the fields of a selection's latest write were written again.
  mutating func noteRepetition(of selection: SelectionKey) {
    useCount += 1
    entries[selection]?.lastUse = useCount
  }

  /// Notes that another write has written some of the fields that a write has written of a record,
  /// or that the record was removed.
  mutating func noteReplacement(of id: WriteID, in key: RecordKey) {
    guard let selection = selections[id], let index = entries.index(forKey: selection),
      !entries.values[index].replaced.contains(key)
    else { return }
    if entries.values[index].replaced.count < Self.mostReplaced {
      entries.values[index].replaced.append(key)
    } else {
      entries[selection] = nil
      selections[id] = nil
    }
  }
}
