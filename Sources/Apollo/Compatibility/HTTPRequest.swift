public import ApolloAPI
internal import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way through a ``RequestChain``.
///
/// A step changes the request itself:
///
/// ```swift
/// request.addHeader(name: "X-Attempt", value: "2")
/// request.cachePolicy = .fetchIgnoringCacheData
/// chain.retry(request: request, completion: completion)
/// ```
public final class HTTPRequest<Operation: GraphQLOperation>: Sendable {
  private struct State {
    var cachePolicy: CachePolicy
    var additionalHeaders: [String: String]
    var isPersistedQueryRetry = false
    /// The form in which the document was sent last.
    var sentForm: OperationMessage.DocumentForm?
  }

  /// The operation with the values of its variables.
  public let operation: Operation

  /// The identifier of the cache write, if the caller has given one.
  public let contextIdentifier: UUID?

  let call: RequestChainCall<Operation>
  private let original: GraphQLRequest<Operation>
  private let state: Lock<State>

  init(_ request: GraphQLRequest<Operation>, _ call: RequestChainCall<Operation>) {
    self.call = call
    original = request
    operation = request.operation
    contextIdentifier = request.origin?.identifier
    state = Lock(
      State(
        cachePolicy: CachePolicy(request),
        additionalHeaders: request.configuration.additionalHeaders))
  }

  /// `false` if the session of the call has ended.
  var isWanted: Bool { original.facts.session?.isCurrent ?? true }

  /// `true` if the caller takes one response, which is whole, instead of a sequence.
  var isWhole: Bool { original.isWhole }

  /// The URL of the GraphQL endpoint of the transport that sends the operation.
  public var graphQLEndpoint: URL {
    // The client's transport may choose among several, and then has no URL of its own.
    call.sending.requestLink?.factory.endpoint ?? call.context.transport.endpointURL
      ?? URL(fileURLWithPath: "/")
  }

  /// The order in which the cache and the server are used. The steps that read and write the cache
  /// follow it.
  public var cachePolicy: CachePolicy {
    get { state.withLock { $0.cachePolicy } }
    set { state.withLock { $0.cachePolicy = newValue } }
  }

  /// The headers of this request, in addition to the transport's.
  public var additionalHeaders: [String: String] {
    get { state.withLock { $0.additionalHeaders } }
    set { state.withLock { $0.additionalHeaders = newValue } }
  }

  /// `true` if the text of the operation is sent because the server does not know its hash.
  public var isPersistedQueryRetry: Bool {
    get { state.withLock { $0.isPersistedQueryRetry } }
    set { state.withLock { $0.isPersistedQueryRetry = newValue } }
  }

  /// Returns whether a response only says that the server misses the text of the operation, of
  /// which it has got the hash. Servers that do not know persisted queries say so in their own
  /// words.
  func missesText(_ response: ChainResponse<Operation>) -> Bool {
    let response = NetworkResponse(body: response.rawData)
    return switch state.withLock({ $0.sentForm }) {
    case .identifier?:
      PersistedQueries.isStep(response) || PersistedQueries.isRefusal(response)
    case .textAndIdentifier?: PersistedQueries.isStep(response)
    default: false
    }
  }

  /// Notes in the sending record that the server has done nothing: its response only says that it
  /// does not know the text, or takes no hashes.
  func noteRefusal(by response: ChainResponse<Operation>) {
    // The record changes the latest attempt, and a step may have sent another request since.
    guard let exchange = response.origin?.exchange, exchange === call.exchange else { return }
    original.facts.session?.record?.refuse()
  }

  /// Sets a header. It replaces an equally named one.
  public func addHeader(name: String, value: String) {
    state.withLock { state in
      for known in state.additionalHeaders.keys
      where known.caseInsensitiveCompare(name) == .orderedSame {
        state.additionalHeaders[known] = nil
      }
      state.additionalHeaders[name] = value
    }
  }

  /// Returns the HTTP request that is sent for this request.
  ///
  /// A transport that wraps a ``RequestChainNetworkTransport`` may send another form of the
  /// document.
  ///
  /// - Throws: `GraphQLHTTPRequestError` if it cannot be made, such as for a subscription of a
  ///   `FallbackNetworkTransport`, which may take a WebSocket.
  public func toURLRequest() throws -> URLRequest {
    guard let link = call.sending.requestLink else {
      throw GraphQLHTTPRequestError.unsupportedURL(graphQLEndpoint.absoluteString)
    }
    let form = documentForm(link)
    // A transport that sends the operation chooses the form again.
    if call.link != nil { state.withLock { $0.sentForm = form } }
    return try link.factory.urlRequest(for: graphQLRequest.transportRequest, form)
  }

  /// The request with the changes that steps have made.
  var graphQLRequest: GraphQLRequest<Operation> {
    var request = original
    let (policy, headers) = state.withLock { ($0.cachePolicy, $0.additionalHeaders) }
    request.fetchBehavior = policy.fetchBehavior
    request.configuration.additionalHeaders = headers
    // A policy cannot name each combination of reading and writing, so the option of the call stays
    // unless a step has chosen a policy that writes otherwise.
    if policy.writesResultsToCache != CachePolicy(original).writesResultsToCache {
      request.configuration.writeResultsToCache = policy.writesResultsToCache
    }
    return request
  }

  /// The form in which the document is sent.
  func documentForm(_ link: HTTPLink) -> OperationMessage.DocumentForm {
    guard link.persistedQueries.areEnabled, original.files.isEmpty,
      Operation.operationType != .subscription
    else { return .text }
    return isPersistedQueryRetry ? .textAndIdentifier : .identifier
  }
}

extension CachePolicy {
  /// The policy of callbacks with the behavior of a request.
  fileprivate init<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) {
    self =
      switch request.fetchBehavior {
      case .cacheFirst: .returnCacheDataElseFetch
      case .cacheOnly: .returnCacheDataDontFetch
      case .cacheAndNetwork: .returnCacheDataAndFetch
      case .revalidateCache: .returnCacheDataElseFetch
      case .networkFirst: .networkElseCache
      default:
        request.configuration.writeResultsToCache
          ? .fetchIgnoringCacheData : .fetchIgnoringCacheCompletely
      }
  }
}
