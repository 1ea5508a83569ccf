package import ApolloAPI

/// The records of a cache in memory. It is a value, and its copies are snapshots.
package struct RecordTable: Sendable {
  private var records = HashTrie<RecordKey, FieldMap>()

  package init() {}

  package var count: Int { records.count }

  /// Returns the fields of a record, or `nil` if there is no such record.
  ///
  /// - Complexity: O(log *n*), practically constant.
  package func fields(of key: RecordKey) -> FieldMap? {
    records[key]
  }

  /// Returns the decoded object that a record is, which is valid while the table is, or `nil` if it
  /// is not one.
  ///
  /// - Complexity: O(log *n*), practically constant.
  @inline(never)
  package func kept(_ key: RecordKey) -> KeptObject? {
    guard let fields = records.address(of: key),
      case .object(let kept) = fields.pointee.storage
    else { return nil }
    return KeptObject(kept)
  }

  /// Returns whether a record is this object, kept as it was decoded.
  ///
  /// - Complexity: O(log *n*), practically constant.
  package func holds(_ object: ResponseObject, _ layout: RecordLayout, under key: RecordKey) -> Bool
  {
    records.contains(hash: key.trieHash) { known, fields in
      guard case .object(let kept) = fields.storage, kept.object === object else { return false }
      return kept.layout.isSame(as: layout) && known == key
    }
  }

  /// Returns the key with these bytes and the fields of its record, if there is one.
  ///
  /// - Complexity: O(log *n*), practically constant.
  func entry(_ bytes: UnsafeRawBufferPointer, hash: UInt64) -> (key: RecordKey, fields: FieldMap)? {
    let entry = records.entry(hash: UInt(truncatingIfNeeded: hash)) { key in
      key.identity.equals(bytes, hash: hash)
    }
    return entry.map { ($0.key, $0.value) }
  }

  /// Replaces all fields of a record.
  package mutating func replace(_ key: RecordKey, by fields: consuming FieldMap) {
    records.updateValue(fields, forKey: key)
  }

  /// The keys of all records, in no particular order.
  ///
  /// - Complexity: O(*n*) in the number of records.
  package var keys: [RecordKey] {
    var keys: [RecordKey] = []
    keys.reserveCapacity(count)
    records.forEach { key, _ in keys.append(key) }
    return keys
  }

  /// Calls a closure with each record, in no particular order, for tests.
  package func forEach(_ body: (RecordKey, FieldMap) throws -> Void) rethrows {
    try records.forEach(body)
  }

  /// Merges records in order and returns the changes.
  package mutating func merge(_ incoming: some Sequence<Record>) -> ChangeSet {
    var merger = RecordMerger()
    var changes = ChangeSet()
    for record in incoming {
      guard var fields = self.fields(of: record.key) else {
        replace(record.key, by: record.fields)
        changes.insert(record.fields.allChanged, of: record.key)
        continue
      }
      let outcome = merger.update(&fields, with: record.fields)
      if outcome.isNew { replace(record.key, by: fields) }
      if let changed = outcome.changed { changes.insert(changed, of: record.key) }
    }
    return changes
  }

  /// Removes a record. Returns `true` if there was one.
  package mutating func remove(_ key: RecordKey) -> Bool {
    records.removeValue(forKey: key) != nil
  }

  /// Returns the keys that contain a pattern. An empty pattern matches nothing.
  ///
  /// - Complexity: O(*n*) in the number of all records.
  package func keys(matching pattern: String) -> [RecordKey] {
    guard !pattern.isEmpty else { return [] }
    let pattern = KeyPattern(pattern)
    var keys: [RecordKey] = []
    records.forEach { key, _ in
      if key.identity.withBytes(pattern.isContained) { keys.append(key) }
    }
    return keys
  }
}

extension FieldMap {
  /// The changes that a new record with these fields makes.
  package var allChanged: ChangedFields {
    switch storage {
    case .object(let object): .masked(object.shape, object.shape.allFields)
    case .shaped(let shape, _): .masked(shape, shape.allFields)
    case .overflow: .listed(keys)
    }
  }
}
