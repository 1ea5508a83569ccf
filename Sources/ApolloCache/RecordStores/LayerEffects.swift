internal import ApolloAPI

/// The combined effects of all optimistic layers: what readers see in place of the cache's records.
///
/// The records are complete: those of the cache with the changes of the layers merged in. So the
/// effects belong to the records that they were computed from.
package struct LayerEffects: Sendable {
  /// The records that a layer has changed, and `nil` for those that it has removed.
  package private(set) var records: [RecordKey: FieldMap?] = [:]
  /// The other records that the layers hide.
  package private(set) var hidden = HiddenRecords()
  /// The ages of the fields that layers have written. The other fields of a record have those of
  /// the cache.
  private var ages: [RecordKey: [FieldKey: LayeredAge]] = [:]

  package init() {}

  /// Indicates whether readers see the cache's records as they are.
  package var isEmpty: Bool { records.isEmpty && hidden == HiddenRecords() }

  /// Returns the visible fields of a record.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - fallback: Returns the fields in the cache. It is called if the layers do not affect the
  ///     record.
  /// - Returns: The fields, or `nil` if there is no such record.
  package func fields(
    of key: RecordKey, orElse fallback: () throws -> FieldMap?
  ) rethrows -> FieldMap? {
    if let fields = records[key] { return fields }
    return hidden.contains(key) ? nil : try fallback()
  }

  /// Returns whether the visible record differs from that of the cache.
  package func affects(_ key: RecordKey) -> Bool { records[key] != nil || hidden.contains(key) }

  /// Returns the ages of the fields of a record that layers have written, or `nil` if there are
  /// none.
  package func ages(of key: RecordKey) -> [FieldKey: LayeredAge]? { ages[key] }

  /// Notes the age of the fields that changes have written.
  ///
  /// - Parameters:
  ///   - age: The age.
  ///   - mutations: The changes.
  ///   - kept: The fields that directives alone have written, which are as old as before.
  ///   - below: The records below the changes, if fields count that are the same there. A closure
  ///     that changes a model writes all of its fields.
  /// - Throws: The errors of the cache.
  package mutating func note(
    _ age: LayeredAge, of mutations: [CacheMutation], except kept: [RecordKey: Set<FieldKey>] = [:],
    unlessIn below: (any StoreSnapshot)?
  ) throws {
    for case .merge(let written) in mutations {
      for record in written {
        let known = try below?.fields(of: record.key)
        let visible = records[record.key] ?? nil
        for field in record.fields.keys
        where known?[field] == nil || known?[field] != visible?[field] {
          if kept[record.key]?.contains(field) ?? false { continue }
          ages[record.key, default: [:]][field] = age
        }
      }
    }
  }

  /// Adds the changes of one more layer, which is above the others.
  package mutating func add(_ changes: LayerEffects) {
    if changes.hidden.includesEverything { records = [:] }
    for key in changes.hidden.patterns.isEmpty ? [] : Array(records.keys)
    where changes.hidden.contains(key) {
      records[key] = .some(nil)
    }
    hidden.formUnion(changes.hidden)
    records.merge(changes.records) { $1 }
    ages.merge(changes.ages) { $0.merging($1) { $1 } }
  }

  /// Adds the changes of one record of one more layer, which is above the others.
  mutating func add(_ changes: LayerEffects, of key: RecordKey) {
    guard let fields = changes.records[key] else { return }
    records[key] = .some(fields)
    guard let new = changes.ages[key] else { return }
    ages[key, default: [:]].merge(new) { $1 }
  }

  /// Shows the record of the cache again.
  mutating func forget(_ key: RecordKey) {
    records.removeValue(forKey: key)
    ages.removeValue(forKey: key)
  }

  /// Replaces a record, or hides it if `fields` is `nil`.
  package mutating func set(_ key: RecordKey, to fields: FieldMap?) { records[key] = .some(fields) }

  /// Hides every record that matches a pattern.
  package mutating func hide(matching pattern: String) {
    for key in Array(records.keys) where key.contains(ignoringCase: pattern) {
      records[key] = .some(nil)
    }
    hidden.patterns.append(pattern)
  }

  /// Hides every record.
  package mutating func hideEverything() {
    records = [:]
    hidden = HiddenRecords(includesEverything: true)
  }
}

/// The age of a field that an optimistic layer has written.
package enum LayeredAge: Sendable {
  /// Optimistic data is as new as the moment.
  case current
  /// A response has written it, which waits for older mutations.
  case written(WriteFacts)
}

/// Records that readers do not see, although the cache has them.
package struct HiddenRecords: Hashable, Sendable {
  /// Indicates whether the cache counts as empty.
  package fileprivate(set) var includesEverything = false
  /// The patterns of the keys, if only some records are hidden.
  package fileprivate(set) var patterns: [String] = []

  package func contains(_ key: RecordKey) -> Bool {
    includesEverything || patterns.contains { key.contains(ignoringCase: $0) }
  }

  fileprivate mutating func formUnion(_ other: HiddenRecords) {
    if other.includesEverything {
      self = other
    } else {
      patterns += other.patterns
    }
  }
}

// MARK: - Changes

extension LayerEffects {
  /// Returns what readers see differently after a commit and a change of the layers.
  ///
  /// - Parameters:
  ///   - old: The effects before.
  ///   - committed: The changes of the commit.
  ///   - touched: The records of which the layers may show something else, or `nil` for all.
  ///   - base: The records of the cache after the commit.
  /// - Returns: The changes, or everything if they cannot be told from the records.
  /// - Throws: The errors of the cache.
  package nonisolated(nonsending) func loadingVisibleChanges(
    since old: LayerEffects, committed: ChangeSet, touched: Set<RecordKey>? = nil,
    over base: any StoreSnapshot
  ) async throws -> ChangeSet {
    while true {
      do {
        return try visibleChanges(since: old, committed: committed, touched, over: base)
      } catch let error as StoreError where error.code == .requiresAsynchronousReading {
        guard try await base.loadRequested() else { throw error }
      }
    }
  }

  private func visibleChanges(
    since old: LayerEffects, committed: ChangeSet, _ touched: Set<RecordKey>?,
    over base: any StoreSnapshot
  ) throws -> ChangeSet {
    guard !committed.includesEverything, hidden == old.hidden else { return .everything }
    func isAffected(_ key: RecordKey) -> Bool { records[key] != nil || old.records[key] != nil }
    let affected = touched?.filter(isAffected) ?? Set(records.keys).union(old.records.keys)
    if base.loadsInBatches { _ = try base.loadNow(Array(affected)) }
    var changes = ChangeSet()
    for entry in committed.entries {
      if hidden.contains(entry.record), !isAffected(entry.record) { continue }
      // The commit of a record that is affected from now on is compared with nothing before it.
      if old.records[entry.record] != nil { continue }
      changes.insert(entry.fields, of: entry.record)
    }
    for key in affected {
      let before = try old.fields(of: key) { try base.fields(of: key) }
      let after = try fields(of: key) { try base.fields(of: key) }
      if let changed = ChangedFields(from: before, to: after) { changes.insert(changed, of: key) }
    }
    return changes
  }
}

extension ChangedFields {
  /// The difference of two records, or `nil` if they are equal.
  fileprivate init?(from before: FieldMap?, to after: FieldMap?) {
    guard let before, let after else {
      if before == nil, after == nil { return nil }
      self = .all
      return
    }
    var fields: [FieldKey] = []
    for (field, value) in before where after[field] != value { fields.append(field) }
    for field in after.keys where before[field] == nil { fields.append(field) }
    guard !fields.isEmpty else { return nil }
    self = .listed(fields)
  }
}
