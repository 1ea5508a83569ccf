/// One request to a server, from its sending to its end.
///
/// Its number tells which of two requests was sent later. A transport that gives one response to
/// several callers passes the request on with it (`NetworkResponse.sent`).
package final class SentRequest: Sendable {
  /// The position in the order of requests and writes, which is that of the latest attempt.
  package var number: UInt64 { state.withLock { $0.number } }
  package let operationType: GraphQLOperationType
  /// The number of the order in which the position is. Positions of several orders cannot be
  /// compared.
  package let order: UInt64
  /// The number of the latest clearing of the cache before the request. The response of a request
  /// from before a clearing is of no use for one from after it.
  package let clearing: UInt64
  private let onRepeat: @Sendable (UInt64) -> UInt64
  private let onEnd: @Sendable (UInt64) -> Void
  private struct State {
    var number: UInt64
    var attemptCount = 0
    var hasEnded = false
    var holdCount = 0
    /// The requests of other callers whose responses this one has received.
    var joined: [Hold] = []

    var isUnderWay: Bool { !hasEnded || holdCount > 0 }
  }
  private let state: Lock<State>

  /// - Parameters:
  ///   - number: The position in the order of requests and writes.
  ///   - operationType: The type of the operation.
  ///   - order: The number of that order.
  ///   - clearing: The number of the latest clearing of the cache before it.
  ///   - onRepeat: A closure that receives the number when the request is sent again, and returns
  ///     the new one.
  ///   - onEnd: A closure that receives the number when the request has ended.
  package init(
    number: UInt64, operationType: GraphQLOperationType, order: UInt64 = 0, clearing: UInt64 = 0,
    onRepeat: @escaping @Sendable (UInt64) -> UInt64 = { $0 },
    onEnd: @escaping @Sendable (UInt64) -> Void
  ) {
    state = Lock(State(number: number))
    self.onRepeat = onRepeat
    self.operationType = operationType
    self.order = order
    self.clearing = clearing
    self.onEnd = onEnd
  }

  deinit { end() }

  /// Notes that the request is sent, also again, such as with another token. Its response tells
  /// what the server knows after that.
  package func noteAttempt() {
    state.withLock { state in
      state.attemptCount += 1
      if state.attemptCount > 1, state.isUnderWay { state.number = onRepeat(state.number) }
    }
  }

  /// Ends the request, whose last response was handled, unless there is a ``Hold``. A transport may
  /// keep the reference.
  package func end() {
    let joined = change { state in
      state.hasEnded = true
      defer { state.joined = [] }
      return state.joined
    }
    withExtendedLifetime(joined) {}  // released outside of the lock
  }

  /// Keeps the request under way as long as the result exists.
  package func hold() -> Hold { Hold(self) }

  /// Keeps another request under way until this one ends, because its response is also that of this
  /// one, whose caller has not handled it.
  ///
  /// The caller's own request decides, not the owner of the response: a program may keep that for
  /// as long as it likes.
  package func join(_ other: Hold) {
    guard other.request !== self else { return }
    state.withLock { state in
      if !state.hasEnded { state.joined.append(other) }
    }
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ended) = state.withLock { state -> (Result, UInt64?) in
      let wasUnderWay = state.isUnderWay
      let result = body(&state)
      return (result, wasUnderWay && !state.isUnderWay ? state.number : nil)
    }
    if let ended { onEnd(ended) }
    return result
  }

  /// A share in a request, which is under way until the last one is released.
  package final class Hold: Sendable {
    package let request: SentRequest

    fileprivate init(_ request: SentRequest) {
      self.request = request
      request.change { $0.holdCount += 1 }
    }

    deinit { request.change { $0.holdCount -= 1 } }
  }
}
