/// A cache that keeps the records of a store.
///
/// Conform a type of your own to keep records anywhere. Five methods are required, such as:
///
/// ```swift
/// func merge(records: RecordSet) -> ChangeSet {
///   var changes = ChangeSet()
///   for record in records {
///     if var known = table[record.key] {
///       known.merge(record, noting: &changes)
///       table[record.key] = known
///     } else {
///       table[record.key] = record
///       changes.insert(record.key)
///     }
///   }
///   return changes
/// }
/// ```
///
/// The store calls the cache from any thread, but never runs two writes at the same time. Without
/// snapshots, it never runs a read and a write at the same time either.
///
/// A cache of your own is read level by level: all references of one level of a selection are
/// loaded by one call of ``loadRecords(forKeys:)``.
public protocol NormalizedCache: AnyObject, Sendable {
  /// Returns the records with these keys. Keys without a record are omitted.
  func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record]

  /// Merges records in order and returns the changes. ``Record/merge(_:noting:)`` implements the
  /// rules.
  func merge(records: RecordSet) throws -> ChangeSet

  /// Removes one record. A key without a record is no error and no change.
  @discardableResult
  func removeRecord(for key: RecordKey) throws -> ChangeSet

  /// Removes every record whose key contains `pattern`, according to
  /// ``RecordKey/contains(ignoringCase:)``. An empty pattern matches nothing.
  @discardableResult
  func removeRecords(matching pattern: String) throws -> ChangeSet

  /// Removes every record.
  func clear() throws

  /// Applies the changes of one transaction in order and returns them.
  ///
  /// A cache that can apply all of them or none must do so. The default calls the methods above in
  /// order.
  func apply(_ changes: [CacheMutation]) throws -> ChangeSet

  /// Returns the records as they are now, unaffected by later writes, or `nil` if the cache has no
  /// snapshots.
  ///
  /// Without snapshots the store runs one transaction at a time. The default returns `nil`.
  func snapshot() throws -> (any RecordSnapshot)?

  /// Returns the keys of all records, in any order, or `nil` if the cache cannot list them.
  ///
  /// ``ApolloStore/collectGarbage()`` and ``ApolloStore/trim(to:)`` need it. The default returns
  /// `nil`.
  func recordKeys() throws -> [RecordKey]?
}

/// One change of a transaction.
///
/// ```swift
/// _ = try cache.apply([.remove("Droid:2001"), .merge(["Human:1000": ["name": "Luke"]])])
/// ```
public enum CacheMutation: Sendable {
  /// Merges these records in order.
  case merge(RecordSet)
  /// Removes one record, if it exists.
  case remove(RecordKey)
  /// Removes every record whose key contains this text.
  case removeMatching(String)
  /// Removes every record.
  case clear
}

/// The records of a cache at one moment.
public protocol RecordSnapshot: AnyObject {
  /// Returns the fields of a record, or `nil` if there is no such record.
  func fields(of key: RecordKey) throws -> FieldMap?

  /// Returns some fields of a record, or `nil` if there is no such record.
  ///
  /// The result has those of `wanted` that the record has, and may have others. The default returns
  /// all fields. Implement it if a record may be large and its fields can be read one by one.
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap?

  /// Announces that these records are read next. The default does nothing.
  func prepare(_ keys: [RecordKey]) throws

  /// Returns the keys of all records, in any order, or `nil` if the snapshot cannot list them. The
  /// default returns `nil`.
  func recordKeys() throws -> [RecordKey]?
}

extension RecordSnapshot {
  /// Returns all fields of the record.
  public func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try fields(of: key)
  }

  /// Does nothing.
  public func prepare(_ keys: [RecordKey]) throws {}

  /// Returns `nil`: the snapshot cannot list its records.
  public func recordKeys() throws -> [RecordKey]? { nil }
}

extension NormalizedCache {
  /// Calls one of the other methods for each change. If one throws, the changes before it remain.
  public func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    var result = ChangeSet()
    for change in changes {
      switch change {
      case .merge(let records): result.formUnion(try merge(records: records))
      case .remove(let key): result.formUnion(try removeRecord(for: key))
      case .removeMatching(let pattern): result.formUnion(try removeRecords(matching: pattern))
      case .clear:
        try clear()
        result = .everything
      }
    }
    return result
  }

  /// Returns `nil`: the cache has no snapshots.
  public func snapshot() throws -> (any RecordSnapshot)? {
    nil
  }

  /// Returns `nil`: the cache cannot list its records.
  public func recordKeys() throws -> [RecordKey]? {
    nil
  }
}
