internal import ApolloAPI
package import ApolloTransport

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(5)) }
/// await clock.waitForAlarms(1)
/// clock.advance(by: .seconds(5))
/// try await task.value
/// ```
package final class ManualClock: AlarmClock {
  private struct State {
    var now = Duration.zero
    var lastID: Alarm.ID = 0
    var alarms: [Alarm.ID: (time: Duration, action: @Sendable () -> Void)] = [:]
    var waiters: [(isOver: (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Removes and returns the earliest alarm until `end`, and moves the time to it.
    mutating func popFirst(until end: Duration) -> (@Sendable () -> Void)? {
      // Alarms of the same time are called in the order in which they were set.
      guard
        let (id, alarm) = alarms.min(by: { ($0.value.time, $0.key) < ($1.value.time, $1.key) }),
        alarm.time <= end
      else { return nil }
      alarms[id] = nil
      now = max(now, alarm.time)
      return alarm.action
    }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      let state = self
      defer { waiters.removeAll { $0.isOver(state) } }
      return waiters.filter { $0.isOver(state) }.map(\.continuation)
    }
  }

  private let state = Lock(State())

  package init() {}

  package var now: Duration { state.withLock { $0.now } }

  /// The number of alarms that are set.
  package var alarmCount: Int { state.withLock { $0.alarms.count } }

  /// The delays until the alarms that are set, the shortest first.
  package var delays: [Duration] {
    state.withLock { state in state.alarms.values.map { $0.time - state.now }.sorted() }
  }

  package func setAlarm(
    after delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Alarm {
    let (id, ready) = state.withLock { state in
      state.lastID += 1
      let nanoseconds = Int64(delay.clampedNanoseconds)
      state.alarms[state.lastID] = (state.now + .nanoseconds(nanoseconds), action)
      return (state.lastID, state.takeWaiters())
    }
    for waiter in ready { waiter.resume() }
    return Alarm(clock: self, id: id)
  }

  package func removeAlarm(_ id: Alarm.ID) {
    let alarm = state.withLock { $0.alarms.removeValue(forKey: id) }
    withExtendedLifetime(alarm) {}
  }

  /// Moves the time on and calls the alarms that are due, one after the other, each at its time.
  package func advance(by duration: Duration) {
    let end = now + duration
    while let action = state.withLock({ $0.popFirst(until: end) }) { action() }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Moves the time on to the earliest alarm and calls it. Does nothing if there is none.
  package func advanceToNextAlarm() {
    guard let delay = delays.first else { return }
    advance(by: delay)
  }

  /// Waits until at least `count` alarms are set.
  package func waitForAlarms(_ count: Int) async {
    await wait { $0.alarms.count >= count }
  }

  /// Waits until an alarm is set that rings after exactly `delay`.
  package func waitForAlarm(after delay: Duration) async {
    await wait { state in state.alarms.values.contains { $0.time - state.now == delay } }
  }

  private func wait(until isOver: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        state.waiters.append((isOver, continuation))
        return state.takeWaiters()
      }
      for waiter in ready { waiter.resume() }
    }
  }
}
