/// The connections of a transport so far, as far as its next attempt depends on them.
struct ConnectionHistory {
  /// The number of failures since the latest stable connection.
  private(set) var failureCount = 0
  /// The number of those that the operations have seen which are there now. The limit of attempts
  /// is theirs: an operation before them has not used it up.
  private(set) var attemptCount = 0
  /// The number of rejections since the latest session that was stable or delivered a result.
  private(set) var rejectionCount = 0
  /// The failure since the latest acknowledgement, for the provider of the next payload.
  private(set) var latestFailure: ConnectionFailure?
  private(set) var hasBeenConnected = false

  mutating func noteAcknowledgement() {
    hasBeenConnected = true
    latestFailure = nil
  }

  /// Notes the end of a session that was acknowledged for a time.
  ///
  /// A token that expires sooner than `stableDuration` is no rejection of the next one. A message
  /// that breaks the protocol counts for that long, because the next session would meet it too.
  /// `failure` is `nil` if the client closes the session.
  ///
  /// - Returns: `true` if the session has delivered a result or has lasted long enough, so that its
  ///   end is no rejection.
  mutating func noteEnd(
    of session: SessionStateMachine, after lifetime: Duration, before failure: ConnectionFailure?,
    _ policy: ReconnectionPolicy
  ) -> Bool {
    let isStable = policy.isStable(after: lifetime, failureCount: failureCount)
    let isFruitful =
      session.hasDelivered
      || (failure?.isRejection == true ? lifetime >= policy.stableDuration : isStable)
    if isFruitful { rejectionCount = 0 }
    if isStable {
      failureCount = 0
      attemptCount = 0
    }
    return isFruitful
  }

  /// Notes a failure.
  ///
  /// A rejection of the credentials outlasts attempts without a payload, which the server has not
  /// seen: `isRejected` stays `true` until the provider has returned another payload.
  mutating func note(
    _ failure: ConnectionFailure, isRejection: Bool,
    _ recoveries: [WebSocketCloseCode: WebSocketRecovery]
  ) {
    failureCount += 1
    attemptCount += 1
    if isRejection { rejectionCount += 1 }
    if failure.isWithoutPayload, latestFailure?.recovery(recoveries) == .refreshAndRetry { return }
    latestFailure = failure
  }

  mutating func forgetFailures() {
    failureCount = 0
    attemptCount = 0
    rejectionCount = 0
  }

  /// Handles that no operation is left. The next wait is as long as it would have been.
  mutating func forgetAttempts() { attemptCount = 0 }

  /// Forgets the failures of another user's connections.
  mutating func forgetUser() {
    latestFailure = nil
    forgetFailures()
  }

  /// Handles that all operations which the rejections concern have ended. Later ones have all their
  /// attempts.
  mutating func forgetRejections() { rejectionCount = 0 }

  /// Returns `true` if the server rejects this client again and again.
  ///
  /// Without a provider, the headers of the next handshake would be those of the rejected one.
  func isHopeless(_ failure: ConnectionFailure, _ settings: TransportSettings) -> Bool {
    if case .handshake = failure, failure.recovery(settings.recoveries) == .refreshAndRetry,
      !settings.hasPayloadProvider
    {
      return true
    }
    return rejectionCount >= settings.maximumRejectionCount
  }
}
