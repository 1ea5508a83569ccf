#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A record store on this machine, which works without suspending.
///
/// Every ``NormalizedCache`` is one: directly, or through a ``NormalizedCacheAdapter``. Memory can
/// be put in front of it (``ChainedNormalizedCache``), and its public methods are synchronous.
package protocol LocalRecordStore: RecordStore {
  /// Takes the right to write if no other connection has it. Returns at once.
  ///
  /// - Parameter isLastTry: Whether to throw, instead of returning `nil`, if another connection
  ///   writes.
  /// - Returns: The right to write, or `nil` if another connection has it.
  /// - Throws: The errors of the cache.
  func tryToWrite(isLastTry: Bool) throws -> (any LocalWriteContext)?

  /// The number of commits that have changed records, by whichever store, chain or connection, or
  /// `nil` at moments at which readers may see one that is not counted.
  ///
  /// Memory in front of the cache asks after each snapshot: while the number is the same, so are
  /// the records. A commit through a write context counts once if its changes are not empty. It may
  /// count if it throws. Several commits of other connections may count as one.
  func commitCount() throws -> Int?

  /// Begins a write that the program makes itself, without a store, to the cache or to memory in
  /// front of it.
  func beginDirectWrite()

  /// Ends such a write. For stores (``RecordStore/foreignCommitCount()``), it is one by others.
  func endDirectWrite(hasChanges: Bool)
}

extension LocalRecordStore {
  /// Does nothing: only stores write to the cache.
  package func beginDirectWrite() {}

  /// Does nothing, as ``beginDirectWrite()``.
  package func endDirectWrite(hasChanges: Bool) {}
}

/// The right to write to a cache on this machine.
package protocol LocalWriteContext: WriteContext {
  /// Applies changes in order, all or none, without suspending.
  ///
  /// - Parameters:
  ///   - mutations: The changes.
  ///   - known: Complete records, which need not be read from the cache. The commit keeps them
  ///     current and may add records. `nil` if the caller keeps none. After an error, and after a
  ///     commit that changes everything, they are of no use.
  /// - Returns: The changes.
  /// - Throws: The errors of the cache.
  func commit(_ mutations: [CacheMutation], keeping known: inout RecordTable?) throws -> Commit

  /// Removes fields of records, all or none, without suspending. They count as unknown afterwards.
  ///
  /// - Throws: The errors of the cache.
  func removeFields(_ fields: [RecordKey: Set<FieldKey>]) throws -> Commit
}

extension LocalWriteContext {
  /// Applies changes in order, all or none.
  package func commit(_ mutations: [CacheMutation]) throws -> Commit {
    var known: RecordTable?
    return try commit(mutations, keeping: &known)
  }

  /// Writes each record again without the fields.
  package func removeFields(_ fields: [RecordKey: Set<FieldKey>]) throws -> Commit {
    var known: RecordTable?
    return try commit(mutations(removing: fields), keeping: &known)
  }

  package nonisolated(nonsending) func commit(
    removing fields: [RecordKey: Set<FieldKey>]
  ) async throws -> Commit {
    try removeFields(fields)
  }

  package nonisolated(nonsending) func commit(_ mutations: [CacheMutation]) async throws -> Commit {
    var known: RecordTable?
    return try commit(mutations, keeping: &known)
  }

  package nonisolated(nonsending) func commit(_ response: NormalizedResponse) async throws -> Commit
  {
    var known: RecordTable?
    return try commit([.merge(response.records)], keeping: &known)
  }
}

// MARK: - Waiting for other connections

extension LocalRecordStore {
  package func beginWritingAtOnce() throws -> (any WriteContext)? {
    writeTimeout > .zero ? try tryToWrite(isLastTry: false) : nil
  }

  package nonisolated(nonsending) func beginWriting() async throws -> any WriteContext {
    try await beginWriting(until: .now + writeTimeout)
  }

  package nonisolated(nonsending) func beginWriting(
    until deadline: ContinuousClock.Instant
  ) async throws -> any WriteContext {
    var waiting = Waiting(until: deadline)
    while true {
      if let context = try tryToWrite(isLastTry: waiting.isOver) { return context }
      try await waiting.suspend()
    }
  }

  /// Takes the right to write, and blocks the thread until it is free.
  package func blockToWrite() throws -> any LocalWriteContext {
    var waiting = Waiting(writeTimeout)
    while true {
      if let context = try tryToWrite(isLastTry: waiting.isOver) { return context }
      waiting.block()
    }
  }
}

/// The pauses between the tries of a writer, up to a deadline.
///
/// It polls, because a writer may wait for another process, which cannot wake it.
package struct Waiting {
  private let deadline: ContinuousClock.Instant
  private var pause = Duration.milliseconds(1)

  /// Starts to wait for at most `timeout`.
  package init(_ timeout: Duration) { self.init(until: .now + timeout) }

  /// Starts to wait until a deadline.
  package init(until deadline: ContinuousClock.Instant) { self.deadline = deadline }

  /// Indicates whether the next try is the last one.
  package var isOver: Bool { .now >= deadline }

  /// Suspends the task until the next try.
  package nonisolated(nonsending) mutating func suspend() async throws {
    try await RetryPause.suspend(for: nextPause())
  }

  /// Suspends the task until the next try, also if it is cancelled.
  package nonisolated(nonsending) mutating func suspendThroughCancellation() async {
    await RetryPause.suspendThroughCancellation(for: nextPause())
  }

  fileprivate mutating func nextPause() -> Duration {
    defer { pause = min(pause * 2, .milliseconds(20)) }
    return pause
  }

  /// Blocks the thread until the next try.
  package mutating func block() {
    usleep(UInt32(nextPause() / .microseconds(1)))
  }
}
