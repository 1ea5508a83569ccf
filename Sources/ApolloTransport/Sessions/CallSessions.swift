internal import ApolloAPI

/// The sessions of a client, one after the other. What a call of an ended session still receives is
/// not delivered, and what it waits for is cancelled.
///
/// Isolation: `state` is guarded by a lock. What is cancelled is cancelled outside of it.
package final class CallSessions: Sendable {
  private struct State {
    var current = 0
    /// Cancels what the calls of the current session wait for.
    var waits: [Int: @Sendable () -> Void] = [:]
    var waitCount = 0
  }
  private let state = Lock(State())

  package init() {}

  /// The current session.
  package var current: CallSession {
    CallSession(sessions: self, number: state.withLock { $0.current })
  }

  /// Ends the current session.
  package func end() {
    for cancel in advance() { cancel() }
  }

  /// Begins the next session, for a caller that changes its own state in the same step.
  ///
  /// - Returns: What cancels the waits of the session before, outside of all locks.
  func advance() -> [@Sendable () -> Void] {
    state.withLock { state in
      state.current += 1
      defer { state.waits = [:] }
      return Array(state.waits.values)
    }
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
///
/// It goes with the call to the place where requests are sent. Interceptors, delegates and steps of
/// a chain may begin another attempt at any time, and each attempt is checked there.
package struct CallSession: Sendable {
  fileprivate let sessions: CallSessions
  fileprivate let number: Int
  /// A record, or an attempt in one, in the memory of one reference.
  private var sending: Sending?

  private enum Sending {
    case call(SendingRecord)
    case attempt(SendingAttempt)
  }

  fileprivate init(sessions: CallSessions, number: Int) {
    self.sessions = sessions
    self.number = number
  }

  /// Tells a session from all others, as long as a call of it is under way.
  package struct Identity: Hashable, Sendable {
    private let sessions: ObjectIdentifier
    private let number: Int

    fileprivate init(_ session: CallSession) {
      sessions = ObjectIdentifier(session.sessions)
      number = session.number
    }
  }

  package var identity: Identity { Identity(self) }

  /// The record of the call's attempts, if its caller must know what has left.
  package var record: SendingRecord? {
    get {
      switch sending {
      case .call(let record): record
      case .attempt(let attempt): attempt.record
      case nil: nil
      }
    }
    set { sending = newValue.map(Sending.call) }
  }

  /// The attempt of the call that a client makes, if there is a record.
  package var attempt: SendingAttempt? {
    get { if case .attempt(let attempt) = sending { attempt } else { nil } }
    set { sending = newValue.map(Sending.attempt) }
  }

  /// Indicates whether the session has not ended.
  package var isCurrent: Bool { sessions.isCurrent(number) }

  /// Throws `CancellationError` if the session has ended.
  package func check() throws {
    guard isCurrent else { throw CancellationError() }
  }

  /// Returns a value that calls `cancel` when the session ends, unless it is released before. A
  /// session that has ended calls it at once.
  package func onEnd(_ cancel: @escaping @Sendable () -> Void) -> CallSessionObserver {
    let wait = sessions.add(number, cancel)
    if wait == nil { cancel() }
    return CallSessionObserver(sessions: sessions, wait: wait)
  }

  /// Does work of the call that waits for a server. The end of the session cancels it.
  ///
  /// - Throws: `CancellationError` if the session has ended meanwhile, and the errors of the work.
  package func stopping<Result: Sendable>(
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
    if let wait { sessions.remove(wait) }
    // Also if it had ended before: a sequence that is cancelled may end without an error.
    try check()
    return try result.get()
  }
}

/// Waits for the end of a session for as long as it exists.
package final class CallSessionObserver: Sendable {
  private let sessions: CallSessions
  private let wait: Int?

  fileprivate init(sessions: CallSessions, wait: Int?) {
    self.sessions = sessions
    self.wait = wait
  }

  deinit { if let wait { sessions.remove(wait) } }
}
