/// A clock that calls back. Deadlines and delays use it, so that tests can decide the time.
///
/// ```swift
/// let alarm = clock.setAlarm(after: .seconds(5)) { connection.close() }
/// alarm.cancel()
/// ```
///
/// - `SystemAlarmClock` is the clock of programs.
/// - `ManualClock`, for tests, stands still until it is advanced.
package protocol AlarmClock: AnyObject, Sendable {
  /// The time since a moment that stays the same. It never goes back, and nobody can set it.
  var now: Duration { get }

  /// Calls `action` once, when `delay` has passed, unless the alarm is cancelled before.
  ///
  /// The action is called with no lock held, on a thread of the clock. It must not block. A
  /// negative delay counts as none, and one of many years as the longest that the clock can keep.
  ///
  /// - Complexity: O(log *n*) for *n* alarms.
  func setAlarm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm

  /// Forgets an alarm and releases its action. Has no effect on an alarm that was called.
  func removeAlarm(_ id: Alarm.ID)
}

extension AlarmClock {
  /// Suspends until `delay` has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func sleep(for delay: Duration) async throws {
    let isOver = Once<Bool>()
    let alarm = setAlarm(after: delay) { isOver.decide(true) }
    let woke = await withTaskCancellationHandler {
      await withCheckedContinuation { isOver.wait($0) }
    } onCancel: {
      isOver.decide(false)
    }
    guard !woke else { return }
    alarm.cancel()
    throw CancellationError()
  }
}

/// An alarm that was set. Releasing it does not cancel it.
package struct Alarm: Sendable {
  package typealias ID = UInt64

  private let clock: any AlarmClock
  private let id: ID

  package init(clock: any AlarmClock, id: ID) {
    self.clock = clock
    self.id = id
  }

  /// Keeps the action from being called, unless that has begun, and releases it.
  package func cancel() { clock.removeAlarm(id) }
}

extension Duration {
  /// The seconds of ``clampedNanoseconds``.
  var clampedSeconds: Double { Double(clampedNanoseconds) / 1e9 }

  /// The number of whole nanoseconds from 0 to 2^62, to which other durations are clamped: 146
  /// years.
  package var clampedNanoseconds: UInt64 {
    let longest: UInt64 = 1 << 62
    guard self > .zero else { return 0 }
    guard self < .seconds(Int64(longest / 1_000_000_000)) else { return longest }
    let (seconds, attoseconds) = components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
