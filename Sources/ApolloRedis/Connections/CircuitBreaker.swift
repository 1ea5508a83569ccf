/// The decision whether a server that failed may be asked again.
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | closed | a failure | open for the first pause |
/// | open | a call during the pause | open; refused at once |
/// | open | a call after the pause | testing; the call is sent |
/// | testing | any other call | testing; refused at once |
/// | testing | a failure | open for twice the pause |
/// | testing | a response | closed |
///
/// Only the failure that opens it is reported, by ``takeUnreportedFailure()``.
struct CircuitBreaker {
  private enum State {
    case closed
    case open(until: ContinuousClock.Instant)
    case testing(until: ContinuousClock.Instant)
  }
  private var state = State.closed
  private var pause = Self.firstPause
  /// The first failure since the last response, until it is reported.
  private var unreported: RedisError?

  static let firstPause = Duration.milliseconds(100)
  static let longestPause = Duration.seconds(5)

  /// Indicates whether the server has not failed since its last response.
  var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Returns whether a call may be sent now.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - timeout: The time after which the response to a test counts as lost.
  /// - Returns: `false` if the server failed shortly before.
  mutating func allowsCall(at now: ContinuousClock.Instant, timeout: Duration) -> Bool {
    switch state {
    case .closed: return true
    case .open(let until), .testing(let until):
      guard now >= until else { return false }
      state = .testing(until: now + timeout)
      return true
    }
  }

  /// Notes a response of the server.
  mutating func recordResponse() {
    state = .closed
    pause = Self.firstPause
    unreported = nil
  }

  /// Notes that a call has failed.
  mutating func recordFailure(_ error: RedisError, at now: ContinuousClock.Instant) {
    switch state {
    case .closed:
      state = .open(until: now + pause)
      unreported = error
    case .testing:
      pause = min(pause * 2, Self.longestPause)
      state = .open(until: now + pause)
    case .open: break  // a call that was sent before the failure
    }
  }

  /// Ends a test whose response says nothing about the server: the next call is another test.
  mutating func endTest(at now: ContinuousClock.Instant) {
    if case .testing = state { state = .open(until: now) }
  }

  /// Returns the first failure since the last response, unless it was returned before.
  mutating func takeUnreportedFailure() -> RedisError? { unreported.take() }
}
