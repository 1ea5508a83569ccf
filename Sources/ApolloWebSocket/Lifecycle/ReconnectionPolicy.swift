/// The attempts to connect again after a connection is lost while operations need it.
///
/// The wait before an attempt is a random part of a delay that doubles after each failure ("full
/// jitter"), so that the clients of a server that restarts do not all return at the same time. It
/// does not depend on the number of subscriptions.
public struct ReconnectionPolicy: Hashable, Sendable {
  /// The longest wait before the first attempt. It doubles with each further attempt.
  public var initialDelay: Duration

  /// The limit of the longest wait.
  public var maximumDelay: Duration

  /// The number of attempts in a row after which the subscriptions fail, or `nil` to try forever.
  /// Failures before the first of the current subscriptions do not count.
  public var maximumAttemptCount: Int?

  /// The longest time that a connection has to last before its loss counts as the first one again.
  ///
  /// A connection that has lasted longer than the next delay counts as stable too, so that one
  /// that a proxy cuts every 50 seconds is restored at once each time. A server that accepts and
  /// closes connections is contacted at growing delays.
  public var stableDuration: Duration

  /// Creates a policy. By default: forever, at most every 30 seconds.
  public init(
    initialDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30),
    maximumAttemptCount: Int? = nil, stableDuration: Duration = .seconds(60)
  ) {
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.maximumAttemptCount = maximumAttemptCount
    self.stableDuration = stableDuration
  }

  /// No attempts: every subscription fails when the connection is lost.
  public static let never = ReconnectionPolicy(maximumAttemptCount: 0)

  /// Returns whether the loss of a connection counts as the first failure again.
  ///
  /// `failureCount` is the number of failures in a row before it.
  package func isStable(after lifetime: Duration, failureCount: Int) -> Bool {
    lifetime >= min(stableDuration, longestDelay(beforeAttempt: failureCount + 1))
  }

  private func longestDelay(beforeAttempt attempt: Int) -> Duration {
    min(initialDelay * (1 << min(max(attempt, 1) - 1, 20)), maximumDelay)
  }

  /// Returns the wait before an attempt, or `nil` if there are no more attempts.
  ///
  /// The first attempt has the number 1. `jitter` is a random number from 0 to 1.
  package func delay(beforeAttempt attempt: Int, jitter: Double) -> Duration? {
    allows(attempt: attempt) ? wait(beforeAttempt: attempt, jitter: jitter) : nil
  }

  /// Returns whether there is an attempt with a number.
  package func allows(attempt: Int) -> Bool { attempt <= maximumAttemptCount ?? .max }

  /// Returns the wait before an attempt, whether or not there is one.
  package func wait(beforeAttempt attempt: Int, jitter: Double) -> Duration {
    longestDelay(beforeAttempt: attempt) * jitter
  }
}
