public import ApolloAPI
public import ApolloTransport
public import Foundation

/// A transport that sends equal queries that are under way at the same time once.
///
/// Two screens that fetch the same query, or a watcher that refetches what a program fetches
/// anyway, share one request, and each receives the response:
///
/// ```swift
/// let transport = DeduplicatingNetworkTransport(HTTPNetworkTransport(url: endpoint))
/// let apollo = ApolloClient(networkTransport: transport)
/// ```
///
/// 1. Queries are equal if their types, variables, headers and time limits are. The headers of a
///    trace do not count.
/// 2. A query that was sent before a mutation ended is not shared with queries after it, which
///    must see the mutation's effect.
/// 3. A caller that is cancelled does not cancel the request for the others; the last one does.
/// 4. Mutations, subscriptions, uploads and queries whose response arrives in parts are never
///    shared.
///
/// Each caller decodes the response and writes it to the cache. Interceptors for whole calls run
/// for each caller, those for HTTP requests once.
public final class DeduplicatingNetworkTransport: UploadingNetworkTransport,
  SubscriptionNetworkTransport, InterceptingNetworkTransport
{
  private struct Key: Hashable, Sendable {
    var operation: ObjectIdentifier
    var variables: Variables?
    var headers: [String: String]
    var timeout: Duration?
    var usesGET: Bool?
    var hasDeadline: Bool
    /// The number of mutations that had ended when the query was sent.
    var mutationCount: Int
  }

  private let base: any NetworkTransport
  private let requests = SharedRequests<Key, NetworkResponse>()
  private let mutationCount = Lock(0)

  /// Creates a transport that sends its operations through another one.
  public init(_ base: any NetworkTransport) { self.base = base }

  /// The URL of the other transport's server.
  public var endpointURL: URL? { base.endpointURL }

  /// The limit of the other transport.
  public var callTimeLimit: Duration? { base.callTimeLimit }

  /// Returns the interceptors of the other transport.
  public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    base.interceptors(for: type)?.provider
  }

  /// Sends a query, unless an equal one is under way, or a mutation.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    switch type(of: request.operation).operationType {
    case .query:
      return try await requests.value(
        for: key(of: request), joined: { request.events?.record(.joined) }
      ) { [base] in
        try await base.send(request)
      }
    case .mutation:
      defer { endMutation() }
      return try await base.send(request)
    case .subscription: return try await base.send(request)
    }
  }

  /// Sends an operation and returns its responses. Those that may be several are not shared.
  ///
  /// The sequence throws ``ApolloClientError`` if the other transport cannot send subscriptions.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    guard request.partsContent != nil else {
      return NetworkResponses(one: { try await self.send(request) })
    }
    guard request.partsContent == .response || base._sendsSubscriptions else {
      return NetworkResponses(
        throwing: ApolloClientError(
          .noSubscriptionTransport, operationName: request.operationName, transport: base))
    }
    let isMutation = type(of: request.operation).operationType == .mutation
    return NetworkResponses { [self] in
      var iterator = base.responses(to: request).makeAsyncIterator()
      return { [self] in
        // Each part and each error may follow from what the mutation has done.
        defer { if isMutation { endMutation() } }
        return try await iterator.next()
      }
    }
  }

  /// Sends an operation with files.
  ///
  /// - Throws: ``ApolloClientError`` if the other transport cannot upload files.
  public func upload(
    _ request: OperationRequest, files: [GraphQLFile]
  ) async throws -> NetworkResponse {
    defer { endMutation() }
    guard let response = try await base._upload(request.with(files)) else {
      throw ApolloClientError(
        .noUploadTransport, operationName: request.operationName, transport: base)
    }
    return response
  }

  private func endMutation() { mutationCount.withLock { $0 += 1 } }

  private func key(of request: OperationRequest) -> Key {
    let operation = request.operation
    return Key(
      operation: ObjectIdentifier(type(of: operation)), variables: operation.__variables,
      headers: request.additionalHeaders.filter { !Self.traceHeaders.contains($0.key) },
      timeout: request.timeout, usesGET: request.usesGET, hasDeadline: request.hasDeadline,
      mutationCount: mutationCount.get())
  }

  private static let traceHeaders: Set = ["traceparent", "tracestate"]
}
