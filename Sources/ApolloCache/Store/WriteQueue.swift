internal import ApolloAPI

/// A queue that admits one writer at a time, in the order of their calls.
///
/// Waiting suspends the task and blocks no thread. A task that is cancelled while it waits leaves
/// the queue. The decisions are those of a ``WriteLine``; the queue only resumes continuations,
/// outside of its lock.
package final class WriteQueue: Sendable {
  private typealias Continuation = CheckedContinuation<Void, any Error>

  private let line = Lock(WriteLine<Continuation>())

  package init() {}

  /// The number of writers that wait for their turn, for tests.
  package var waitingCount: Int { line.withLock { $0.waitingCount } }

  /// Returns when the caller may write. The caller must then call ``leave()`` exactly once.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before its turn. The caller is not
  ///   admitted then.
  package nonisolated(nonsending) func enter() async throws {
    try Task.checkCancellation()
    guard let ticket = line.withLock({ $0.enter() }) else { return }
    defer { line.withLock { $0.forget(ticket) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch line.withLock({ $0.wait(ticket, continuation) }) {
        case .isAdmitted: continuation.resume()
        case .isCancelled: continuation.resume(throwing: CancellationError())
        case .waits: break
        }
      }
    } onCancel: {
      line.withLock { $0.cancel(ticket) }?.resume(throwing: CancellationError())
    }
  }

  /// Returns `true` if the caller may write at once, and must then call ``leave()`` exactly once.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func enterAtOnce() throws -> Bool {
    try Task.checkCancellation()
    return line.withLock { $0.enter() } == nil
  }

  /// Admits the next writer, if one waits.
  package func leave() {
    line.withLock { $0.leave() }?.resume()
  }
}

/// The decisions of a ``WriteQueue``: who may write, who waits, who has given up.
///
/// One writer goes through these states:
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | outside | `enter`, the line is free | writing |
/// | outside | `enter`, another is writing | has a ticket |
/// | has a ticket | `wait`, the line is free by now | writing |
/// | has a ticket | `wait`, another is writing | waiting |
/// | has a ticket | `cancel` | cancelled |
/// | cancelled | `wait` | outside, with an error |
/// | waiting | `cancel` | outside, with an error |
/// | waiting | another's `leave`, first in line | writing |
/// | writing | `cancel` (too late) | writing |
/// | writing | `leave` | outside |
///
/// The ticket exists because a task may be cancelled, on another thread, between `enter` and
/// `wait`.
package struct WriteLine<Waiter> {
  /// The identity of one writer that could not write at once.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The result of ``wait(_:_:)``.
  package enum Outcome: Hashable, Sendable {
    case isAdmitted
    case isCancelled
    case waits
  }

  private var isTaken = false
  private var lastTicket: UInt64 = 0
  /// The waiting writers.
  private var waiters: [Ticket: Waiter] = [:]
  /// The tickets of the waiting writers in order of arrival, with some that have left the line.
  private var line: ArraySlice<Ticket> = []
  /// The tickets that were cancelled while their owners were not waiting.
  private var cancelled: Set<Ticket> = []

  package init() {}

  /// Indicates whether no writer is known, for tests.
  package var isIdle: Bool { !isTaken && waiters.isEmpty && cancelled.isEmpty }

  /// The number of writers in line.
  package var waitingCount: Int { waiters.count }

  /// Admits a writer, or returns the ticket with which it must wait.
  package mutating func enter() -> Ticket? {
    guard isTaken else {
      isTaken = true
      return nil
    }
    lastTicket += 1
    return Ticket(number: lastTicket)
  }

  /// Puts a writer in line, unless it may write now or was cancelled.
  package mutating func wait(_ ticket: Ticket, _ waiter: Waiter) -> Outcome {
    if cancelled.remove(ticket) != nil { return .isCancelled }
    guard isTaken else {
      isTaken = true
      return .isAdmitted
    }
    waiters[ticket] = waiter
    line.append(ticket)
    return .waits
  }

  /// Takes a writer out of the line.
  ///
  /// - Returns: The waiter to resume with an error, or `nil` if it does not wait.
  /// - Complexity: O(1) on average.
  package mutating func cancel(_ ticket: Ticket) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: ticket) else {
      cancelled.insert(ticket)
      return nil
    }
    // Tickets that have left are removed when they are the larger part, which is O(1) for each.
    if line.count > 2 * waiters.count + 16 { line = line.filter { waiters[$0] != nil }[...] }
    return waiter
  }

  /// Ends the turn of the writer.
  ///
  /// - Returns: The waiter that is admitted next, or `nil` if none waits.
  package mutating func leave() -> Waiter? {
    while let ticket = line.popFirst() {
      if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
    }
    isTaken = false
    return nil
  }

  /// Forgets a cancellation that came too late: its writer was admitted already.
  package mutating func forget(_ ticket: Ticket) {
    cancelled.remove(ticket)
  }
}

extension WriteLine: Sendable where Waiter: Sendable {}
