internal import ApolloAPI

/// The attempts of one call to send its request, each with the fact whether the server may have
/// received it.
///
/// A caller that must not repeat a request which the server may have carried out gives one to its
/// call (``CallSession/record``), and closes it when the call has ended. All other calls have none.
/// It is conservative: without a report, the server may have received the request. Nothing
/// overtakes the facts: what is left of the call, such as a task that an interceptor has abandoned,
/// sends nothing through a record that is closed.
///
/// | attempt | reported by | the server |
/// | :-- | :-- | :-- |
/// | `unobserved` | ``beginAttempt()``, the sender of a request | may have the request |
/// | `prepared` | ``SendingAttempt/prepare()``, a client that asks before the first byte | has nothing of it |
/// | `left` | ``SendingAttempt/leave()``, such a client | may have the request |
/// | `responded` | ``SendingAttempt/respond()`` | has the request |
/// | `ineffective` | ``SendingAttempt/endWithoutEffect()`` | has refused it, or has nothing of it |
///
/// Isolation: `state` is guarded by a lock.
package final class SendingRecord: Sendable {
  fileprivate enum Attempt {
    case unobserved
    case prepared
    case left
    case responded
    case ineffective

    var mayHaveArrived: Bool {
      switch self {
      case .unobserved, .left, .responded: true
      case .prepared, .ineffective: false
      }
    }
  }

  private struct State {
    var attempts: [Attempt] = []
    /// The number of times that a transport had the request which notes no attempts.
    var unobservedCount = 0
    /// `true` while the latest transport has not said that it notes its attempts.
    var isUnobserved = false
    /// The attempt whose token the server has rejected last.
    var unauthorizedIndex: Int?
    var isClosed = false
  }
  private let state = Lock(State())

  /// `true` if the server recognizes the request by its headers alone when it is repeated. A
  /// transport that cannot send them must refuse it.
  package let needsHeaders: Bool

  package init(needsHeaders: Bool = false) { self.needsHeaders = needsHeaders }

  // MARK: - For the client and its transports

  /// Notes that a transport gets the request. It may send it in any way, unless it begins to note
  /// its attempts.
  ///
  /// - Throws: `CancellationError` if the call has ended.
  package func handOver() throws {
    try state.withLock { state in
      guard !state.isClosed else { throw CancellationError() }
      state.unobservedCount += 1
      state.isUnobserved = true
    }
  }

  /// Notes that the transport which has the request notes each attempt from now on.
  package func beginNoting() {
    state.withLock { state in
      guard state.isUnobserved else { return }
      state.unobservedCount -= 1
      state.isUnobserved = false
    }
  }

  /// Notes that the request is about to be given to a client.
  ///
  /// - Returns: The attempt.
  /// - Throws: `CancellationError` if the call has ended.
  package func beginAttempt() throws -> SendingAttempt {
    try state.withLock { state in
      guard !state.isClosed else { throw CancellationError() }
      state.attempts.append(.unobserved)
      return SendingAttempt(record: self, index: state.attempts.count - 1)
    }
  }

  /// Notes that the server has refused the request in its latest response, in words that only its
  /// reader knows.
  package func refuse() {
    state.withLock { state in
      // Only the latest attempt can be that of the response. An earlier one may have arrived.
      guard state.attempts.last == .responded else { return }
      state.attempts[state.attempts.count - 1] = .ineffective
    }
  }

  /// Changes an attempt. Returns `false` if the record is closed.
  @discardableResult
  fileprivate func change(_ index: Int, _ body: (Attempt) -> Attempt) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.attempts[index] = body(state.attempts[index])
      return true
    }
  }

  fileprivate func rejectToken(of index: Int) {
    state.withLock { state in
      if !state.isClosed { state.unauthorizedIndex = index }
    }
  }

  // MARK: - For the caller

  /// The facts about a call that has ended.
  package struct Facts: Sendable {
    /// `true` if nothing was sent, and no transport had the request that notes no attempts.
    package let isEmpty: Bool
    /// `true` if the server may have received the request.
    package let mayHaveArrived: Bool
    /// The same if the latest transport notes no attempts, and the error of the call says that
    /// nothing was sent or that the server has refused it. Nothing else can say that then.
    package let mayHaveArrivedInSpiteOfError: Bool
    /// `true` if the server may have received the request in another attempt than that of the
    /// response with which the call has ended.
    package let mayHaveArrivedBeforeResponse: Bool
    /// `true` if the server has rejected the token of the latest attempt. The call may then have
    /// ended with anything, such as the error of a refresh: that is no verdict on the request.
    package let isTokenRejected: Bool
  }

  /// Lets nothing more of the call be sent.
  ///
  /// - Returns: The facts, which are final.
  package func close() -> Facts {
    state.withLock { state in
      state.isClosed = true
      var attempts = state.attempts
      let mayHaveArrived = attempts.contains(where: \.mayHaveArrived)
      let unexplained = state.unobservedCount - (state.isUnobserved ? 1 : 0)
      let isTokenRejected =
        !state.isUnobserved && state.unauthorizedIndex == state.attempts.count - 1
      // A response without an attempt is one of an interceptor, unless the transport notes none. So
      // is one after a response that was not passed on, because of its token.
      if !state.isUnobserved, !isTokenRejected, attempts.last == .responded {
        attempts.removeLast()
      }
      return Facts(
        isEmpty: state.unobservedCount == 0 && state.attempts.isEmpty,
        mayHaveArrived: state.unobservedCount > 0 || mayHaveArrived,
        mayHaveArrivedInSpiteOfError: unexplained > 0 || mayHaveArrived,
        mayHaveArrivedBeforeResponse: unexplained > 0
          || attempts.contains(where: \.mayHaveArrived),
        isTokenRejected: isTokenRejected)
    }
  }

  /// Returns whether a server has done nothing that responds with a status and without a result:
  /// one from 400 to 499, unless it has waited in vain for the rest of the request (408).
  package static func isRefusal(_ statusCode: Int) -> Bool {
    (400..<500).contains(statusCode) && statusCode != 408
  }
}

/// One attempt of a call, in the record of that.
package final class SendingAttempt: Sendable {
  package let record: SendingRecord
  private let index: Int

  fileprivate init(record: SendingRecord, index: Int) {
    self.record = record
    self.index = index
  }

  /// Notes that the client calls ``leave()`` before the first byte leaves.
  package func prepare() { record.change(index) { $0 == .unobserved ? .prepared : $0 } }

  /// Notes that bytes of the request leave.
  ///
  /// - Returns: `false` if they must not, because the call has ended.
  package func leave() -> Bool { record.change(index) { _ in .left } }

  /// Notes that there is a response.
  package func respond() { record.change(index) { _ in .responded } }

  /// Notes the status of a response. If that is a refusal and the response has a result,
  /// ``respond()`` follows.
  package func respond(statusCode: Int) {
    SendingRecord.isRefusal(statusCode) ? endWithoutEffect() : respond()
  }

  /// Notes that the server has done nothing: it has refused the request, or nothing of it was sent.
  package func endWithoutEffect() { record.change(index) { _ in .ineffective } }

  /// Notes that the server has rejected the token of the request. That alone does not say that it
  /// has done nothing.
  package func rejectToken() { record.rejectToken(of: index) }
}
