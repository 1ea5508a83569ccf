import Foundation

/// The time at which an exchange must have ended, as the deadline of its call decides.
protocol ExchangeDeadline: Sendable {
  /// Calls `action` once, with the error of an exchange that has not ended at the deadline.
  ///
  /// - Parameters:
  ///   - url: The URL of the exchange, for the error.
  ///   - action: The action. It is called on any thread, with no lock held, and must not block.
  /// - Returns: The alarm, or `nil` if the deadline is over. The action was called then.
  func setAlarm(
    url: URL, _ action: @escaping @Sendable (NetworkError) -> Void
  ) -> (any ExchangeAlarm)?
}

/// The alarm of an exchange, which keeps that in memory until it is cancelled.
protocol ExchangeAlarm: Sendable {
  /// Keeps the action from being called, unless that has begun, and releases it.
  func cancel()
}
