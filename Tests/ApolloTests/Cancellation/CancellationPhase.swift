/// The moments of a call at which the tests cancel it.
enum CancellationPhase: String, CaseIterable, Sendable {
  case beforeTheCall, inAnInterceptor, waitingForAConnection, resolving, connecting, agreeingOnTLS
  case sending, waitingForTheHead, insideTheHead, insideTheBody, atTheEnd

  /// `true` if a response can arrive before the call is cancelled.
  var canSucceed: Bool { self == .resolving || self == .atTheEnd }

  /// `true` if something shows that the phase has begun. In the other phases, calls are cancelled
  /// after a random time.
  var isVisible: Bool {
    switch self {
    case .beforeTheCall, .waitingForAConnection, .resolving, .connecting, .agreeingOnTLS: false
    default: true
    }
  }
}
