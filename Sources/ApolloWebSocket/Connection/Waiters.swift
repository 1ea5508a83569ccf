internal import ApolloAPI

/// Tasks that wait, each for a number that grows: those up to a number are woken together.
///
/// The numbers are handed out by ``SocketCore``. Several tasks may wait for the same one, as those
/// do that wait for the end. Continuations are resumed outside of the lock.
final class Waiters: Sendable {
  private struct Waiting {
    let number: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// By the number of their call.
    var waiting: [UInt64: Waiting] = [:]
    var callCount: UInt64 = 0
    /// The results of those that were woken before they waited, which is a matter of threads.
    var wokenUpTo: UInt64 = 0
    var end: WebSocketEnd?
  }

  private let state = Lock(State())

  /// Suspends until the number is reached.
  ///
  /// - Throws: The end, or `CancellationError`.
  func wait(for number: UInt64) async throws {
    let call = state.withLock { state in
      state.callCount += 1
      return state.callCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if number <= state.wokenUpTo { return .success(()) }
          if let end = state.end { return .failure(end) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[call] = Waiting(number: number, continuation: continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: call) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes those that wait for `number` or a smaller one.
  func wake(upTo number: UInt64) {
    let woken = state.withLock { state in
      state.wokenUpTo = max(state.wokenUpTo, number)
      let calls = state.waiting.filter { $0.value.number <= number }.keys
      return calls.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for waiting in woken { waiting.continuation.resume() }
  }

  /// Lets everyone fail, now and later.
  func end(_ end: WebSocketEnd) {
    let woken = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiting in woken { waiting.continuation.resume(throwing: end) }
  }
}
