internal import ApolloAPI

/// Tasks that wait, each for a number that grows: those up to a number are woken together.
///
/// The numbers are handed out by ``SocketCore``. Continuations are resumed outside of the lock.
final class Waiters: Sendable {
  private struct State {
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// The results of those that were woken before they waited, which is a matter of threads.
    var wokenUpTo: UInt64 = 0
    var end: WebSocketEnd?
  }

  private let state = Lock(State())

  /// Suspends until the number is reached.
  ///
  /// - Throws: The end, or `CancellationError`.
  func wait(for number: UInt64) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if number <= state.wokenUpTo { return .success(()) }
          if let end = state.end { return .failure(end) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[number] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?
        .resume(throwing: CancellationError())
    }
  }

  /// Wakes those that wait for `number` or a smaller one.
  func wake(upTo number: UInt64) {
    let woken = state.withLock { state in
      state.wokenUpTo = max(state.wokenUpTo, number)
      let numbers = state.waiting.keys.filter { $0 <= number }
      return numbers.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in woken { continuation.resume() }
  }

  /// Lets everyone fail, now and later.
  func end(_ end: WebSocketEnd) {
    let woken = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in woken { continuation.resume(throwing: end) }
  }
}
