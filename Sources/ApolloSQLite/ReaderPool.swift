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
    /// The number of connections that are in use.
    var usedCount = 0
    var round = 0
    var nextCheck: ContinuousClock.Instant
  }
  private let state: Lock<State>
  private let file: DatabaseFile
  private let follow: @Sendable (_ discard: () -> Void) throws -> Void
  private let onEnd: @Sendable () -> Void

  /// The largest number of idle connections. Others are closed when their readers have finished.
  private static let maximumIdleCount = 4

  /// The largest number of connections at a time. Each takes memory and descriptors.
  static let maximumCount = 16

  /// The time between two checks whether the path still leads to the same file.
  private static let timeBetweenChecks = Duration.milliseconds(250)

  /// - Parameters:
  ///   - file: The file to read.
  ///   - follow: Called from time to time. If another process has replaced the file, it connects
  ///     the writer to the new one and calls `discard`.
  ///   - onEnd: Called when a reader has finished.
  init(
    _ file: DatabaseFile, follow: @escaping @Sendable (_ discard: () -> Void) throws -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.file = file
    self.follow = follow
    self.onEnd = onEnd
    state = Lock(State(nextCheck: .now + Self.timeBetweenChecks))
  }

  /// Takes a connection, or returns `nil` if all are in use.
  func take() throws -> Reader? {
    try followIfDue()
    let (mayRead, idle, round) = state.withLock { state in
      guard state.usedCount < Self.maximumCount else { return (false, nil as Reader?, 0) }
      state.usedCount += 1
      return (true, state.idle.popLast(), state.round)
    }
    guard mayRead else { return nil }
    do {
      return try idle ?? Reader(rows: RecordRows(file.openForReading()), round: round)
    } catch {
      state.withLock { $0.usedCount -= 1 }
      throw error
    }
  }

  /// Follows another process that has replaced the file. A program that only reads has no other way
  /// to notice.
  ///
  /// The writer goes first: it counts the commits of others, and those to the new file cannot be
  /// detected over a connection to the former one.
  private func followIfDue() throws {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard state.nextCheck <= now else { return false }
      state.nextCheck = now + Self.timeBetweenChecks
      return true
    }
    if isDue { try follow { discard() } }
  }

  func recycle(_ reader: Reader) {
    state.withLock { state in
      state.usedCount -= 1
      guard reader.round == state.round, state.idle.count < Self.maximumIdleCount else { return }
      state.idle.append(reader)
    }
    onEnd()
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
