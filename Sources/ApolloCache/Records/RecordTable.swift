/// All records of a cache in memory: a value, of which copies are snapshots.
package struct RecordTable: Sendable {
  private var records = HashTrie<RecordKey, FieldMap>()

  package init() {}

  package var count: Int { records.count }

  /// - Complexity: O(log *n*), practically constant.
  package func fields(of key: RecordKey) -> FieldMap? {
    records[key]
  }

  package func forEach(_ body: (RecordKey, FieldMap) throws -> Void) rethrows {
    try records.forEach(body)
  }

  /// Merges records in order, and returns what changed.
  package mutating func merge(_ incoming: some Sequence<Record>) -> ChangeSet {
    var merger = RecordMerger()
    var changes = ChangeSet()
    for record in incoming {
      let changed = records.update(record.key) { fields -> ChangedFields? in
        guard fields != nil else {
          fields = record.fields
          return record.fields.allChanged
        }
        return merger.merge(record.fields, into: &fields!)
      }
      if let changed { changes.insert(changed, of: record.key) }
    }
    return changes
  }

  /// Removes a record, and says whether there was one.
  package mutating func remove(_ key: RecordKey) -> Bool {
    records.removeValue(forKey: key) != nil
  }

  /// - Complexity: O(*n*) in the number of all records.
  package func keys(matching pattern: String) -> [RecordKey] {
    var keys: [RecordKey] = []
    records.forEach { key, _ in
      if key.contains(ignoringCase: pattern) { keys.append(key) }
    }
    return keys
  }
}

extension FieldMap {
  /// What changes where a record comes that was not there.
  package var allChanged: ChangedFields {
    switch storage {
    case .shaped(let shape, _):
      .masked(shape, shape.fields.count == 64 ? ~0 : (1 << shape.fields.count) - 1)
    case .wide: .listed(keys)
    }
  }
}
