import Testing

@testable import ApolloRedis

@Suite struct CircuitBreakerTests {
  private enum Step {
    case call(atMilliseconds: Int, isAllowed: Bool)
    case failure(atMilliseconds: Int, isReported: Bool)
    case response
  }

  @Test func followsItsTableOfStates() {
    let steps: [Step] = [
      .call(atMilliseconds: 0, isAllowed: true),
      .failure(atMilliseconds: 0, isReported: true),
      .failure(atMilliseconds: 1, isReported: false),
      .call(atMilliseconds: 99, isAllowed: false),
      .call(atMilliseconds: 100, isAllowed: true),
      .call(atMilliseconds: 101, isAllowed: false),
      .failure(atMilliseconds: 110, isReported: false),
      .call(atMilliseconds: 309, isAllowed: false),
      .call(atMilliseconds: 310, isAllowed: true),
      .response,
      .call(atMilliseconds: 311, isAllowed: true),
      .failure(atMilliseconds: 320, isReported: true),
      .call(atMilliseconds: 420, isAllowed: true),
      // The response to a test was lost without a failure.
      .call(atMilliseconds: 480, isAllowed: true),
    ]
    let start = ContinuousClock.now
    var breaker = CircuitBreaker()
    for (index, step) in steps.enumerated() {
      switch step {
      case .call(let time, let isAllowed):
        let allows = breaker.allowsCall(
          at: start + .milliseconds(time), timeout: .milliseconds(50))
        #expect(allows == isAllowed, "step \(index)")
      case .failure(let time, let isReported):
        breaker.recordFailure(RedisError(.timedOut), at: start + .milliseconds(time))
        #expect((breaker.takeUnreportedFailure() != nil) == isReported, "step \(index)")
      case .response: breaker.recordResponse()
      }
    }
  }
}
