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
    var identity: DatabaseFile.Identity?
    var nextCheck: ContinuousClock.Instant
  }
  private let state: Lock<State>
  private let file: DatabaseFile
  private let onReplacement: @Sendable () -> Void
  private let onEnd: @Sendable () -> Void

  /// The largest number of idle connections. Others are closed when their readers have finished.
  private static let maximumIdleCount = 4

  /// The largest number of connections at a time. Each takes memory and descriptors.
  static let maximumCount = 16

  /// The time between two checks whether the path still leads to the same file.
  private static let timeBetweenChecks = Duration.milliseconds(250)

  /// - Parameters:
  ///   - file: The file to read.
  ///   - onReplacement: Called when another connection has replaced the file.
  ///   - onEnd: Called when a reader has finished.
  init(
    _ file: DatabaseFile, onReplacement: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.file = file
    self.onReplacement = onReplacement
    self.onEnd = onEnd
    state = Lock(State(identity: file.identity, nextCheck: .now + Self.timeBetweenChecks))
  }

  /// Takes a connection, or returns `nil` if all are in use.
  func take() throws -> Reader? {
    discardIfReplaced()
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

  /// Closes the connections if another process has replaced the file. A program that only reads has
  /// no other way to notice.
  private func discardIfReplaced() {
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard state.nextCheck <= now else { return false }
      state.nextCheck = now + Self.timeBetweenChecks
      return true
    }
    // A file that is missing is about to be replaced.
    guard isDue, let identity = file.identity else { return }
    guard state.withLock({ $0.identity }) != identity else { return }
    discard()
    onReplacement()
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
    let identity = file.identity
    let old = state.withLock { state in
      state.round += 1
      state.identity = identity ?? state.identity
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(old) {}  // closed here, outside the lock
  }
}
