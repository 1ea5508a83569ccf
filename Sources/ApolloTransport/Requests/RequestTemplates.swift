import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests that are complete but for their bodies, for operations that are sent again and again.
///
/// On Linux, setting the six usual headers of a request takes as long as sending it.
final class RequestTemplates: Sendable {
  /// The facts on which the headers of a request depend, besides those of its factory.
  struct Key: Hashable {
    var operation: OperationHeaders
    var awareness: ClientAwareness
    var hasJSONBody: Bool
  }

  /// A program has a fixed number of operations; this is for those that make up names.
  private static let limit = 256

  private let requests = Lock<[Key: URLRequest]>([:])

  /// Returns the request for `key`, which `make` makes when it is needed first.
  func request(
    for key: Key, _ make: () throws(GraphQLHTTPRequestError) -> URLRequest
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    if let known = requests.withLock({ $0[key] }) { return known }
    let request = try make()
    requests.withLock { requests in
      if requests.count >= Self.limit { requests = [:] }
      requests[key] = request
    }
    return request
  }
}
