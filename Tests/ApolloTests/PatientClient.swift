import Apollo
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient {
  /// A client that waits for each byte as long as a test may take: on a busy machine a test can notice later than the idle
  /// timeout that its server holds a request, and would be told of that timeout instead of what it looks at.
  static func patient(url: URL) -> ApolloClient {
    let configuration = URLSessionConfiguration.graphQL
    configuration.timeoutIntervalForRequest = 600
    return ApolloClient(
      networkTransport: HTTPNetworkTransport(
        url: url, client: URLSessionClient(sessionConfiguration: configuration)))
  }
}
