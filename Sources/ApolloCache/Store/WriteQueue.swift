internal import ApolloAPI

/// Lets one writer in at a time, in the order they came.
///
/// Waiting suspends the task and blocks no thread. A task that is cancelled while it waits leaves
/// the line.
package final class WriteQueue: Sendable {
  private struct Waiter: Sendable {
    let ticket: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var isTaken = false
    var lastTicket: UInt64 = 0
    /// In order of arrival.
    var waiters: ArraySlice<Waiter> = []
    /// Tickets that were cancelled before they stood in line.
    var cancelled: Set<UInt64> = []
  }
  private let state = Lock(State())

  package init() {}

  /// Returns when it is the caller's turn. The caller must call ``leave()`` exactly once then.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before its turn; it is not in then.
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
    // It may have been cancelled just when its turn had come.
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

  /// The queue may have become free, or the task cancelled, since the ticket was drawn.
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
