import ApolloTransport
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionClient {
  /// A client that no timeout interrupts but the deadline that is given here: a busy machine must not be taken for a server that is
  /// too slow.
  static func patient(
    deadline: Duration? = nil, limits: TransferLimits = TransferLimits()
  ) -> URLSessionClient {
    var limits = limits
    limits.deadline = deadline
    return URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
  }
}
