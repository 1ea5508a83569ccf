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

  // No dictionary: the first use of one with a key of its own takes as long as sending a request.
  private let requests = Lock(HashTable<(key: Key, request: URLRequest)>())

  /// Returns the request for `key`, which `make` makes when it is needed first.
  func request(
    for key: Key, _ make: () throws(GraphQLHTTPRequestError) -> URLRequest
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    let hash = key.hashValue
    let known = requests.withLock { $0.find(hash: hash) { $0.key == key } }
    if let known { return known.request }
    let request = try make()
    requests.withLock { requests in
      if requests.count >= Self.limit { requests = HashTable() }
      // Another thread may have made the same one in the meantime.
      guard requests.find(hash: hash, where: { $0.key == key }) == nil else { return }
      requests.insert((key, request), hash: hash)
    }
    return request
  }
}
