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
    var rawData: Data
    var parsedResponse: GraphQLResult<Operation.Data>?
    var records: ReceivedRecords?
    /// The request that was sent, if a transport has shared its response.
    var sent: SentRequest?
    /// Indicates whether the server has announced more parts.
    var isPartial = false
    /// Indicates whether a list has failed, so that it stays short.
    var lacksElements = false
  }

  private let state: Lock<State>

  /// Creates a response of a transport.
  init(_ head: HTTPURLResponse, _ response: NetworkResponse) {
    state = Lock(
      State(
        httpResponse: head, rawData: response.body, sent: response.sent,
        isPartial: response.isPartial, lacksElements: response.lacksElements))
  }

  /// Creates a response, such as one of a step that replaces ``NetworkFetchInterceptor``.
  public init(
    response: HTTPURLResponse, rawData: Data, parsedResponse: GraphQLResult<Operation.Data>?
  ) {
    state = Lock(
      State(httpResponse: response, rawData: rawData, parsedResponse: parsedResponse))
  }

  /// The status and the headers.
  public var httpResponse: HTTPURLResponse {
    get { state.withLock { $0.httpResponse } }
    set { state.withLock { $0.httpResponse = newValue } }
  }

  /// The body.
  public var rawData: Data {
    get { state.withLock { $0.rawData } }
    set { state.withLock { $0.rawData = newValue } }
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

  /// The dependencies of the result in the cache, when a step has written it.
  var dependencies: ReadingTrace? {
    state.withLock { $0.parsedResponse?.dependencies as? ReadingTrace }
  }

  /// Notes that the result was written to the cache, how old its data is, and what it is if newer
  /// data was in the cache.
  func noteWrite(_ response: GraphQLResponse<Operation>) {
    state.withLock { state in
      state.parsedResponse?.data = response.data
      state.parsedResponse?.dependencies = response.dependencies
      state.parsedResponse?.freshness = response.freshness
    }
  }

  /// The response as a transport delivers it.
  var networkResponse: NetworkResponse {
    let state = self.state.get()
    let head = state.httpResponse
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    var response = NetworkResponse(
      body: state.rawData, http: HTTPDetails(statusCode: head.statusCode, headers: headers),
      url: head.url)
    response.sent = state.sent
    response.isPartial = state.isPartial
    response.lacksElements = state.lacksElements
    return response
  }
}
