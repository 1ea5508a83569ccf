internal import ApolloAPI
internal import ApolloCache

/// The one connection of a cache that writes, for one write context at a time.
///
/// | state | `writer` | `isExclusive` | foreign commits | all commits |
/// | :-- | :-- | :-- | :-- | :-- |
/// | idle | here | `false` | counted now | counted now |
/// | a write starts or ends | taken | `false` | unknown | unknown |
/// | a write is under way | taken | `true` | none since the last count | none since the last count |
/// | it commits (`isCommitting`) | taken | `true` | none since the last count | unknown |
final class ExclusiveWriter: Sendable {
  private struct State: Sendable {
    /// The writer, or `nil` while a write context has it.
    var writer: CacheWriter?
    /// Indicates whether the write context excludes other connections and has detected their
    /// earlier commits.
    var isExclusive = false
    /// Indicates whether readers may see a commit of the write context that is not counted.
    var isCommitting = false
    /// The number of times that commits by others were detected.
    var foreignCommitCount = 0
    /// The number of commits of write contexts that may have changed records.
    var ownCommitCount = 0
    /// The number of those that the program itself has made, beside all stores.
    var directCommitCount = 0
    /// The number of writes of the program itself that are under way.
    var directWriteCount = 0

    /// Returns whether all commits by others are counted now.
    mutating func countForeignCommits() throws -> Bool {
      if try writer?.detectsForeignCommit() == true { foreignCommitCount += 1 }
      return writer != nil || isExclusive
    }
  }
  private let state: Lock<State>

  init(_ writer: CacheWriter) {
    state = Lock(State(writer: writer))
  }

  /// Takes the writer, or returns `nil` if a write context has it.
  func take() -> CacheWriter? {
    state.withLock { $0.writer.take() }
  }

  func recycle(_ writer: CacheWriter) {
    state.withLock { state in
      state.writer = writer
      state.isExclusive = false
      state.isCommitting = false
    }
  }

  /// Continues with an erasure that readers have prevented, if the writer is idle.
  ///
  /// - Parameter register: Runs the erasure while it is registered as an open transaction.
  /// - Throws: The errors of `register`.
  func finishErasure(
    _ register: (_ erasure: RunningErasure, _ run: () -> Void) throws -> Void
  ) throws {
    let taken = state.withLock { state -> CacheWriter? in
      // Each end of a reader would try to copy the file.
      guard let writer = state.writer, writer.pendingErasure != nil, !writer.erasureWaitsForSpace
      else { return nil }
      return state.writer.take()
    }
    guard var writer = taken else { return }
    defer { recycle(writer) }
    let erasure = RunningErasure(writer.connection)
    defer { erasure.end() }
    // The next write finds damage again, and replaces the file.
    try register(erasure) { try? writer.finishErasure(within: .zero) }
  }

  /// Sets whether the write context excludes other connections and has detected their earlier
  /// commits.
  func setExclusive(_ isExclusive: Bool) {
    state.withLock { $0.isExclusive = isExclusive }
  }

  /// Counts a detected commit by others.
  func recordForeignCommit() {
    state.withLock { $0.foreignCommitCount += 1 }
  }

  /// Notes that the write context is about to commit. Until the writer is recycled, readers may see
  /// a commit that is not counted.
  func beginCommit() {
    state.withLock { $0.isCommitting = true }
  }

  /// Counts a commit of the write context that may have changed records.
  func recordCommit() {
    state.withLock { $0.ownCommitCount += 1 }
  }

  /// Connects the writer to the file that has taken the place of its own, if it is idle. Otherwise,
  /// the next write does this when it begins.
  ///
  /// 1. The writer is connected. From here on, it detects commits to the new file.
  /// 2. `discardReaders` closes the connections that read the former file.
  /// 3. The replacement is counted as a commit. What was read from the former file was read under
  ///    an earlier count, so memory does not keep it.
  ///
  /// - Throws: ``SQLiteError`` if the new file cannot be opened. Nothing has changed then.
  func reopenIfReplaced(discardingReaders discardReaders: () -> Void) throws {
    let taken = state.withLock { state -> CacheWriter? in
      guard state.writer?.isReplaced == true else { return nil }
      return state.writer.take()
    }
    guard var writer = taken else { return }
    defer { recycle(writer) }
    guard try writer.reopenIfReplaced() else { return }
    discardReaders()
    recordForeignCommit()
  }

  /// Begins a write of the program itself, of which no store learns.
  func beginDirectWrite() {
    state.withLock { $0.directWriteCount += 1 }
  }

  /// Ends such a write, which counts as one by others.
  func endDirectWrite(hasChanges: Bool) {
    state.withLock { state in
      state.directWriteCount -= 1
      if hasChanges { state.directCommitCount += 1 }
    }
  }

  /// Returns whether others have committed since the last local commit, and since the last call.
  /// Returns `false` during a local write, which detects them itself.
  func takeForeignCommits() throws -> Bool {
    try state.withLock { state throws in
      guard var writer = state.writer.take() else { return false }
      defer { state.writer = writer }
      if try writer.detectsForeignCommit() { state.foreignCommitCount += 1 }
      return writer.takeForeignCommits()
    }
  }

  /// Returns the number of times that commits by others were detected, or `nil` while a local write
  /// starts or ends, when they cannot be detected, and while the program itself writes.
  func foreignCommitCount() throws -> Int? {
    try state.withLock { state throws in
      guard try state.countForeignCommits(), state.directWriteCount == 0 else { return nil }
      return state.foreignCommitCount + state.directCommitCount
    }
  }

  /// Returns the number of commits by others, as far as they were detected, and of this cache, or
  /// `nil` while readers may see one that is not counted.
  func commitCount() throws -> Int? {
    try state.withLock { state throws in
      guard try state.countForeignCommits(), !state.isCommitting else { return nil }
      return state.foreignCommitCount + state.ownCommitCount
    }
  }
}
