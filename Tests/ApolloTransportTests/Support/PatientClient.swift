import ApolloTransport
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionClient {
  /// A client that no idle timeout interrupts.
  static func patient(limits: TransferLimits = .init()) -> URLSessionClient {
    URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
  }
}
