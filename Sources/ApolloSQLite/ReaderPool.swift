internal import ApolloAPI
internal import ApolloCache

/// A pool of connections that read.
final class ReaderPool: Sendable {
  /// A connection with its known shapes, and the round of the pool to which it belongs.
  ///
  /// `@unchecked Sendable` because it is either in the pool or in one snapshot.
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

  /// The largest number of idle connections. Others are closed when their readers have finished.
  private static let maximumIdleCount = 4

  init(_ file: DatabaseFile) {
    self.file = file
  }

  func take() throws -> Reader {
    let (idle, round) = state.withLock { ($0.idle.popLast(), $0.round) }
    return try idle ?? Reader(rows: RecordRows(file.openForReading()), round: round)
  }

  func recycle(_ reader: Reader) {
    state.withLock { state in
      guard reader.round == state.round, state.idle.count < Self.maximumIdleCount else { return }
      state.idle.append(reader)
    }
  }

  /// Closes all idle connections, and those in use when they are recycled, because the file was
  /// replaced.
  func discard() {
    let old = state.withLock { state in
      state.round += 1
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(old) {}  // closed here, outside the lock
  }
}
