internal import ApolloCache

/// Connections that read, kept for the next reader.
final class ReaderPool: Sendable {
  /// A connection with what it learned, and the round of the pool it belongs to.
  ///
  /// `@unchecked Sendable` because it is either in the pool or in the hands of one snapshot.
  struct Reader: @unchecked Sendable {
    var rows: RecordRows
    fileprivate let round: Int
  }

  private struct State: Sendable {
    var idle: [Reader] = []
    var round = 0
  }
  private let state = Lock(State())
  private let file: DatabaseFile

  /// More readers at a time get connections of their own, which are closed when they are done.
  private static let maximumIdleCount = 4

  init(_ file: DatabaseFile) {
    self.file = file
  }

  func take() throws -> Reader {
    let (idle, round) = state.withLock { ($0.idle.popLast(), $0.round) }
    return try idle ?? Reader(rows: RecordRows(file.openForReading()), round: round)
  }

  func giveBack(_ reader: Reader) {
    state.withLock { state in
      guard reader.round == state.round, state.idle.count < Self.maximumIdleCount else { return }
      state.idle.append(reader)
    }
  }

  /// Forgets all connections, because the file is another one now.
  func discard() {
    let old = state.withLock { state in
      state.round += 1
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(old) {}  // closed here, outside the lock
  }
}

/// The records of a file as they were when the snapshot was made.
final class SQLiteSnapshot: RecordSnapshot {
  private var reader: ReaderPool.Reader
  private let pool: ReaderPool

  init(_ pool: ReaderPool) throws {
    self.pool = pool
    reader = try pool.take()
    do {
      try reader.rows.database.statement("BEGIN").run()
      // A transaction sees the state of its first look.
      try reader.rows.database.statement("PRAGMA data_version").run()
    } catch {
      reader.rows.database.rollBack()
      pool.giveBack(reader)
      throw error
    }
  }

  deinit {
    reader.rows.database.rollBack()  // nothing was written
    pool.giveBack(reader)
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try reader.rows.fields(of: key)
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try reader.rows.fields(of: key, among: wanted)
  }
}
