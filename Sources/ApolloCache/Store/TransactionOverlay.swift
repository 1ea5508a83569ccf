/// The changes of a transaction so far, in front of the records as they were when it started.
///
/// Nothing reaches the cache before the body of the transaction returns. Then ``mutations`` are
/// committed in order.
package final class TransactionOverlay: StoreSnapshot {
  package private(set) var mutations: [CacheMutation] = []
  private let base: any StoreSnapshot
  private var merger = RecordMerger()

  /// The records that were written or removed, and what hides the others, but for ``replaced``.
  private var known = LayerEffects()
  /// The fields that were replaced of other records. These are not read as a whole: the root of
  /// queries has a field for each page of each list.
  private var replaced: [RecordKey: FieldMap] = [:]
  /// The roots of which fields were merged without the others. The results are in ``replaced``.
  private var mergedRoots: Set<RecordKey> = []

  /// The fields that only directives have written, such as `@appendEdge`.
  private(set) var edited = EditedPages()

  /// The fields with pages that a directive was to change and has left as they are: they have the
  /// item already, or a newer write has brought them.
  var confirmed = EditedPages()

  /// The pages of lists that directives have changed before, as the records below have them.
  var chains: KnownChains?

  package init(_ base: any StoreSnapshot) {
    self.base = base
  }

  package func fields(of key: RecordKey) throws -> FieldMap? {
    try known.fields(of: key) {
      try base.fields(of: key).replacing(replaced[key]) { _ in true }
    }
  }

  package func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try known.fields(of: key) {
      try base.fields(of: key, among: wanted).replacing(replaced[key], wanted.contains)
    }
  }

  /// Returns the records that were written or removed, and what hides the others.
  ///
  /// - Throws: The errors of the cache.
  package func effects() throws -> LayerEffects {
    var all = known
    for key in replaced.keys { all.set(key, to: try fields(of: key)) }
    return all
  }

  package func prepare(_ keys: [RecordKey]) throws {
    if !known.hidden.includesEverything { try base.prepare(keys) }
  }

  package var isStable: Bool { base.isStable }

  // MARK: Loading in batches

  package var loadsInBatches: Bool { base.loadsInBatches }
  package var hasRecordsInMemory: Bool { base.hasRecordsInMemory }
  package func isLoaded(_ key: RecordKey) -> Bool {
    known.affects(key) || base.isLoaded(key)
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
    if !edited.isEmpty {
      for record in records { edited.merge(record.fields, of: record.key) }
    }
    try mergeFields(of: records)
  }

  /// Replaces fields of a record by those of a list that a directive has changed. Elements without
  /// keys do not become parts of those that were at their places.
  ///
  /// `part`: What has changed of the embedded object that the only field has, if that is no page.
  func replace(_ fields: FieldMap, of key: RecordKey, part: CacheValue? = nil) throws {
    let others = fields.keys.map { ($0, otherValue(of: $0, of: key)) }
    let compound = fields.filter(\.value.isCompound).map { ($0.key, CacheValue.null) }
    if known.affects(key) {
      known.set(key, to: try self.fields(of: key).replacing(fields) { _ in true })
    } else {
      replaced[key] = replaced[key].replacing(fields) { _ in true }
    }
    noteMerge(
      of: RecordSet([
        Record(key: key, fields: FieldMap(compound)), Record(key: key, fields: fields),
      ]))
    for (field, other) in others {
      if let part {
        edited.insert(part, field, of: key, beside: other)
      } else if other != nil {
        edited.remove(CollectionOfOne(field), of: key)
      } else {
        edited.insert(CollectionOfOne(field), of: key)
      }
    }
  }

  /// Returns what other changes than those of directives have written of a field, or `nil` if they
  /// have written nothing.
  private func otherValue(of field: FieldKey, of key: RecordKey) -> CacheValue? {
    guard !edited.contains(field, of: key) else { return nil }
    if let known = edited.beside[key]?[field] { return known }
    var value: CacheValue?
    for case .merge(let records) in mutations {
      for record in records where record.key == key {
        guard let new = record.fields[field] else { continue }
        value = value?.merging(new) ?? new
      }
    }
    return value
  }

  /// Returns whether changes other than those of directives may have changed pages in a record.
  func mayHaveChanged(_ chain: PageChain, in record: RecordKey) -> Bool {
    (known.affects(record) || mergedRoots.contains(record))
      && mutations.contains { mutation in
        guard case .merge(let records) = mutation else { return true }
        return records.contains {
          $0.key == record && $0.fields.keys.contains(where: chain.contains)
        }
      }
  }

  /// Returns whether the records below the transaction have one with this key.
  func isInBase(_ key: RecordKey) throws -> Bool {
    try base.fields(of: key, among: [.typename]) != nil
  }

  private func mergeFields(of records: RecordSet) throws {
    if base.loadsInBatches {
      // One batch, in place of one for each record.
      let unknown = records.lazy.map(\.key).filter { !self.isLoaded($0) }
      if !unknown.isEmpty { _ = try base.loadNow(Array(unknown)) }
    }
    for record in records {
      if base.loadsInBatches, record.key.isRoot, !known.affects(record.key) {
        try mergeIntoRoot(record)
        continue
      }
      var fields = try fields(of: record.key) ?? FieldMap()
      _ = merger.merge(record.fields, into: &fields)
      set(record.key, to: fields)
    }
    noteMerge(of: records)
  }

  /// Merges fields of a root without reading the others. A commit to a cache on another machine
  /// depends on what was read, so it would conflict with every other write of the root.
  private func mergeIntoRoot(_ record: Record) throws {
    var fields = try fields(of: record.key, among: record.fields.keys) ?? FieldMap()
    _ = merger.merge(record.fields, into: &fields)
    // A cache may return more fields than it is asked for.
    replaced[record.key] = replaced[record.key].replacing(fields) { record.fields[$0] != nil }
    mergedRoots.insert(record.key)
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

  private func set(_ key: RecordKey, to fields: FieldMap?) {
    known.set(key, to: fields)
    replaced[key] = nil
  }

  package func remove(_ key: RecordKey) {
    set(key, to: nil)
    mutations.append(.remove(key))
  }

  package func remove(matching pattern: String) {
    guard !pattern.isEmpty else { return }
    known.hide(matching: pattern)
    replaced = replaced.filter { !$0.key.contains(ignoringCase: pattern) }
    mutations.append(.removeMatching(pattern))
  }

  package func clear() {
    known.hideEverything()
    replaced = [:]
    mutations = [.clear]
  }
}

extension CacheValue {
  /// Indicates whether the value is a list or an embedded object.
  fileprivate var isCompound: Bool {
    switch self {
    case .list, .object: true
    default: false
    }
  }
}

extension FieldMap? {
  /// Returns the fields with others in place of some, as far as these are wanted.
  fileprivate func replacing(
    _ new: FieldMap?, _ isWanted: (FieldKey) -> Bool
  ) -> FieldMap? {
    guard let new else { return self }
    var fields = self ?? FieldMap()
    for (field, value) in new where isWanted(field) { fields[field] = value }
    return fields
  }
}
