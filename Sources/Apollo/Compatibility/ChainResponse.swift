public import ApolloAPI
internal import ApolloCache
internal import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response on its way through a ``RequestChain``.
///
/// Apollo iOS 1.x calls it `HTTPResponse`, as 2.x calls the response without an operation. The
/// latter has the name here. Code of the older generation compiles unchanged with this line in one
/// of its files:
///
/// ```swift
/// typealias HTTPResponse<Operation: GraphQLOperation> = ChainResponse<Operation>
/// ```
public final class ChainResponse<Operation: GraphQLOperation>: Sendable {
  private struct State {
    var httpResponse: HTTPURLResponse
    /// The response as the transport has delivered it, but for its head.
    var response: NetworkResponse
    var parsedResponse: GraphQLResult<Operation.Data>?
    var records: ReceivedRecords?
    var origin: Origin?
  }

  /// The request that a response belongs to. Weak, because a program may keep the response, and a
  /// request under way keeps what the store has noted since: the call decides when it ends.
  struct Origin: Sendable {
    weak var exchange: ServerExchange?
  }

  private let state: Lock<State>

  /// Creates a response of a transport.
  init(_ head: HTTPURLResponse, _ response: NetworkResponse) {
    state = Lock(State(httpResponse: head, response: response))
  }

  /// Creates a response, such as one of a step that replaces ``NetworkFetchInterceptor``.
  public init(
    response: HTTPURLResponse, rawData: Data, parsedResponse: GraphQLResult<Operation.Data>?
  ) {
    state = Lock(
      State(
        httpResponse: response, response: NetworkResponse(body: rawData),
        parsedResponse: parsedResponse))
  }

  /// The status and the headers.
  public var httpResponse: HTTPURLResponse {
    get { state.withLock { $0.httpResponse } }
    set { state.withLock { $0.httpResponse = newValue } }
  }

  /// The body.
  public var rawData: Data {
    get { state.withLock { $0.response.body } }
    set { state.withLock { $0.response.body = newValue } }
  }

  /// The result, when a step has parsed the body.
  public var parsedResponse: GraphQLResult<Operation.Data>? {
    get { state.withLock { $0.parsedResponse } }
    set { state.withLock { $0.parsedResponse = newValue } }
  }

  /// The records for the cache, when a step has parsed the body.
  var records: ReceivedRecords? {
    get { state.withLock { $0.records } }
    set { state.withLock { $0.records = newValue } }
  }

  /// The request that it belongs to, or `nil` if a step of the program has received it.
  var origin: Origin? {
    get { state.withLock { $0.origin } }
    set { state.withLock { $0.origin = newValue } }
  }

  /// The response as a transport delivers it.
  var networkResponse: NetworkResponse {
    let state = self.state.get()
    let head = state.httpResponse
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    var response = state.response
    response.http = HTTPDetails(statusCode: head.statusCode, headers: headers)
    response.url = head.url
    return response
  }
}
