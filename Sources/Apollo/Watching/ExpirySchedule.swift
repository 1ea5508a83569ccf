package import struct Foundation.Date

/// The decisions of a watch about data that expires: a state machine without clocks and alarms.
///
/// | state | data arrives | the alarm rings | a fetch ends with a response |
/// | :-- | :-- | :-- | :-- |
/// | `idle` | `waiting` if it expires | – | – |
/// | `waiting` | `waiting`, or `idle` if it does not expire | `waiting`, and the cache is checked; `due` during a fetch | – |
/// | `due` | `due`, or `idle` if it does not expire | `due` | `waiting`, and the cache is checked if the data has expired |
///
/// The cache is checked because other calls may have renewed the data. A fetch that fails is
/// repeated after 2, 4, 8 … 64 s.
package struct ExpirySchedule {
  private enum State {
    /// The data never expires, or arrived expired: it would be fetched forever.
    case idle
    case waiting(for: Date)
    /// The data has expired during a fetch, which may renew it.
    case due(since: Date)
  }

  private var state = State.idle
  /// Indicates whether expired data is fetched.
  package var isEnabled = false
  /// The number of fetches that have failed since the latest one that has not.
  private var failedFetchCount = 0

  package init() {}

  /// The time at which the latest data expires, if it does.
  package var expiry: Date? {
    switch state {
    case .idle: nil
    case .waiting(let expiry), .due(let expiry): expiry
    }
  }

  /// Returns whether the latest data is that which expires at a time.
  package func waits(for expiry: Date) -> Bool { self.expiry == expiry }

  /// Handles data.
  ///
  /// - Parameters:
  ///   - expiry: The time at which it expires, or `nil` if it never does.
  ///   - isNew: Whether it is from the server.
  ///   - now: The current time.
  package mutating func dataArrived(expiring expiry: Date?, isNew: Bool, at now: Date) {
    if isNew { failedFetchCount = 0 }
    guard let expiry, !isNew || expiry > now else {
      state = .idle
      return
    }
    if case .due = state { state = .due(since: expiry) } else { state = .waiting(for: expiry) }
  }

  /// Forgets the data, which is not shown any more.
  package mutating func forget() { (state, failedFetchCount) = (.idle, 0) }

  /// Handles a fetch without data: what has expired is still shown.
  package mutating func fetchFailed() { failedFetchCount += 1 }

  /// Handles the discovery that other calls have renewed the data.
  package mutating func dataWasRenewed(_ expiry: Date, until new: Date?) {
    guard waits(for: expiry) else { return }
    state = new.map { .waiting(for: $0) } ?? .idle
  }

  /// The number of seconds until the alarm for the latest data, or `nil` if none is needed.
  package func delay(at now: Date) -> Double? {
    guard isEnabled, let expiry else { return nil }
    return max(expiry.timeIntervalSince(now), Double(1 << min(failedFetchCount, 6)))
  }

  /// Handles the alarm for an expiry. Returns `true` if the cache must be checked.
  package mutating func alarmRang(for expiry: Date, isFetching: Bool) -> Bool {
    guard isEnabled, waits(for: expiry) else { return false }
    state = isFetching ? .due(since: expiry) : .waiting(for: expiry)
    return !isFetching
  }

  /// Handles the end of a fetch that has not failed. Returns the expiry for which the cache must be
  /// checked, if any.
  package mutating func fetchEnded(at now: Date) -> Date? {
    guard case .due(let expiry) = state else { return nil }
    state = .waiting(for: expiry)
    return isEnabled && expiry <= now ? expiry : nil
  }
}
