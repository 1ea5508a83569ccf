internal import ApolloCache

/// The one connection of a cache that writes, for one writer at a time.
final class WriterDesk: Sendable {
  private struct State: Sendable {
    /// Nil while somebody writes.
    var writer: CacheWriter?
    /// How often others had written, as the writer noticed.
    var foreignWriteCount = 0
  }
  private let state: Lock<State>

  init(_ writer: CacheWriter) {
    state = Lock(State(writer: writer))
  }

  /// The writer, if nobody has it.
  func take() -> CacheWriter? {
    state.withLock { $0.writer.take() }
  }

  func giveBack(_ writer: CacheWriter) {
    state.withLock { $0.writer = writer }
  }

  /// Notes that others have written.
  func noteForeignWrite() {
    state.withLock { $0.foreignWriteCount += 1 }
  }

  /// How often others have written. While somebody of this cache writes, nobody else can.
  func countForeignWrites() throws -> Int {
    try state.withLock { state throws in
      if try state.writer?.noticesForeignWrite() == true { state.foreignWriteCount += 1 }
      return state.foreignWriteCount
    }
  }
}

/// A transaction on a cache file that has the right to write.
final class SQLiteWritingSession: WritingSession {
  private let cache: SQLiteNormalizedCache
  /// Nil when it has ended.
  private var writer: CacheWriter?

  /// - Parameters:
  ///   - writer: one whose transaction has begun.
  ///   - cache: where to give it back.
  init(_ writer: CacheWriter, of cache: SQLiteNormalizedCache) {
    self.writer = writer
    self.cache = cache
  }

  deinit { end() }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try writer?.fields(of: key)
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try writer?.fields(of: key, among: wanted)
  }

  func commit(_ changes: [CacheMutation]) throws -> ChangeSet {
    guard writer != nil else { preconditionFailure("A session is committed once.") }
    defer { end() }
    do {
      return try writer!.commit(changes)
    } catch let error as SQLiteError where error.isDamage && cache.replacesUnusableFile {
      cache.discardReaders()
      try writer!.replaceFile()
      _ = try writer!.applyAtOnce(changes)
      return .everything
    }
  }

  func end() {
    guard let writer = writer.take() else { return }
    writer.rollBack()
    cache.giveBack(writer)
  }
}
