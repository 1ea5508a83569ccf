import Apollo
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient {
  /// A client that no timeout interrupts, as a busy machine must not be taken for a server that is
  /// too slow.
  static func patient(url: URL) -> ApolloClient {
    let client = URLSessionClient(
      sessionConfiguration: .graphQL.patient, limits: TransferLimits(deadline: nil))
    return ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: client))
  }
}
