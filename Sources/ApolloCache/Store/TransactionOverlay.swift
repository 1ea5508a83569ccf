/// The changes of a transaction so far, in front of the records as they were when it started.
///
/// Nothing reaches the cache before the body of the transaction returns. Then ``mutations`` are
/// committed in order.
package final class TransactionOverlay: StoreSnapshot {
  package private(set) var mutations: [CacheMutation] = []
  private let base: any StoreSnapshot
  private var merger = RecordMerger()

  /// The records that were written or removed, and what hides the others.
  package private(set) var effects = LayerEffects()

  package init(_ base: any StoreSnapshot) {
    self.base = base
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key) }
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key, among: wanted) }
  }

  package func prepare(_ keys: [RecordKey]) throws {
    if !effects.hidden.includesEverything { try base.prepare(keys) }
  }

  package var isStable: Bool { base.isStable }

  // MARK: Loading in batches

  package var loadsInBatches: Bool { base.loadsInBatches }
  package var hasRecordsInMemory: Bool { base.hasRecordsInMemory }
  package func isLoaded(_ key: RecordKey) -> Bool {
    effects.affects(key) || base.isLoaded(key)
  }
  package func loadNow(_ keys: [RecordKey]) throws -> Bool { try base.loadNow(keys) }
  package nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    try await base.load(keys)
  }
  package nonisolated(nonsending) func loadRequested() async throws -> Bool {
    try await base.loadRequested()
  }
}

// MARK: - Changes

extension TransactionOverlay {
  package func merge(_ records: RecordSet) throws {
    if base.loadsInBatches {
      // One batch, in place of one for each record.
      let unknown = records.lazy.map(\.key).filter { !self.isLoaded($0) }
      if !unknown.isEmpty { _ = try base.loadNow(Array(unknown)) }
    }
    for record in records {
      var fields = try fields(of: record.key) ?? FieldMap()
      _ = merger.merge(record.fields, into: &fields)
      effects.set(record.key, to: fields)
    }
    noteMerge(of: records)
  }

  /// Combines consecutive merges, so that most transactions are one change, which a cache without
  /// transactions applies all or not at all.
  private func noteMerge(of records: RecordSet) {
    guard case .merge(var merged)? = mutations.last else {
      return mutations.append(.merge(records))
    }
    mutations.removeLast()  // so that `merged` is the only owner
    for record in records { merged.append(record) }
    mutations.append(.merge(merged))
  }

  package func remove(_ key: RecordKey) {
    effects.set(key, to: nil)
    mutations.append(.remove(key))
  }

  package func remove(matching pattern: String) {
    guard !pattern.isEmpty else { return }
    effects.hide(matching: pattern)
    mutations.append(.removeMatching(pattern))
  }

  package func clear() {
    effects.hideEverything()
    mutations = [.clear]
  }
}
