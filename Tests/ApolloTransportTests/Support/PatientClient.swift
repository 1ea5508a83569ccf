import ApolloTransport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionClient {
  /// A client that waits for each byte as long as a test may take.
  ///
  /// Where a server waits for the test, or the test for the server, a busy machine can keep one of them from its turn for
  /// longer than the idle timeout; which error comes first must not depend on that.
  static func patient(limits: TransferLimits = .init()) -> URLSessionClient {
    let configuration = URLSessionConfiguration.graphQL
    configuration.timeoutIntervalForRequest = 600
    return URLSessionClient(sessionConfiguration: configuration, limits: limits)
  }
}
