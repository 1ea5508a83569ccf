internal import ApolloAPI

/// The queue of calls with callbacks. Each call sees the writes of the calls before it.
///
/// Writes run one after the other, in the order of their calls. A read runs when the writes before
/// it have ended, and delays no other call. Work is never cancelled, because a call with a callback
/// returns nothing to cancel it with.
package final class CallQueue: Sendable {
  package enum Kind {
    case reading
    case writing
  }

  private let lastWrite = Lock<Task<Void, Never>?>(nil)

  package init() {}

  /// Runs `work` in its turn.
  ///
  /// The task is detached, so that a call from inside of a transaction waits for the end of that
  /// transaction, and is not refused as a part of it.
  package func enqueue(_ kind: Kind, _ work: @escaping @Sendable () async -> Void) {
    lastWrite.withLock { lastWrite in
      let previous = lastWrite
      let task = Task.detached(priority: Task.currentPriority) {
        await previous?.value
        await work()
      }
      if kind == .writing { lastWrite = task }
    }
  }

  /// Waits until the writes that are in the queue have ended.
  ///
  /// The caller is outside of all transactions, since a write may have to wait for the end of one.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before. The writes go on.
  nonisolated(nonsending) func waitForWrites() async throws {
    guard let last = lastWrite.get() else { return }
    // A stream, because waiting for the value of a task does not end when the waiter is cancelled.
    let end = AsyncStream<Never>.makeStream()
    Task.detached(priority: Task.currentPriority) {
      await last.value
      end.continuation.finish()
    }
    for await _ in end.stream {}
    try Task.checkCancellation()
  }
}
