/// Keeps records in memory for as long as it lives.
///
/// Any number of threads may read while one writes: a reader holds a snapshot, which costs nothing to take. A transaction is applied
/// to a copy (which shares what it does not change) and published by one assignment.
public final class InMemoryNormalizedCache: NormalizedCache {
  private let table: Lock<RecordTable>

  public init(records: RecordSet = RecordSet()) {
    var table = RecordTable()
    _ = table.merge(records)
    self.table = Lock(table)
  }

  /// How many records there are.
  public var count: Int { table.withLock { $0.count } }

  public func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
    let table = table.withLock { $0 }
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = table.fields(of: key) { records[key] = Record(key: key, fields: fields) }
    }
    return records
  }

  public func merge(records: RecordSet) -> ChangeSet {
    apply([.merge(records)])
  }

  @discardableResult
  public func removeRecord(for key: RecordKey) -> ChangeSet {
    apply([.remove(key)])
  }

  @discardableResult
  public func removeRecords(matching pattern: String) -> ChangeSet {
    apply([.removeMatching(pattern)])
  }

  public func clear() {
    _ = apply([.clear])
  }

  /// - Complexity: O(*n*) in the number of records that are merged or removed by key; O(*m*) in the number of all records for a pattern.
  public func apply(_ changes: [CacheMutation]) -> ChangeSet {
    writing.withLock { _ in
      var copy = table.withLock { $0 }
      let result = copy.apply(changes)
      table.withLock { swap(&$0, &copy) }
      return result
    }
  }

  /// Held by a writer from its copy to its publication, so that writers outside of a store do not undo each other.
  private let writing = Lock(())

  public func snapshot() -> (any RecordSnapshot)? {
    TableSnapshot(table.withLock { $0 })
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

  package init(_ table: RecordTable) {
    self.table = table
  }

  package func fields(of key: RecordKey) -> FieldMap? {
    table.fields(of: key)
  }
}
