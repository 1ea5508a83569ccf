internal import ApolloAPI

/// Runs the work of calls that do not wait for it, such that each call sees what was written by those before it.
///
/// Writes run one after the other, in the order in which they were called for. A read runs when the writes before it have ended,
/// and holds nobody up. Work that has begun is not cancelled: nobody is left who could want that.
package final class CallQueue: Sendable {
  package enum Kind {
    case reading
    case writing
  }

  private let lastWrite = Lock<Task<Void, Never>?>(nil)

  package init() {}

  /// Begins `work` in its turn.
  ///
  /// The task is a detached one, so that a call from inside of a transaction waits for that
  /// transaction to end, rather than being taken for a part of it.
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
}
