import ApolloAPI

/// The end of one mutation, for those who wait for it.
final class EndOfMutation: Sendable {
  private typealias Waiter = CheckedContinuation<any Sendable, any Error>

  private struct State {
    var result: Result<any Sendable, any Error>?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
  }
  private let state = Lock(State())

  /// Ends the mutation. The first result counts.
  func end(_ result: Result<any Sendable, any Error>) {
    let waiters = state.withLock { state -> [Waiter] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Returns the response when the mutation has ended.
  ///
  /// - Throws: `CancellationError` if the task is cancelled. The mutation goes on.
  func value() async throws -> any Sendable {
    let number = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        let result = state.withLock { state -> Result<any Sendable, any Error>? in
          if let result = state.result { return result }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = waiter
          return nil
        }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
}
