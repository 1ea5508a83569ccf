import Apollo
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient {
  /// A client that no timeout interrupts.
  static func patient(url: URL) -> ApolloClient {
    ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: .patient))
  }
}

extension URLSessionClient {
  /// A client that no timeout interrupts, as a busy machine must not be taken for a server that is too slow.
  static var patient: URLSessionClient {
    URLSessionClient(
      sessionConfiguration: .graphQL.patient, limits: TransferLimits(deadline: nil))
  }
}
