internal import ApolloCache

/// The one connection of a cache that writes.
///
/// `@unchecked Sendable` because the lock of the cache that owns it guards it.
struct CacheWriter: @unchecked Sendable {
  private let file: DatabaseFile
  private var identity: DatabaseFile.Identity?
  private var rows: RecordRows

  init(_ file: DatabaseFile) throws {
    self.file = file
    rows = RecordRows(try file.openForWriting())
    identity = file.identity
  }

  /// Begins anew because the file turned out to be damaged.
  mutating func replaceFile() throws {
    rows = RecordRows(try file.replace())
    identity = file.identity
  }

  /// Begins anew if somebody has deleted or replaced the file: what is written to the old one would
  /// be lost.
  mutating func reopenIfReplaced() throws -> Bool {
    guard file.identity != identity else { return false }
    self = try CacheWriter(file)
    return true
  }

  /// Applies changes in one transaction.
  mutating func apply(_ changes: [CacheMutation]) throws -> ChangeSet {
    do {
      let result = try rows.database.transaction {
        var result = ChangeSet()
        for change in changes { result.formUnion(try apply(change)) }
        return result
      }
      if result.includesEverything && file.configuration.shouldVacuumOnClear { vacuum() }
      return result
    } catch {
      rows.forgetShapes()
      throw error
    }
  }

  private mutating func apply(_ change: CacheMutation) throws -> ChangeSet {
    switch change {
    case .merge(let records): return try rows.merge(records)
    case .remove(let key):
      var changes = ChangeSet()
      if try rows.remove(key) { changes.insert(key) }
      return changes
    case .removeMatching(let pattern):
      var changes = ChangeSet()
      for key in try rows.keys(matching: pattern) where try rows.remove(key) { changes.insert(key) }
      return changes
    case .clear:
      try rows.removeAll()
      return .everything
    }
  }

  /// The records are gone already. If the space cannot be given back now, because somebody is
  /// reading, the next records will use it.
  private func vacuum() {
    try? rows.database.execute("VACUUM")
  }

  func problems() throws -> [String] {
    try DatabaseFile.problems(in: rows.database, atMost: 100)
  }

  func limitPageCount(to count: Int) throws {
    _ = try rows.database.integer("PRAGMA max_page_count = \(count)")
  }
}
