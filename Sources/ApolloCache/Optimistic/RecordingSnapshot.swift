internal import ApolloAPI

/// The records and fields that the closure of a layer has read, on which its changes depend.
struct ReadRecords: Sendable {
  fileprivate enum Fields: Sendable {
    case all
    case some(Set<FieldKey>)
  }
  fileprivate var records: [RecordKey: Fields] = [:]
  /// Indicates whether the changes may depend on anything, such as on the failure of a reading.
  private(set) var includesEverything = false

  mutating func insert(_ key: RecordKey) { records[key] = .all }

  mutating func insert(_ fields: [FieldKey], of key: RecordKey) {
    switch records[key] {
    case .all?: return
    case .some(.some(let known)): records[key] = .some(known.union(fields))
    case nil: records[key] = .some(Set(fields))
    }
  }

  mutating func insertEverything() { includesEverything = true }

  /// The records of which something was read.
  var keys: [RecordKey] { Array(records.keys) }

  /// Returns whether something of a record was read.
  func contains(_ key: RecordKey) -> Bool { records[key] != nil }

  /// Returns whether a field of a record was read.
  func contains(_ field: FieldKey, of key: RecordKey) -> Bool {
    switch records[key] {
    case nil: false
    case .all?: true
    case .some(.some(let fields)): fields.contains(field)
    }
  }

  mutating func formUnion(_ other: ReadRecords) {
    includesEverything = includesEverything || other.includesEverything
    for (key, fields) in other.records {
      switch fields {
      case .all: insert(key)
      case .some(let fields): insert(Array(fields), of: key)
      }
    }
  }

  /// Returns whether changes concern something that was read.
  ///
  /// - Complexity: O(*n*) in the number of changed records.
  func intersects(_ changes: ChangeSet) -> Bool {
    if includesEverything || changes.includesEverything { return !changes.isEmpty }
    return changes.entries.contains { entry in
      switch records[entry.record] {
      case nil: false
      case .all?: true
      case .some(.some(let fields)): fields.contains(where: entry.fields.contains)
      }
    }
  }
}

/// Changes that are compared with the readings of many layers.
struct ChangeIndex {
  private(set) var changes: ChangeSet
  private var keys: Set<RecordKey>

  init(_ changes: ChangeSet) {
    self.changes = changes
    keys = changes.records
  }

  var isEmpty: Bool { changes.isEmpty }

  mutating func formUnion(_ other: ChangeSet) {
    changes.formUnion(other)
    keys.formUnion(other.entries.lazy.map(\.record))
  }

  /// Returns whether any of the records may have changed.
  func mayContain(_ records: some Sequence<RecordKey>) -> Bool {
    changes.includesEverything || records.contains(where: keys.contains)
  }
}

extension ReadRecords {
  /// Returns whether changes concern something that was read.
  ///
  /// - Complexity: O(*n*) in the number of records that were read, if none of them has changed.
  func intersects(_ index: ChangeIndex) -> Bool {
    (includesEverything || index.mayContain(records.keys)) && intersects(index.changes)
  }
}

/// A snapshot that notes what is read from it.
final class RecordingSnapshot: StoreSnapshot {
  private let base: any StoreSnapshot
  private(set) var reads = ReadRecords()

  init(_ base: any StoreSnapshot) { self.base = base }

  func fields(of key: RecordKey) throws -> FieldMap? {
    reads.insert(key)
    return try noting { try base.fields(of: key) }
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    reads.insert(wanted, of: key)
    return try noting { try base.fields(of: key, among: wanted) }
  }

  /// Indicates whether the cache has failed.
  var hasFailed: Bool { reads.includesEverything }

  /// Notes a failure, after which another try may succeed.
  private func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
    do {
      return try body()
    } catch {
      reads.insertEverything()
      throw error
    }
  }

  func prepare(_ keys: [RecordKey]) throws { try noting { try base.prepare(keys) } }
  var isStable: Bool { base.isStable }
  var version: UInt64? { base.version }

  // MARK: Loading in batches

  var loadsInBatches: Bool { base.loadsInBatches }
  var hasRecordsInMemory: Bool { base.hasRecordsInMemory }
  func isLoaded(_ key: RecordKey) -> Bool { base.isLoaded(key) }
  func loadNow(_ keys: [RecordKey]) throws -> Bool { try noting { try base.loadNow(keys) } }
  nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws { try await base.load(keys) }
  nonisolated(nonsending) func loadRequested() async throws -> Bool {
    try await base.loadRequested()
  }
}
