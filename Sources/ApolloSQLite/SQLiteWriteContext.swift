internal import ApolloAPI
internal import ApolloCache

/// The one connection of a cache that writes, for one writer at a time.
final class ExclusiveWriter: Sendable {
  private struct State: Sendable {
    /// Nil while somebody writes.
    var writer: CacheWriter?
    /// Whether somebody writes who keeps all others from it, and has noticed what they had written before.
    var isExclusive = false
    /// How often others had written, as the writer noticed.
    var foreignCommits = 0
  }
  private let state: Lock<State>

  init(_ writer: CacheWriter) {
    state = Lock(State(writer: writer))
  }

  /// The writer, if nobody has it.
  func take() -> CacheWriter? {
    state.withLock { $0.writer.take() }
  }

  func recycle(_ writer: CacheWriter) {
    state.withLock { state in
      state.writer = writer
      state.isExclusive = false
    }
  }

  /// Notes whether the writer that was taken keeps all others from writing, and has noticed what they had written before.
  func noteExclusive(_ isExclusive: Bool) {
    state.withLock { $0.isExclusive = isExclusive }
  }

  /// Notes that others have written.
  func noteForeignWrite() {
    state.withLock { $0.foreignCommits += 1 }
  }

  /// How often others have written. While somebody of this cache writes, nobody else can; while he is only about to, or has just
  /// ended, others may, and nobody would notice: it is nil then.
  func foreignCommitCount() throws -> Int? {
    try state.withLock { state throws in
      if try state.writer?.noticesForeignWrite() == true { state.foreignCommits += 1 }
      return state.writer != nil || state.isExclusive ? state.foreignCommits : nil
    }
  }
}

/// A transaction on a cache file that has the right to write.
final class SQLiteWriteContext: LocalWriteContext, StoreSnapshot, InterruptibleTransaction {
  private let cache: SQLiteNormalizedCache
  /// Nil when it has ended. The lock is held while it reads and writes.
  private let writer: Lock<CacheWriter?>
  /// The writer's, for who interrupts it.
  ///
  /// `nonisolated(unsafe)` because ``Connection/interrupt()`` is all that is used of it.
  nonisolated(unsafe) private let connection: Connection
  private let wasInterrupted = Lock(false)

  /// - Parameters:
  ///   - writer: one whose transaction has begun.
  ///   - cache: where to give it back.
  /// - Throws: ``SQLiteError`` if the cache is suspended. The writer is given back then.
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
      return try body(&writer!)  // just looked
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
    defer { end() }
    return try use { writer in
      do {
        return Commit(changes: try writer.commit(mutations, keeping: &known))
      } catch let error as SQLiteError where error.isDamage && cache.replacesUnusableFile {
        cache.discardReaders()
        try writer.replaceFile()
        _ = try writer.applyAtOnce(mutations)
        return Commit(changes: .everything)
      }
    }
  }

  func interrupt() {
    wasInterrupted.withLock { $0 = true }
    connection.interrupt()  // so that who writes lets go of the lock soon
    end()
    connection.allowStatements()  // also if it had ended just before
  }

  func end() {
    writer.withLock { writer in
      guard let ending = writer.take() else { return }
      cache.noteEnd()
      ending.rollBack()
      ending.connection.allowStatements()
      cache.recycle(ending)
    }
    cache.registry.end(self)  // not before it has given up its lock
  }
}
