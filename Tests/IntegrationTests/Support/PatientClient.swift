import Apollo
import Foundation
import LoopbackServer

extension ApolloClient {
  /// A client that no timeout interrupts: a busy machine must not be taken for a server that is too
  /// slow.
  static func patient(url: URL) -> ApolloClient {
    let limits = TransferLimits(deadline: nil)
    #if CURL
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      let client = CurlClient(configuration: configuration, limits: limits)
    #else
      let client = URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
    #endif
    return ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: client))
  }
}
