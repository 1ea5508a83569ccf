internal import ApolloAPI
import Dispatch

/// The clock of the system.
///
/// All alarms share one timer of the system, which is set to the earliest of them. An alarm costs
/// no task and no thread, and one that is cancelled holds no memory.
package final class SystemAlarmClock: AlarmClock {
  /// The clock of the process.
  package static let shared = SystemAlarmClock()

  private struct State {
    var queue = AlarmQueue()
    /// By ID. `Int` because the first use of a dictionary with keys of another type costs more
    /// than all alarms of a fetch.
    var actions: [Int: @Sendable () -> Void] = [:]
    var lastID: Alarm.ID = 0
    /// The time for which the timer is set.
    var timerTime: UInt64?

    /// Removes and returns the actions that are due, and the time for which to set the timer.
    mutating func takeDue(at now: UInt64) -> [@Sendable () -> Void] {
      var due: [@Sendable () -> Void] = []
      while let id = queue.popFirst(until: now) {
        if let action = actions.removeValue(forKey: id) { due.append(action) }
      }
      timerTime = queue.first
      return due
    }
  }

  private let state = Lock(State())
  // `nonisolated(unsafe)` because the timers of Dispatch can be set from any thread, which their
  // protocol does not say.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer

  private init() {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "apollo.alarms"))
    timer.setEventHandler { [weak self] in self?.ring() }
    timer.activate()
  }

  private static var time: UInt64 { DispatchTime.now().uptimeNanoseconds }

  package var now: Duration { .nanoseconds(Int64(Self.time)) }

  package func setAlarm(
    after delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Alarm {
    let time = Self.time + delay.clampedNanoseconds
    return state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      state.actions[Int(id)] = action
      state.queue.insert(Int(id), at: time)
      // Set under the lock, so that a later time never replaces an earlier one.
      if time < state.timerTime ?? .max {
        state.timerTime = time
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: time))
      }
      return Alarm(clock: self, id: id)
    }
  }

  package func removeAlarm(_ id: Alarm.ID) {
    let action = state.withLock { state in
      state.queue.remove(Int(id))
      return state.actions.removeValue(forKey: Int(id))
    }
    withExtendedLifetime(action) {}  // released here, outside the lock
  }

  private func ring() {
    let due = state.withLock { state in
      let due = state.takeDue(at: Self.time)
      if let next = state.timerTime {
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: next))
      }
      return due
    }
    for action in due { action() }
  }
}
