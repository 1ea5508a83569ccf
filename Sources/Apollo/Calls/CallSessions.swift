import ApolloAPI

/// The sessions of a client, one after the other. What a call of an ended session still receives is
/// not delivered, and what it waits for is cancelled.
///
/// Isolation: `state` is guarded by a lock. What is cancelled is cancelled outside of it.
final class CallSessions: Sendable {
  private struct State {
    var current = 0
    /// Cancels what the calls of the current session wait for.
    var waits: [Int: @Sendable () -> Void] = [:]
    var waitCount = 0
  }
  private let state = Lock(State())

  /// The current session.
  var current: CallSession { CallSession(sessions: self, number: state.withLock { $0.current }) }

  /// Ends the current session.
  func end() {
    let waits = state.withLock { state in
      state.current += 1
      defer { state.waits = [:] }
      return state.waits
    }
    for cancel in waits.values { cancel() }
  }

  fileprivate func isCurrent(_ number: Int) -> Bool { state.withLock { $0.current == number } }

  /// Adds something that the end of a session cancels. Returns `nil` if that session has ended.
  fileprivate func add(_ session: Int, _ cancel: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard state.current == session else { return nil }
      state.waitCount += 1
      state.waits[state.waitCount] = cancel
      return state.waitCount
    }
  }

  fileprivate func remove(_ wait: Int) {
    let cancel = state.withLock { $0.waits.removeValue(forKey: wait) }
    withExtendedLifetime(cancel) {}  // released outside of the lock
  }
}

/// The session in which a call began.
struct CallSession: Sendable {
  fileprivate let sessions: CallSessions
  fileprivate let number: Int

  /// Throws `CancellationError` if the session has ended.
  func check() throws {
    guard sessions.isCurrent(number) else { throw CancellationError() }
  }

  /// Does work of the call that waits for a server. The end of the session cancels it.
  ///
  /// - Throws: `CancellationError` if the session has ended meanwhile, and the errors of the work.
  func stopping<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    let wait = sessions.add(number) { task.cancel() }
    if wait == nil { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    if let wait {
      sessions.remove(wait)
      try check()
    }
    return try result.get()
  }
}
