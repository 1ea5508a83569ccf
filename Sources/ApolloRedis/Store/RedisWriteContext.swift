internal import ApolloAPI
internal import ApolloCache

/// One write to a scope.
///
/// No lock is taken: other processes write meanwhile. A commit checks that everything that it
/// builds on is unchanged. If not, a response is merged again, and a transaction starts again
/// (``CommitConflict``), or fails if a part of it is written already.
final class RedisWriteContext: WriteContext {
  private let scope: RedisScope
  private var latest: RedisSnapshot?
  /// The write that is committed next, if its fields remember it.
  private var stamp: CellStamp?
  private var isCurrent: @Sendable () -> Bool = { true }
  private var othersWrite: @Sendable () -> Bool = { false }
  private(set) var mayHaveCommitted = false

  private static let mostAttempts = 64

  init(_ scope: RedisScope) { self.scope = scope }

  func snapshot() -> any StoreSnapshot {
    let snapshot = RedisSnapshot(scope, allowsStale: false)
    latest = snapshot
    return snapshot
  }

  func end() {}

  /// Returns no number: the numbers of cells are the facts about their writes, so several writes
  /// can have the same one, and its facts never change.
  func begin(_ write: PendingWrite) -> WriteID? {
    stamp = CellStamp(write)
    return nil
  }

  func require(
    _ isCurrent: @escaping @Sendable () -> Bool, othersWrite: @escaping @Sendable () -> Bool
  ) {
    (self.isCurrent, self.othersWrite) = (isCurrent, othersWrite)
    mayHaveCommitted = false  // what an earlier attempt may have written is noted by now
  }

  nonisolated(nonsending) func commit(_ response: NormalizedResponse) async throws -> Commit {
    try await commit([.merge(response.records)])
  }

  nonisolated(nonsending) func commit(_ mutations: [CacheMutation]) async throws -> Commit {
    let reads = latest?.reads ?? RedisReads()
    var backoff = Duration.microseconds(200)
    for _ in 0..<Self.mostAttempts {
      let plan = try await WritePlan(
        mutations, in: scope, after: reads, stamp: stamp, writesUnchanged: othersWrite())
      // What another cache of the process has noted since comes after the cells that the plan has
      // read, so that the commit finds them changed.
      guard isCurrent() else { throw CommitConflict() }
      var hasWritten = false
      if let changes = try await commit(plan, noting: &hasWritten) {
        return Commit(changes: changes)
      }
      guard reads.isEmpty else {
        guard hasWritten else { throw CommitConflict() }
        // What was read includes this part now, so a body that ran again would apply it twice.
        throw RedisError(.contended, detail: "a part of the changes was written")
      }
      // A part of the changes may be written already, so the rest has to follow.
      let pause = backoff * Double.random(in: 0.5...1.5)
      await RetryPause.suspendThroughCancellation(for: pause)
      backoff = min(backoff * 2, .milliseconds(20))
    }
    throw RedisError(.contended, detail: "\(Self.mostAttempts) attempts")
  }

  private nonisolated(nonsending) func commit(
    _ plan: WritePlan, noting hasWritten: inout Bool
  ) async throws -> ChangeSet? {
    defer { if hasWritten { mayHaveCommitted = true } }
    return try await plan.commit(noting: &hasWritten)
  }
}
