/// Where a store keeps its records.
///
/// Conform your own type to keep records anywhere:
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
/// The store calls it from any thread, but never lets two writes overlap, nor a write and a read,
/// unless the cache gives snapshots. Only five methods are required: the others have
/// implementations in terms of them.
public protocol NormalizedCache: AnyObject, Sendable {
  /// Loads the records with these keys; keys without a record are left out of the result.
  func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record]

  /// Merges records one after the other, and returns what changed. ``Record/merge(_:noting:)``
  /// knows the rules.
  func merge(records: RecordSet) throws -> ChangeSet

  /// Removes one record. Removing one that does not exist is no error, and no change.
  @discardableResult
  func removeRecord(for key: RecordKey) throws -> ChangeSet

  /// Removes every record whose key contains `pattern`, as ``RecordKey/contains(ignoringCase:)``
  /// has it.
  @discardableResult
  func removeRecords(matching pattern: String) throws -> ChangeSet

  /// Removes every record.
  func clear() throws

  /// Applies the changes of one transaction in order, and returns what changed.
  ///
  /// A cache that can do so must apply all of them or none. The default calls the methods above one
  /// after the other.
  func apply(_ changes: [CacheMutation]) throws -> ChangeSet

  /// The records as they are now, unmoved by later writes, or nil if the cache cannot give such a
  /// view.
  ///
  /// Without snapshots the store lets one transaction at a time read or write. The default returns
  /// nil.
  func snapshot() throws -> (any RecordSnapshot)?
}

/// One step of a transaction.
public enum CacheMutation: Sendable {
  /// Merges these records, one after the other.
  case merge(RecordSet)
  /// Removes one record, if it exists.
  case remove(RecordKey)
  /// Removes every record whose key contains this text.
  case removeMatching(String)
  /// Removes every record.
  case clear
}

/// Records that do not change while somebody reads them.
public protocol RecordSnapshot: AnyObject {
  /// The fields of a record, or nil where there is no such record.
  func fields(of key: RecordKey) throws -> FieldMap?

  /// Some fields of a record, or nil where there is no such record.
  ///
  /// Returns those of `wanted` that the record has, and maybe others. The default returns all:
  /// implement it where a record may be large and its fields can be had one by one.
  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap?

  /// Hints that these records are about to be read. The default does nothing.
  func prepare(_ keys: [RecordKey]) throws
}

extension RecordSnapshot {
  /// All fields of the record, whichever are wanted.
  public func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try fields(of: key)
  }

  /// Does nothing.
  public func prepare(_ keys: [RecordKey]) throws {}
}

extension NormalizedCache {
  /// Calls the other methods, one for each change. When one throws, the changes before it remain.
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

  /// Returns nil: the cache gives no snapshots.
  public func snapshot() throws -> (any RecordSnapshot)? {
    nil
  }
}
