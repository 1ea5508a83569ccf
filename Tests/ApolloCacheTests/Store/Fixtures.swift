import ApolloAPI
import ApolloCache

/// The notifications of watches, collected from any thread.
final class Notes: Sendable {
  private let changes = Lock<[StoreChange]>([])

  func append(_ change: StoreChange) { changes.withLock { $0.append(change) } }
  func removeAll() { changes.withLock { $0 = [] } }
  var count: Int { changes.withLock { $0.count } }
  var last: StoreChange? { changes.withLock { $0.last } }
}

/// A user's own cache with only the required methods: no snapshots, no transactions, and it may
/// fail.
final class DictionaryCache: NormalizedCache {
  struct Failure: Error {}

  private let state: Lock<(table: RecordTable, fails: Bool)>
  private let failsNextMerge = Lock(false)
  private let failsNextLoad = Lock(false)

  init(_ records: RecordSet) {
    var table = RecordTable()
    _ = table.merge(records)
    state = Lock((table, false))
  }

  var fails: Bool {
    get { state.withLock { $0.fails } }
    set { state.withLock { $0.fails = newValue } }
  }

  /// Indicates whether the next merge fails, and no other.
  var failsOnce: Bool {
    get { failsNextMerge.get() }
    set { failsNextMerge.withLock { $0 = newValue } }
  }

  /// Lets the next load fail, and no other.
  func failOnceToLoad() { failsNextLoad.withLock { $0 = true } }

  private func access<Result>(_ body: (inout RecordTable) -> Result) throws -> Result {
    try state.withLock { state in
      if state.fails { throw Failure() }
      return body(&state.table)
    }
  }

  func loadRecords(forKeys keys: Set<RecordKey>) throws -> [RecordKey: Record] {
    if failsNextLoad.exchange(false) { throw Failure() }
    return try access { table in
      var records: [RecordKey: Record] = [:]
      for key in keys { records[key] = table.fields(of: key).map { Record(key: key, fields: $0) } }
      return records
    }
  }

  func merge(records: RecordSet) throws -> ChangeSet {
    if failsNextMerge.exchange(false) { throw Failure() }
    return try access { $0.merge(records) }
  }
  func removeRecord(for key: RecordKey) throws -> ChangeSet {
    try access { $0.apply([.remove(key)]) }
  }
  func removeRecords(matching pattern: String) throws -> ChangeSet {
    try access { $0.apply([.removeMatching(pattern)]) }
  }
  func clear() throws { _ = try access { $0.apply([.clear]) } }
}
