internal import ApolloAPI

/// The writes of the stores of one cache since a collection began.
///
/// A collection looks at snapshots, while writers go on. A record that one of them has written may
/// refer to records that nothing referred to before, so it is looked at again.
final class WriteTracker: Sendable {
  /// The writes since the last look.
  struct Writes: Sendable {
    /// The fields that changed, of each record that changed. `nil` stands for all of them.
    fileprivate(set) var changes: [RecordKey: Set<FieldKey>?] = [:]
    /// The records that were written, also those with equal values.
    fileprivate(set) var records: Set<RecordKey> = []
    fileprivate var includesEverything = false
  }
  private let writes = Lock(Writes())

  /// The origin of the collection's own writes, which are not noted.
  let origin = ChangeOrigin()

  /// Adds a commit.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - written: The records that were written.
  ///   - origin: The origin of the commit.
  func insert(
    _ changes: ChangeSet, written: [RecordKey], from origin: ChangeOrigin?
  ) {
    guard changes.includesEverything || origin != self.origin else { return }
    writes.withLock { writes in
      if changes.includesEverything { writes.includesEverything = true }
      writes.records.formUnion(written)
      for entry in changes.entries {
        if entry.fields.isAll {
          writes.changes.updateValue(nil, forKey: entry.record)
        } else {
          writes.changes[entry.record, default: []]?.formUnion(entry.fields.listed)
        }
      }
    }
  }

  /// Returns what was written since the last call, or `nil` if anything may have been.
  func takeWrites() -> Writes? {
    writes.withLock { writes in
      defer { writes = Writes() }
      return writes.includesEverything ? nil : writes
    }
  }
}

extension WriteTracker.Writes {
  /// The records to which the changed fields refer.
  func references(in snapshot: any StoreSnapshot) throws -> Set<RecordKey> {
    var references: Set<RecordKey> = []
    for (key, changed) in changes {
      guard let changed else {
        try snapshot.fields(of: key)?.forEachReference { references.insert($0) }
        continue
      }
      // A snapshot may return further fields, such as all of a root.
      guard let fields = try snapshot.fields(of: key, among: Array(changed)) else { continue }
      for field in changed { fields[field]?.forEachReference { references.insert($0) } }
    }
    return references
  }
}
