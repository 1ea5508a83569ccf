import Apollo
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient {
  /// A client that no idle timeout interrupts.
  static func patient(url: URL) -> ApolloClient {
    ApolloClient(
      networkTransport: HTTPNetworkTransport(
        url: url, client: URLSessionClient(sessionConfiguration: .graphQL.patient)))
  }
}
