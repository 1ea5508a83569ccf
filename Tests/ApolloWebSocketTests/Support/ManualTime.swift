import ApolloAPI
import ApolloTransport

@testable import ApolloWebSocket

/// A clock that stands still until a test has found the alarm that it waits for.
///
/// `ManualClock` cannot wait for an alarm at a certain time. A transport sets its one alarm again
/// and again, from threads of its own.
final class ManualTime: AlarmClock {
  fileprivate struct State {
    var now: Duration = .zero
    var lastID: Alarm.ID = 0
    var alarms: [Alarm.ID: (time: Duration, action: @Sendable () -> Void)] = [:]
    /// The test that waits for another alarm.
    var observer: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  var now: Duration { state.withLock { $0.now } }

  func setAlarm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
    let (id, observer) = state.withLock { state in
      state.lastID += 1
      state.alarms[state.lastID] = (state.now + max(delay, .zero), action)
      defer { state.observer = nil }
      return (state.lastID, state.observer)
    }
    observer?.resume()
    return Alarm(clock: self, id: id)
  }

  func removeAlarm(_ id: Alarm.ID) { _ = state.withLock { $0.alarms.removeValue(forKey: id) } }

  /// Sets the clock and calls every alarm whose time has come.
  func advance(to time: Duration) {
    while let action = state.withLock({ $0.popFirst(until: time) }) { action() }
    state.withLock { $0.now = max($0.now, time) }
  }

  /// Waits for an alarm at exactly `time`, then sets the clock to it and calls the alarm. Earlier
  /// alarms are called at their times.
  func advanceToAlarm(at time: Duration) async {
    while !Task.isCancelled {
      if state.withLock({ $0.alarms.values.contains { $0.time == time } }) { break }
      if let action = state.withLock({ $0.popFirst(until: time) }) {
        action()
        continue
      }
      await nextAlarm(before: time)
    }
    advance(to: time)
  }

  private func nextAlarm(before time: Duration) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.alarms.values.contains(where: { $0.time <= time }) { return true }
          state.observer = continuation
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let observer = state.withLock { state in
        defer { state.observer = nil }
        return state.observer
      }
      observer?.resume()
    }
  }
}

extension ManualTime.State {
  fileprivate mutating func popFirst(until time: Duration) -> (@Sendable () -> Void)? {
    guard let (id, alarm) = alarms.min(by: { ($0.value.time, $0.key) < ($1.value.time, $1.key) }),
      alarm.time <= time
    else { return nil }
    alarms[id] = nil
    now = max(now, alarm.time)
    return alarm.action
  }
}
