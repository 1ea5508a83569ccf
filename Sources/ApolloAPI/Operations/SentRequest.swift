/// One request to a server, from its sending to its end.
///
/// Its number tells which of two requests was sent later. A transport that gives one response to
/// several callers passes the request on with it (`NetworkResponse.sent`).
///
/// An event of a subscription counts as a request that was sent when the event arrived
/// (``noteEvent(after:)``): it may be read much later, and what is sent or written in between is
/// newer.
package final class SentRequest: Sendable {
  /// The position in the order of requests and writes: that of the latest attempt, or of the
  /// arrival of an event.
  package var number: UInt64 { state.withLock { $0.number } }
  package let operationType: GraphQLOperationType
  /// The number of the order in which the position is. Positions of several orders cannot be
  /// compared.
  package let order: UInt64
  /// The number of the latest clearing of the cache before the request. The response of a request
  /// from before a clearing is of no use for one from after it.
  package let clearing: UInt64
  /// The position at which the call began to send it.
  private let beginning: UInt64
  /// `true` for an event of a subscription, whose number is the position of its arrival.
  package let isEvent: Bool
  private let onAttempt: @Sendable (_ number: UInt64, _ isFirst: Bool) -> UInt64
  private let onEvent: @Sendable (_ beginning: UInt64, _ latest: SentRequest?) -> SentRequest?
  private let onEnd: @Sendable (UInt64) -> Void
  private struct State {
    var number: UInt64
    /// The position of the first attempt.
    var first: UInt64?
    /// The positions of the attempts before the latest one, whose responses may still be used.
    var earlier: [UInt64] = []
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
  ///   - onAttempt: A closure that receives the number when the request is sent, and returns that
  ///     of the attempt.
  ///   - onEvent: A closure that receives the position of a subscription and its latest event when
  ///     another one arrives, and returns that.
  ///   - onEnd: A closure that receives the number of each attempt when the request has ended.
  package init(
    number: UInt64, operationType: GraphQLOperationType, order: UInt64 = 0, clearing: UInt64 = 0,
    onAttempt: @escaping @Sendable (_ number: UInt64, _ isFirst: Bool) -> UInt64 = { number, _ in
      number
    },
    onEvent: @escaping @Sendable (_ beginning: UInt64, _ latest: SentRequest?) -> SentRequest? = {
      _, _ in nil
    },
    onEnd: @escaping @Sendable (UInt64) -> Void
  ) {
    state = Lock(State(number: number))
    beginning = number
    isEvent = false
    self.onEvent = onEvent
    self.onAttempt = onAttempt
    self.operationType = operationType
    self.order = order
    self.clearing = clearing
    self.onEnd = onEnd
  }

  /// An event of a subscription.
  ///
  /// - Parameters:
  ///   - number: The position of its arrival.
  ///   - beginning: The position at which the subscription was sent.
  ///   - order: The number of the order.
  ///   - onEnd: A closure that receives the number when the event was handled.
  package init(
    eventAt number: UInt64, ofSubscriptionAt beginning: UInt64, order: UInt64,
    onEnd: @escaping @Sendable (UInt64) -> Void
  ) {
    state = Lock(State(number: number, first: number))
    self.beginning = beginning
    self.order = order
    self.onEnd = onEnd
    (operationType, clearing, isEvent) = (.subscription, 0, true)
    onAttempt = { number, _ in number }
    onEvent = { _, _ in nil }
  }

  deinit { end() }

  /// Notes that an event of this subscription has arrived.
  ///
  /// - Parameter latest: The latest event, if it is still under way.
  /// - Returns: The event, which is under way until it is released: the latest one if nothing was
  ///   sent or written since. `nil` if nothing orders the requests.
  package func noteEvent(after latest: SentRequest? = nil) -> SentRequest? {
    onEvent(beginning(of: nil), latest)
  }

  /// Returns the position at which the sending of an attempt began, or of the latest one if
  /// `attempt` is `nil`: before what the first attempt has waited for, such as a token. For an
  /// event it is that of the subscription, which belongs to the same session.
  package func beginning(of attempt: UInt64?) -> UInt64 {
    state.withLock { state in
      let number = attempt ?? state.number
      return number == state.first ? beginning : number
    }
  }

  /// Notes that the request is sent, perhaps after a wait for a token, or again. The response to
  /// this attempt tells what the server knows after that.
  ///
  /// - Returns: The position of the attempt.
  @discardableResult
  package func noteAttempt() -> UInt64 {
    state.withLock { state in
      state.attemptCount += 1
      guard state.isUnderWay else { return state.number }
      let isFirst = state.attemptCount == 1
      let number = onAttempt(state.number, isFirst)
      if isFirst { state.first = number }
      if !isFirst, number != state.number { state.earlier.append(state.number) }
      state.number = number
      return number
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
    let (result, ended, earlier) = state.withLock { state -> (Result, UInt64?, [UInt64]) in
      let wasUnderWay = state.isUnderWay
      let result = body(&state)
      guard wasUnderWay, !state.isUnderWay else { return (result, nil, []) }
      return (result, state.number, state.earlier)
    }
    for number in earlier { onEnd(number) }
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
