internal import ApolloAPI

/// A cache that keeps records in memory for as long as it lives.
///
/// ```swift
/// let store = ApolloStore(cache: InMemoryNormalizedCache())
/// ```
///
/// Any number of threads may read while one writes: a reader holds a snapshot, which is free to
/// take. A transaction is applied to a copy, which shares what it does not change, and is published
/// by one assignment.
public final class InMemoryNormalizedCache: NormalizedCache {
  private struct State: Sendable {
    var table: RecordTable
    /// The number of commits that have changed a record.
    var version: UInt64 = 0
    /// The number of those that the program has made itself, without a store.
    var directCommitCount = 0
    /// The number of such writes that are under way.
    var directWriteCount = 0
  }
  private let state: Lock<State>

  /// Held by a writer from its copy to its publication, so that writers outside of a store do not
  /// undo each other.
  private let writing = Lock(())

  /// Creates a cache that holds these records.
  public init(records: RecordSet = RecordSet()) {
    var table = RecordTable()
    _ = table.merge(records)
    state = Lock(State(table: table))
  }

  /// The number of records.
  public var count: Int { state.withLock { $0.table.count } }

  /// Returns the records with these keys. Keys without a record are omitted.
  public func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
    let table = state.withLock { $0.table }
    var records: [RecordKey: Record] = [:]
    for key in keys {
      if let fields = table.fields(of: key) { records[key] = Record(key: key, fields: fields) }
    }
    return records
  }

  /// Merges records in order and returns the changes.
  public func merge(records: RecordSet) -> ChangeSet {
    apply([.merge(records)])
  }

  /// Removes one record. A key without a record is no error and no change.
  @discardableResult
  public func removeRecord(for key: RecordKey) -> ChangeSet {
    apply([.remove(key)])
  }

  /// Removes every record whose key contains `pattern`. ASCII letters match in either case.
  @discardableResult
  public func removeRecords(matching pattern: String) -> ChangeSet {
    apply([.removeMatching(pattern)])
  }

  /// Removes every record.
  public func clear() {
    _ = apply([.clear])
  }

  /// Applies the changes of one transaction in order and returns them.
  ///
  /// - Complexity: O(*n*) in the number of records that are merged or removed by key, O(*m*) in the
  ///   number of all records for a pattern.
  public func apply(_ changes: [CacheMutation]) -> ChangeSet {
    // No store learns of it, as of a commit by others.
    beginDirectWrite()
    let changed = commit(changes).changes
    endDirectWrite(hasChanges: !changed.isEmpty)
    return changed
  }

  /// The records as they are now, unaffected by later writes.
  ///
  /// - Complexity: O(1). Nothing is copied.
  public func snapshot() -> (any RecordSnapshot)? {
    currentSnapshot()
  }

  /// Returns the keys of all records, in any order.
  ///
  /// - Complexity: O(*n*) in the number of records. Writers do not wait for it.
  public func recordKeys() -> [RecordKey]? {
    currentSnapshot().recordKeys()
  }

  package func currentSnapshot() -> TableSnapshot {
    state.withLock { TableSnapshot($0.table, version: $0.version) }
  }
}

// MARK: - Committing

extension InMemoryNormalizedCache {
  fileprivate func commit(_ mutations: [CacheMutation]) -> Commit {
    writing.withLock { _ in
      var copy = state.withLock { $0.table }
      let changes = copy.apply(mutations)
      return Commit(changes: changes, version: publish(copy, changes))
    }
  }

  /// Commits a response: its draft, if the draft was started with the current records.
  fileprivate func commit(_ response: NormalizedResponse) -> Commit {
    writing.withLock { _ in
      var (table, version) = state.withLock { ($0.table, $0.version) }
      if let draft = response.draft, let basis = draft.basis, basis.cache === self,
        basis.version == version
      {
        if draft.isNew { version = publish(draft.table, draft.changes) }
        return Commit(changes: draft.changes, version: version)
      }
      let changes = table.merge(response.records)
      return Commit(changes: changes, version: publish(table, changes))
    }
  }

  /// Removes fields of records.
  fileprivate func commit(removing fields: [RecordKey: Set<FieldKey>]) -> Commit {
    writing.withLock { _ in
      var copy = state.withLock { $0.table }
      var changes = ChangeSet()
      for (key, removed) in fields {
        guard var rest = copy.fields(of: key) else { continue }
        rest.removeAll(removed)
        copy.replace(key, by: rest)
        changes.insert(.listed(Array(removed)), of: key)
      }
      return Commit(changes: changes, version: publish(copy, changes))
    }
  }

  /// Makes new records visible to readers, and returns the version that they have.
  private func publish(_ table: RecordTable, _ changes: ChangeSet) -> UInt64 {
    var table = table
    return state.withLock { state in
      swap(&state.table, &table)  // the old ones are released outside the lock
      if !changes.isEmpty { state.version += 1 }
      return state.version
    }
  }
}

extension RecordTable {
  /// Applies the changes of one transaction in order and returns them.
  package mutating func apply(_ mutations: [CacheMutation]) -> ChangeSet {
    var result = ChangeSet()
    for mutation in mutations {
      switch mutation {
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

// MARK: - The door to a store

extension InMemoryNormalizedCache: LocalRecordStore {
  package var isTransactional: Bool { true }
  package var version: UInt64? { state.withLock { $0.version } }
  package func commitCount() -> Int? { Int(truncatingIfNeeded: state.withLock { $0.version }) }
  package func foreignCommitCount() -> Int? {
    state.withLock { $0.directWriteCount == 0 ? $0.directCommitCount : nil }
  }
  package func beginDirectWrite() { state.withLock { $0.directWriteCount += 1 } }
  package func endDirectWrite(hasChanges: Bool) {
    state.withLock { state in
      state.directWriteCount -= 1
      if hasChanges { state.directCommitCount += 1 }
    }
  }
  package func openSnapshot() -> any StoreSnapshot { currentSnapshot() }
  package func draft() -> RecordDraft {
    let (table, version) = state.withLock { ($0.table, $0.version) }
    return RecordDraft(of: table, in: self, version: version)
  }

  package func tryToWrite(isLastTry: Bool) -> (any LocalWriteContext)? {
    MemoryWriteContext(cache: self)
  }

  package func beginWritingAtOnce() -> (any WriteContext)? {
    MemoryWriteContext(cache: self)
  }
}

/// A write to a cache in memory. The store's write queue is what makes it exclusive.
private struct MemoryWriteContext: LocalWriteContext {
  let cache: InMemoryNormalizedCache

  func snapshot() -> any StoreSnapshot { cache.currentSnapshot() }

  func commit(_ mutations: [CacheMutation], keeping known: inout RecordTable?) -> Commit {
    known?.applyToKnown(mutations)
    return cache.commit(mutations)
  }

  func removeFields(_ fields: [RecordKey: Set<FieldKey>]) -> Commit {
    cache.commit(removing: fields)
  }

  nonisolated(nonsending) func commit(_ response: NormalizedResponse) async -> Commit {
    cache.commit(response)
  }

  func end() {}
}

/// The records of a cache in memory at one moment.
package final class TableSnapshot: StoreSnapshot, Sendable {
  package let table: RecordTable
  package let version: UInt64?

  package init(_ table: RecordTable, version: UInt64?) {
    self.table = table
    self.version = version
  }

  package func fields(of key: RecordKey) -> FieldMap? {
    table.fields(of: key)
  }

  package func recordKeys() -> [RecordKey]? { table.keys }

  package func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult {
    try ObjectReadResult(request, from: table)
  }

  /// Returns a table that includes the effects, so that it is read like any other.
  package func showing(_ effects: LayerEffects) -> any StoreSnapshot {
    var table = effects.hidden.includesEverything ? RecordTable() : table
    for pattern in effects.hidden.patterns {
      for key in table.keys(matching: pattern) { _ = table.remove(key) }
    }
    for (key, fields) in effects.records {
      if let fields { table.replace(key, by: fields) } else { _ = table.remove(key) }
    }
    return TableSnapshot(table, version: version)
  }

  /// Replaces what has changed in the earlier table, or what layers affect in this one. The layers
  /// hide no records that they do not name.
  package func showing(
    _ effects: LayerEffects, afterChangesOf changed: Set<RecordKey>,
    since earlier: (any StoreSnapshot)?
  ) -> any StoreSnapshot {
    guard let earlier = earlier as? TableSnapshot, changed.count < effects.records.count,
      effects.hidden == HiddenRecords()
    else { return showing(effects) }
    var table = earlier.table
    for key in changed {
      if let fields = effects.fields(of: key, orElse: { self.table.fields(of: key) }) {
        table.replace(key, by: fields)
      } else {
        _ = table.remove(key)
      }
    }
    return TableSnapshot(table, version: version)
  }

  package var shareable: (any StoreSnapshot & Sendable)? { self }
}
