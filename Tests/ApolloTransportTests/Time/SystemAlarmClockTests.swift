import ApolloAPI
import ApolloTransport
import LoopbackServer
import Testing

/// The clock of the system. No test says how late an alarm may be.
struct SystemAlarmClockTests {
  private let clock = SystemAlarmClock.shared

  @Test func alarmsRingInTheOrderOfTheirTimes() async {
    let order = Lock<[Int]>([])
    let hasRung = Signal()
    let delays = [30, 10, 20]
    for delay in delays {
      _ = clock.setAlarm(after: .milliseconds(delay)) {
        let count = order.withLock { order in
          order.append(delay)
          return order.count
        }
        if count == delays.count { hasRung.fire() }
      }
    }
    await hasRung.wait()
    #expect(order.get() == [10, 20, 30])
  }

  @Test func anAlarmRingsNoEarlierThanItsTime() async {
    let start = clock.now
    let end = Lock(Duration.zero)
    let hasRung = Signal()
    _ = clock.setAlarm(after: .milliseconds(5)) { [clock] in
      _ = end.exchange(clock.now)
      hasRung.fire()
    }
    await hasRung.wait()
    #expect(end.get() - start >= .milliseconds(5))
  }

  @Test func anAlarmThatIsCancelledReleasesItsActionAtOnce() {
    final class Held: Sendable {}
    weak var held: Held?
    do {
      let object = Held()
      held = object
      let alarm = clock.setAlarm(after: .seconds(3600)) { withExtendedLifetime(object) {} }
      alarm.cancel()
      alarm.cancel()
    }
    #expect(held == nil)
  }

  @Test func anAlarmThatHasRungIsReleased() async {
    final class Held: Sendable {}
    weak var held: Held?
    let (hasRung, isReleased) = (Signal(), Signal())
    do {
      let object = Held()
      held = object
      _ = clock.setAlarm(after: .zero) { withExtendedLifetime(object) { hasRung.fire() } }
    }
    await hasRung.wait()
    // Alarms that are due together ring together. This one rings after the first has returned.
    _ = clock.setAlarm(after: .milliseconds(1)) { isReleased.fire() }
    await isReleased.wait()
    #expect(held == nil)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1)])
  func aDelayThatIsOverRingsAtOnce(delay: Duration) async {
    let hasRung = Signal()
    _ = clock.setAlarm(after: delay) { hasRung.fire() }
    await hasRung.wait()
  }

  @Test(arguments: [
    (Duration.seconds(Int64.max), UInt64(1) << 62), (.seconds(Int64.min), 0), (.zero, 0),
    (.nanoseconds(7), 7), (.seconds(2), 2_000_000_000),
    (.seconds(4_611_686_017), 4_611_686_017_000_000_000), (.seconds(4_611_686_018), 1 << 62),
  ])
  func durationsAreClamped(duration: Duration, nanoseconds: UInt64) {
    #expect(duration.clampedNanoseconds == nanoseconds)
    clock.setAlarm(after: duration) {}.cancel()
  }

  @Test func aSleepThatIsCancelledThrows() async {
    let task = Task { [clock] in try await clock.sleep(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aSleepEnds() async throws {
    try await clock.sleep(for: .milliseconds(1))
  }
}
