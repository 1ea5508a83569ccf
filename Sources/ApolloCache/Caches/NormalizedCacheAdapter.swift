internal import ApolloAPI

extension NormalizedCache {
  /// The record store of a cache: the cache itself, if it is one of this package, or an adapter.
  ///
  /// The only place that looks at the type of a cache.
  package var recordStore: any LocalRecordStore {
    self as? any LocalRecordStore ?? NormalizedCacheAdapter(self)
  }
}

/// The record store of a user's own cache, of which only the public methods are known.
package final class NormalizedCacheAdapter: LocalRecordStore {
  private struct State: Sendable {
    /// The number of commits through this adapter that may have changed records.
    var commitCount = 0
    /// The number of writes of the program itself that have ended, and of those under way.
    var directWriteCount = 0
    var directWritesUnderWay = 0
  }
  private let state = Lock(State())
  private let cache: any NormalizedCache

  package init(_ cache: any NormalizedCache) { self.cache = cache }

  package var slowestCache: AnyObject { cache }

  /// `false`: the default of ``NormalizedCache/apply(_:)`` may fail half way.
  package var isTransactional: Bool { false }

  package func openSnapshot() throws -> any StoreSnapshot {
    if let snapshot = try cache.snapshot() { return AdaptedSnapshot(snapshot, of: cache) }
    return LoadingSnapshot(cache)
  }

  package func tryToWrite(isLastTry: Bool) -> (any LocalWriteContext)? {
    AdapterWriteContext(store: self, cache: cache)
  }

  package func beginWritingAtOnce() -> (any WriteContext)? {
    AdapterWriteContext(store: self, cache: cache)
  }

  // MARK: Counting what was written through this adapter

  package func commitCount() -> Int? { state.withLock { $0.commitCount } }

  fileprivate func recordCommit() { state.withLock { $0.commitCount += 1 } }

  package func foreignCommitCount() -> Int? {
    state.withLock { $0.directWritesUnderWay == 0 ? $0.directWriteCount : nil }
  }

  package func beginDirectWrite() { state.withLock { $0.directWritesUnderWay += 1 } }

  package func endDirectWrite(hasChanges: Bool) {
    state.withLock { state in
      state.directWritesUnderWay -= 1
      if hasChanges { state.directWriteCount += 1 }
    }
  }
}

/// A write to a user's own cache. The store's write queue is what makes it exclusive.
private struct AdapterWriteContext: LocalWriteContext {
  let store: NormalizedCacheAdapter
  let cache: any NormalizedCache

  func snapshot() throws -> any StoreSnapshot { try store.openSnapshot() }

  func commit(_ mutations: [CacheMutation], keeping known: inout RecordTable?) throws -> Commit {
    var mayHaveChanges = true  // also if it fails half way
    defer { if mayHaveChanges { store.recordCommit() } }
    let changes = try cache.apply(mutations)
    mayHaveChanges = !changes.isEmpty
    known?.applyToKnown(mutations)
    return Commit(changes: changes)
  }

  func end() {}
}

/// A snapshot of a user's own cache.
private final class AdaptedSnapshot: StoreSnapshot {
  private let snapshot: any RecordSnapshot
  private let cache: any NormalizedCache

  init(_ snapshot: any RecordSnapshot, of cache: any NormalizedCache) {
    self.snapshot = snapshot
    self.cache = cache
  }

  /// Returns the keys of the snapshot, or else those of the cache, which may be newer.
  func recordKeys() throws -> [RecordKey]? { try snapshot.recordKeys() ?? cache.recordKeys() }

  func fields(of key: RecordKey) throws -> FieldMap? { try snapshot.fields(of: key) }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try snapshot.fields(of: key, among: wanted)
  }

  func prepare(_ keys: [RecordKey]) throws { try snapshot.prepare(keys) }
}

/// The records of a cache without snapshots, loaded level by level, each at most once.
package final class LoadingSnapshot: StoreSnapshot {
  private let cache: any NormalizedCache
  private var loaded: [RecordKey: FieldMap?] = [:]

  package init(_ cache: any NormalizedCache) { self.cache = cache }

  package var isStable: Bool { false }
  package var loadsInBatches: Bool { true }
  package var hasRecordsInMemory: Bool { false }
  package func isLoaded(_ key: RecordKey) -> Bool { loaded[key] != nil }

  package func loadNow(_ keys: [RecordKey]) throws -> Bool {
    let missing = Set(keys.lazy.filter { self.loaded[$0] == nil })
    guard !missing.isEmpty else { return true }
    let records = try cache.loadRecords(forKeys: missing)
    for key in missing { loaded[key] = .some(records[key]?.fields) }
    return true
  }

  package nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    _ = try loadNow(keys)
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    _ = try loadNow([key])
    return loaded[key] ?? nil
  }

  package func prepare(_ keys: [RecordKey]) throws { _ = try loadNow(keys) }

  package func recordKeys() throws -> [RecordKey]? { try cache.recordKeys() }
}

extension RecordTable {
  /// Applies changes to the records of this table, which lacks some records of the cache.
  package mutating func applyToKnown(_ mutations: [CacheMutation]) {
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        for record in records where fields(of: record.key) != nil {
          _ = merge(CollectionOfOne(record))
        }
      case .remove, .removeMatching, .clear: _ = apply([mutation])
      }
    }
  }
}
