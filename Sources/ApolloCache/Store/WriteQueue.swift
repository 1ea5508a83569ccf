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
  /// The waiting writers, in order of arrival.
  private var waiters: ArraySlice<(ticket: Ticket, waiter: Waiter)> = []
  /// The tickets that were cancelled while their owners were not waiting.
  private var cancelled: Set<Ticket> = []

  package init() {}

  /// Indicates whether no writer is known.
  package var isIdle: Bool { !isTaken && waiters.isEmpty && cancelled.isEmpty }

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
    waiters.append((ticket, waiter))
    return .waits
  }

  /// Takes a writer out of the line.
  ///
  /// - Returns: The waiter to resume with an error, or `nil` if it does not wait.
  package mutating func cancel(_ ticket: Ticket) -> Waiter? {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else {
      cancelled.insert(ticket)
      return nil
    }
    return waiters.remove(at: index).waiter
  }

  /// Ends the turn of the writer.
  ///
  /// - Returns: The waiter that is admitted next, or `nil` if none waits.
  package mutating func leave() -> Waiter? {
    guard let next = waiters.popFirst() else {
      isTaken = false
      return nil
    }
    return next.waiter
  }

  /// Forgets a cancellation that came too late: its writer was admitted already.
  package mutating func forget(_ ticket: Ticket) {
    cancelled.remove(ticket)
  }
}

extension WriteLine: Sendable where Waiter: Sendable {}
