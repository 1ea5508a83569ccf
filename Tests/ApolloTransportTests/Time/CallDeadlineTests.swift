import ApolloTransport
import Foundation
import LoopbackServer
import ManualClock
import Testing

/// Deadlines, on a clock that the tests advance.
@Suite(.timeLimit(.minutes(10)))
struct CallDeadlineTests {
  private let clock = ManualClock()
  private let url = URL(string: "https://user:secret@example.org/graphql?token=1")!

  @Test func aCallThatEndsInTimeReturnsItsResult() async throws {
    let deadline = CallDeadline(.seconds(5), clock: clock)
    #expect(try await deadline.limit(url: url) { 7 } == 7)
    #expect(clock.alarmCount == 0)
  }

  @Test func theErrorNamesTheLimitAndNotTheRestOfIt() async {
    let deadline = CallDeadline(.seconds(30), remaining: .zero, clock: clock)
    let error = await #expect(throws: NetworkError.self) {
      try await deadline.limit(url: url) { Issue.record("There is no time left.") }
    }
    #expect(error?.description.contains("did not end within 30 seconds") == true)
  }

  @Test func aCallThatFailsThrowsItsError() async throws {
    struct Failure: Error {}
    let deadline = CallDeadline(.seconds(5), clock: clock)
    await #expect(throws: Failure.self) {
      try await deadline.limit(url: url) { throw Failure() }
    }
    #expect(clock.alarmCount == 0)
  }

  @Test func aCallThatIsForgottenEndsAtTheDeadline() async throws {
    let deadline = CallDeadline(.seconds(5), clock: clock)
    let isForgotten = Signal()
    let call = Task { [url] in
      try await deadline.limit(url: url) {
        // Ignores that its task is cancelled.
        await isForgotten.wait()
      }
    }
    await clock.waitForAlarms(1)
    clock.advance(by: .milliseconds(4_999))
    #expect(clock.alarmCount == 1)
    clock.advance(by: .milliseconds(1))
    let error = await #expect(throws: NetworkError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(
      error?.description
        == "The call to https://example.org/graphql did not end within 5 seconds. Check the server and what surrounds the call, or raise the deadline."
    )
    isForgotten.fire()
  }

  @Test func theTaskOfTheCallIsCancelledAtTheDeadline() async throws {
    let deadline = CallDeadline(.seconds(1), clock: clock)
    let wasCancelled = Signal()
    let call = Task { [url] in
      try await deadline.limit(url: url) {
        await withTaskCancellationHandler {
          await wasCancelled.wait()
        } onCancel: {
          wasCancelled.fire()
        }
      }
    }
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(1))
    await wasCancelled.wait()
    await #expect(throws: NetworkError.self) { try await call.value }
  }

  @Test func aCancelledCallWaitsForItsEnd() async throws {
    let deadline = CallDeadline(.seconds(1), clock: clock)
    let hasStarted = Signal()
    let call = Task { [url, clock] in
      try await deadline.limit(url: url) {
        hasStarted.fire()
        try await clock.sleep(for: .seconds(3600))
      }
    }
    await hasStarted.wait()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.alarmCount == 0)
  }

  @Test(arguments: [false, true])
  func aCallOfACancelledTaskIsCancelledFromItsBeginning(_ startsHere: Bool) async throws {
    let deadline = CallDeadline(.seconds(1), clock: clock)
    let call = Task { [url] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await deadline.limit(url: url, startsHere: startsHere) { Task.isCancelled }
    }
    #expect(try await call.value)
    #expect(clock.alarmCount == 0)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .nanoseconds(Int64.max)])
  func absurdLimitsAreClamped(limit: Duration) async throws {
    let deadline = CallDeadline(limit, clock: clock)
    #expect(deadline.remaining >= .seconds(1 << 31))
    #expect(try await deadline.limit(url: nil) { 7 } == 7)
  }

  @Test func aNegativeLimitIsOverAtOnce() async throws {
    let deadline = CallDeadline(.seconds(-5), clock: clock)
    #expect(deadline.remaining == .zero)
  }

  @Test(arguments: [false, true])
  func theTimeCountsFromBeforeTheCallBegins(_ startsHere: Bool) async throws {
    let deadline = CallDeadline(.seconds(5), clock: clock)
    let isForgotten = Signal()
    let call = Task { [url, clock] in
      try await deadline.limit(url: url, startsHere: startsHere) {
        clock.advance(by: .seconds(5))
        await isForgotten.wait()
      }
    }
    let error = await #expect(throws: NetworkError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(clock.alarmCount == 0)
    isForgotten.fire()
  }

  @Test(arguments: [false, true])
  func aCallWithoutTimeDoesNotBegin(_ startsHere: Bool) async throws {
    let deadline = CallDeadline(.seconds(5), clock: clock)
    clock.advance(by: .seconds(5))
    let call = Task { [url] in
      try await deadline.limit(url: url, startsHere: startsHere) {
        Issue.record("The call began.")
      }
    }
    let error = await #expect(throws: NetworkError.self) { try await call.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(clock.alarmCount == 0)
  }
}
