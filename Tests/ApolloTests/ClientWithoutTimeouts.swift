import Apollo
import Foundation
import LoopbackServer

extension ApolloClient {
  /// A client without timeouts.
  static func patient(url: URL) -> ApolloClient {
    ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: .patient))
  }
}

extension HTTPClient where Self == DefaultHTTPClient {
  /// A client without timeouts, because tests also run on busy machines.
  static var patient: DefaultHTTPClient {
    #if CURL
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      return CurlClient(configuration: configuration, limits: TransferLimits(deadline: nil))
    #else
      return URLSessionClient(
        sessionConfiguration: .graphQL.patient, limits: TransferLimits(deadline: nil))
    #endif
  }
}
