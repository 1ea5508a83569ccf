import Apollo
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient {
  /// A client without timeouts.
  static func patient(url: URL) -> ApolloClient {
    ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: .patient))
  }
}

extension URLSessionClient {
  /// A client without timeouts, because tests also run on busy machines.
  static var patient: URLSessionClient {
    URLSessionClient(
      sessionConfiguration: .graphQL.patient, limits: TransferLimits(deadline: nil))
  }
}
