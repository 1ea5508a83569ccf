internal import ApolloAPI
internal import ApolloCache

/// A transaction on a cache file with the right to write.
final class SQLiteWriteContext: LocalWriteContext, StoreSnapshot, InterruptibleTransaction {
  private let cache: SQLiteNormalizedCache
  /// The writer, or `nil` after the end. The lock is held while it is used.
  private let writer: Lock<CacheWriter?>
  /// The connection of the writer, for interrupting it.
  ///
  /// `nonisolated(unsafe)` because only ``DatabaseConnection/interrupt()`` and
  /// ``DatabaseConnection/allowStatements()`` are called, which are safe on any thread.
  nonisolated(unsafe) private let connection: DatabaseConnection
  private let wasInterrupted = Lock(false)
  private let hasCommitted = Lock(false)

  /// Creates the context of a transaction that has begun.
  ///
  /// - Parameters:
  ///   - writer: The writer with the transaction.
  ///   - cache: The cache to which the writer returns at the end.
  /// - Throws: ``SQLiteError`` if the cache is suspended. The writer has been returned then.
  init(_ writer: CacheWriter, of cache: SQLiteNormalizedCache) throws {
    self.writer = Lock(writer)
    self.cache = cache
    connection = writer.connection
    do {
      try cache.registry.begin(self)
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  private func use<Result>(_ body: (inout CacheWriter) throws -> Result) throws -> Result {
    try writer.withLock { writer throws in
      guard writer != nil else {
        throw wasInterrupted.withLock { $0 } ? SQLiteError.suspended : .ended
      }
      defer { if writer!.hasCommitted { hasCommitted.withLock { $0 = true } } }
      do {
        return try body(&writer!)  // checked above
      } catch let error as SQLiteError where error.isDamage {
        writer!.noteDamage()
        throw error
      }
    }
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try use { try $0.fields(of: key) }
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try use { try $0.fields(of: key, among: wanted) }
  }

  func snapshot() -> any StoreSnapshot { self }

  func commit(_ mutations: [CacheMutation], keeping known: inout RecordTable?) throws -> Commit {
    try committing { writer in
      do {
        let changes = try writer.commit(mutations, keeping: &known)
        if mutations.leaveNothing, writer.mustDeleteToErase {
          // The free pages or the log still have what was replaced or removed.
          try cache.replacing { try writer.deleteFile() }
          return Commit(changes: .everything)
        }
        try writer.forgetSetAside(deletes: mutations.removeEverything)
        return Commit(changes: changes)
      } catch let error as SQLiteError where mutations.leaveNothing && cache.mayDelete(error) {
        // Deleting records writes to the log first, for which a full disk has no space. A damaged
        // file would keep the records under its new name.
        try cache.replacing { try writer.deleteFile() }
        return Commit(changes: .everything)
      } catch let error as SQLiteError where error.isDamage && cache.replacesUnusableFile {
        try cache.replacing { try writer.replaceFile() }
        _ = try writer.applyAgain(mutations) { wasInterrupted.withLock { $0 } }
        try writer.forgetSetAside(deletes: mutations.removeEverything)
        return Commit(changes: .everything)
      }
    }
  }

  func begin(_ write: PendingWrite) throws -> WriteID? {
    try use { try $0.begin(write) }
  }

  /// Indicates whether a failure has followed the commit: what was removed is not erased.
  var mayHaveCommitted: Bool { hasCommitted.withLock { $0 } }

  var keepsUses: Bool { true }

  func note(uses keys: [RecordKey], at time: Int64) throws {
    try use { try $0.note(uses: keys, at: time) }
  }

  func removeFields(_ fields: [RecordKey: Set<FieldKey>]) throws -> Commit {
    try committing { Commit(changes: try $0.commit(removing: fields)) }
  }

  /// Commits with `body`, counts the commit, and ends the context.
  private func committing(_ body: (inout CacheWriter) throws -> Commit) throws -> Commit {
    defer { end() }
    return try use { writer throws in
      cache.willCommit()
      var mayHaveChanges = true  // also after an error
      defer { if mayHaveChanges { cache.recordCommit() } }
      let commit = try body(&writer)
      mayHaveChanges = !commit.changes.isEmpty
      return commit
    }
  }

  func interrupt() {
    wasInterrupted.withLock { $0 = true }
    connection.interrupt()  // so that a statement that is running releases the lock soon
    end()
    connection.allowStatements()  // also if the transaction had just ended
  }

  func end() {
    writer.withLock { writer in
      guard var ending = writer.take() else { return }
      cache.willEnd()
      ending.rollBack()
      ending.connection.allowStatements()
      cache.recycle(ending)
    }
    cache.registry.end(self)  // only after it has released its lock
  }
}

extension [CacheMutation] {
  /// Indicates whether these changes remove all earlier records. Others may follow.
  fileprivate var removeEverything: Bool {
    contains { if case .clear = $0 { true } else { false } }
  }

  /// Indicates whether no record is left after these changes, whatever there was before.
  fileprivate var leaveNothing: Bool {
    var leaveNothing = false
    for mutation in self {
      switch mutation {
      case .clear: leaveNothing = true
      case .merge(let records): leaveNothing = leaveNothing && records.isEmpty
      case .remove, .removeMatching: break
      }
    }
    return leaveNothing
  }
}
