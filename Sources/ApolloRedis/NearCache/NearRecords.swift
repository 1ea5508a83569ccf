internal import ApolloAPI
internal import ApolloCache

/// The records of a scope in memory, with the writes that their fields are from.
///
/// It is a value, and its copies are snapshots. A record and its writes change together, so a
/// reader never takes the age of one version of a record for that of another.
struct NearRecords: Sendable {
  private(set) var fields = RecordTable()
  /// The writes of the records of which they are known.
  private(set) var writes = HashTrie<RecordKey, CellWrites>()

  /// The number of cells: of the records, and of the fields of roots.
  var count: Int {
    var count = fields.count
    for root in [RecordKey.queryRoot, .mutationRoot, .subscriptionRoot] {
      if let fields = fields.fields(of: root) { count += fields.count - 1 }
    }
    return count
  }

  /// Replaces a cell, or removes it.
  mutating func put(_ cell: Cell, _ contents: CellContents?) {
    fields.put(cell, contents?.fields)
    put(cell, contents?.writes)
  }

  private mutating func put(_ cell: Cell, _ new: CellWrites?) {
    switch cell {
    case .record(let key):
      if let new {
        writes.updateValue(new, forKey: key)
      } else {
        _ = writes.removeValue(forKey: key)
      }
    case .field(let root, let field):
      changeRoot(root) { $0[field] = new?[field].map { .int($0.number) } }
    }
  }

  /// Changes the numbers of the writes of a root's fields.
  private mutating func changeRoot(_ root: RecordKey, _ body: (inout FieldMap) -> Void) {
    var numbers = FieldMap()
    if case .each(let known)? = writes[root] { numbers = known }
    body(&numbers)
    if numbers.isEmpty {
      _ = writes.removeValue(forKey: root)
    } else {
      writes.updateValue(.each(numbers), forKey: root)
    }
  }

  /// Removes what has changed of a record: the fields of a root, or the record.
  mutating func remove(_ key: RecordKey, _ changed: ChangedFields) {
    fields.remove(key, changed)
    if key.isRoot, !changed.isAll {
      changeRoot(key) { for field in changed.listed { $0[field] = nil } }
    } else {
      _ = writes.removeValue(forKey: key)
    }
  }
}

extension RecordTable {
  /// Replaces a cell, or removes it.
  fileprivate mutating func put(_ cell: Cell, _ fields: FieldMap?) {
    switch cell {
    case .record(let key):
      if let fields { replace(key, by: fields) } else { _ = remove(key) }
    case .field(let root, let field):
      guard var known = self.fields(of: root) ?? fields.map({ _ in FieldMap() }) else { return }
      known[field] = fields?[field]
      replace(root, by: known)
    }
  }

  /// Removes what has changed of a record: the fields of a root, or the record.
  fileprivate mutating func remove(_ key: RecordKey, _ changed: ChangedFields) {
    guard key.isRoot, !changed.isAll, var known = fields(of: key) else {
      _ = remove(key)
      return
    }
    for field in changed.listed { known[field] = nil }
    replace(key, by: known)
  }
}
