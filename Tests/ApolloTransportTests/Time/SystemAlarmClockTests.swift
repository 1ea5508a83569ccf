import ApolloAPI
import ApolloTransport
import LoopbackServer
import Testing

/// The clock of the system. No test says how late an alarm may be.
@Suite(.timeLimit(.minutes(10)))
struct SystemAlarmClockTests {
  private let clock = SystemAlarmClock.shared

  @Test func alarmsRingInTheOrderOfTheirTimes() async {
    let order = Lock<[Int]>([])
    let hasRung = Signal()
    // The latest times at which the alarms are due, if the test was interrupted as it set them.
    var latestTimes: [Duration] = []
    let earliestTimes = Lock<[Duration]>([])
    let delays = [30, 10, 20].map { Duration.milliseconds($0) }
    for (index, delay) in delays.enumerated() {
      earliestTimes.withLock { $0.append(clock.now + delay) }
      _ = clock.setAlarm(after: delay) {
        let count = order.withLock { order in
          order.append(index)
          return order.count
        }
        if count == delays.count { hasRung.fire() }
      }
      latestTimes.append(clock.now + delay)
    }
    await hasRung.wait()
    let rung = order.get()
    #expect(rung.sorted() == [0, 1, 2], "Each rings once.")
    for (earlier, later) in zip(rung, rung.dropFirst()) {
      #expect(earliestTimes.get()[earlier] <= latestTimes[later])
    }
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
    let ringCount = Lock(0)
    _ = clock.setAlarm(after: delay) {
      ringCount.withLock { $0 += 1 }
      hasRung.fire()
    }
    await hasRung.wait()
    #expect(ringCount.get() == 1)
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
    let start = clock.now
    try await clock.sleep(for: .milliseconds(1))
    #expect(clock.now - start >= .milliseconds(1))
  }
}
