internal import ApolloAPI

/// A queue that admits one writer at a time, in the order of their calls.
///
/// Waiting suspends the task and blocks no thread. A task that is cancelled while it waits leaves
/// the queue.
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | outside | `enter`, the queue is free | writing |
/// | outside | `enter`, another is writing | has a ticket |
/// | has a ticket | `wait`, the queue is free by now | writing |
/// | has a ticket | `wait`, another is writing | waiting |
/// | has a ticket or waiting | `cancel` | outside, with an error |
/// | waiting | another's `leave`, first in line | writing |
/// | writing | `leave` | outside |
///
/// The ticket exists because a task may be cancelled, on another thread, between drawing it and
/// waiting.
package final class WriteQueue: Sendable {
  private struct Waiter: Sendable {
    let ticket: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var isTaken = false
    var lastTicket: UInt64 = 0
    /// The waiting writers, in order of arrival.
    var waiters: ArraySlice<Waiter> = []
    /// The tickets that were cancelled before their owners waited.
    var cancelled: Set<UInt64> = []
  }
  private let state = Lock(State())

  package init() {}

  /// Returns when the caller may write. The caller must then call ``leave()`` exactly once.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before its turn. The caller is not
  ///   admitted then.
  package nonisolated(nonsending) func enter() async throws {
    try Task.checkCancellation()
    let ticket: UInt64? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.lastTicket += 1
      return state.lastTicket
    }
    guard let ticket else { return }
    // It may have been cancelled just after it was admitted.
    defer { _ = state.withLock { $0.cancelled.remove(ticket) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(Waiter(ticket: ticket, continuation: $0)) }
    } onCancel: {
      cancel(ticket)
    }
  }

  package func leave() {
    let next = state.withLock { state -> Waiter? in
      let next = state.waiters.popFirst()
      if next == nil { state.isTaken = false }
      return next
    }
    next?.continuation.resume()
  }

  private enum Outcome { case goesIn, isCancelled, waits }

  /// Puts a writer in line, unless the queue is free by now or the task was cancelled.
  private func wait(_ waiter: Waiter) {
    let outcome = state.withLock { state -> Outcome in
      if state.cancelled.remove(waiter.ticket) != nil { return .isCancelled }
      guard state.isTaken else {
        state.isTaken = true
        return .goesIn
      }
      state.waiters.append(waiter)
      return .waits
    }
    switch outcome {
    case .goesIn: waiter.continuation.resume()
    case .isCancelled: waiter.continuation.resume(throwing: CancellationError())
    case .waits: break
    }
  }

  private func cancel(_ ticket: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else {
        state.cancelled.insert(ticket)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
