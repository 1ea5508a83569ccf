import ApolloAPI

/// The sessions of a client, one after the other. What a call of an ended session still receives is
/// not delivered.
final class CallSessions: Sendable {
  private let count = Lock(0)

  /// The number of the current session.
  var current: Int { count.get() }

  /// Ends the current session.
  func end() { count.withLock { $0 += 1 } }

  /// Returns a closure that throws `CancellationError` once the current session has ended.
  func checkOfCurrent() -> @Sendable () throws -> Void {
    { [self, session = current] in try check(session) }
  }

  /// Throws `CancellationError` if a session is not the current one.
  func check(_ session: Int) throws {
    guard count.get() == session else { throw CancellationError() }
  }
}
