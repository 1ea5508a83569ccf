import ApolloTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestClockTests {
  @Test func aSleeperWakesWhenItsTimeHasCome() async throws {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(5)) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    try await task.value
    #expect(clock.now.duration(to: TestClock().now) == .seconds(-5))
  }

  @Test func aSleeperWithALaterDeadlineRemains() async throws {
    let clock = TestClock()
    let early = Task { try await clock.sleep(for: .seconds(1)) }
    let late = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    try await early.value
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func aDeadlineInThePastDoesNotSuspend() async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: TestClock().now)
    #expect(clock.now > TestClock().now)
  }

  @Test func sleepingInACancelledTaskThrows() async {
    let clock = TestClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
