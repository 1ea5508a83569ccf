internal import ApolloAPI

/// Keeps records in memory for as long as it lives.
///
/// Any number of threads may read while one writes: a reader holds a snapshot, which costs nothing
/// to take. A transaction is applied to a copy (which shares what it does not change) and published
/// by one assignment.
public final class InMemoryNormalizedCache: NormalizedCache {
  private struct State: Sendable {
    var table: RecordTable
    /// Counts the writes that changed something.
    var version: UInt64 = 0
  }
  private let state: Lock<State>

  /// Makes a cache that holds these records.
  public init(records: RecordSet = RecordSet()) {
    var table = RecordTable()
    _ = table.merge(records)
    state = Lock(State(table: table))
  }

  /// How many records there are.
  public var count: Int { state.withLock { $0.table.count } }

  /// Loads the records with these keys; keys without a record are left out of the result.
  public func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
    let table = state.withLock { $0.table }
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = table.fields(of: key) { records[key] = Record(key: key, fields: fields) }
    }
    return records
  }

  /// Merges records one after the other, and returns what changed.
  public func merge(records: RecordSet) -> ChangeSet {
    apply([.merge(records)])
  }

  /// Removes one record. Removing one that does not exist is no error, and no change.
  @discardableResult
  public func removeRecord(for key: RecordKey) -> ChangeSet {
    apply([.remove(key)])
  }

  /// Removes every record whose key contains `pattern`; ASCII letters match in either case.
  @discardableResult
  public func removeRecords(matching pattern: String) -> ChangeSet {
    apply([.removeMatching(pattern)])
  }

  /// Removes every record.
  public func clear() {
    _ = apply([.clear])
  }

  /// - Complexity: O(*n*) in the number of records that are merged or removed by key; O(*m*) in the
  ///   number of all records for a pattern.
  public func apply(_ changes: [CacheMutation]) -> ChangeSet {
    applyCounting(changes).changes
  }

  /// The same, and how many writes have changed something by then.
  package func applyCounting(_ changes: [CacheMutation]) -> (changes: ChangeSet, version: UInt64) {
    writing.withLock { _ in
      var copy = state.withLock { $0.table }
      let result = copy.apply(changes)
      return (result, publish(copy, result))
    }
  }

  /// Writes a response: its draft, if that was begun with what the cache has now.
  package func publish(_ response: NormalizedResponse) -> (changes: ChangeSet, version: UInt64) {
    writing.withLock { _ in
      var (table, version) = state.withLock { ($0.table, $0.version) }
      if let draft = response.draft, let basis = draft.basis, basis.memory === self,
        basis.version == version
      {
        return (draft.changes, draft.isNew ? publish(draft.table, draft.changes) : version)
      }
      let changes = table.merge(response.records)
      return (changes, publish(table, changes))
    }
  }

  /// Lets readers see new records; says how many writes have changed something by then.
  private func publish(_ table: RecordTable, _ changes: ChangeSet) -> UInt64 {
    var table = table
    return state.withLock { state in
      swap(&state.table, &table)  // the old ones are released outside the lock
      if !changes.isEmpty { state.version += 1 }
      return state.version
    }
  }

  /// Held by a writer from its copy to its publication, so that writers outside of a store do not
  /// undo each other.
  private let writing = Lock(())

  /// The records as they are now, unmoved by later writes.
  ///
  /// - Complexity: O(1); nothing is copied.
  public func snapshot() -> (any RecordSnapshot)? {
    currentSnapshot()
  }

  /// How many writes have changed something.
  var version: UInt64 { state.withLock { $0.version } }

  package func currentSnapshot() -> TableSnapshot {
    state.withLock { TableSnapshot($0.table, version: $0.version) }
  }
}

extension RecordTable {
  package mutating func apply(_ changes: [CacheMutation]) -> ChangeSet {
    var result = ChangeSet()
    for change in changes {
      switch change {
      case .merge(let records): result.formUnion(merge(records))
      case .remove(let key):
        if remove(key) { result.insert(key) }
      case .removeMatching(let pattern):
        for key in keys(matching: pattern) where remove(key) { result.insert(key) }
      case .clear:
        self = RecordTable()
        result = .everything
      }
    }
    return result
  }
}

package final class TableSnapshot: RecordSnapshot {
  package let table: RecordTable
  package let version: UInt64

  package init(_ table: RecordTable, version: UInt64) {
    self.table = table
    self.version = version
  }

  package func fields(of key: RecordKey) -> FieldMap? {
    table.fields(of: key)
  }
}
