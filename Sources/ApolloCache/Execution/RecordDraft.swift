internal import ApolloAPI

/// The records of a cache as they will be when a response is written, made while it is decoded.
///
/// For a cache in memory it begins with a copy of its records, which costs nothing. If nobody else
/// has written when the response is complete, writing it is putting the draft in their place. For
/// any other cache it begins empty, and only finds out what the response says twice.
package struct RecordDraft: Sendable {
  /// Which cache it is for, and how many writes it had seen when the draft was begun.
  private(set) var basis: (memory: InMemoryNormalizedCache, version: UInt64)?
  private(set) var table: RecordTable
  private(set) var changes = ChangeSet()
  /// Whether there is anything in it that the cache does not have, be it only that equal records
  /// hold newer objects.
  private(set) var isNew = false
  private var merger = RecordMerger()

  init(for memory: InMemoryNormalizedCache?) {
    let snapshot = memory?.currentSnapshot()
    table = snapshot?.table ?? RecordTable()
    if let memory, let snapshot { basis = (memory, snapshot.version) }
  }

  /// What became of an object.
  struct Written {
    var record: Record
    /// The object that is known already and the same in everything, if there is one.
    var known: ResponseObject?
  }

  /// Writes an object into its record, and gives it its name.
  mutating func write(
    _ object: ResponseObject, _ layout: RecordLayout, as key: UnsafeRawBufferPointer
  ) -> Written {
    let hash = KeyHash.hash(key)
    guard let (key, known) = table.entry(key, hash: hash) else {
      let record = Record(key: RecordKey(KeyBytes.make(key, hash: hash)), object, layout)
      put(record.key, record.fields, record.fields.allChanged)
      return Written(record: record)
    }
    if let stored = known.object, stored.layout.isSame(as: layout) {
      let difference = object.difference(from: stored)
      if difference.isInterchangeable {
        return Written(record: Record(key: key, fields: known), known: stored.object)
      }
      let record = Record(key: key, object, layout)
      let isChanged = difference.fields != 0
      put(key, record.fields, isChanged ? .masked(layout.shape, difference.fields) : nil)
      return Written(record: record)
    }
    let record = Record(key: key, object, layout)
    var merged = known
    let outcome = merger.update(&merged, with: record.fields)
    if outcome.isNew { put(key, merged, outcome.changed) }
    return Written(record: record)
  }

  private mutating func put(_ key: RecordKey, _ fields: FieldMap, _ changed: ChangedFields?) {
    isNew = true
    table.replace(key, by: fields)
    if let changed { changes.insert(changed, of: key) }
  }
}

extension Record {
  /// The record that an object is, which gets its key as its name.
  fileprivate init(key: RecordKey, _ object: ResponseObject, _ layout: RecordLayout) {
    object.name = key.bytes
    self.init(key: key, fields: layout.fieldMap(of: object))
  }
}
