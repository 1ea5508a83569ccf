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
/// 1. Queries are equal if their HTTP requests are, with all headers that interceptors have added,
///    and if their time limits and the clients that send them are. The headers of a trace do not
///    count. So the users of two tokens never share a response.
/// 2. A query that was sent before a mutation ended, or before an event of a subscription over this
///    transport, is not shared with queries after it, which must see the effect. Neither is one
///    from before a clearing of the cache, or one of a client with another cache.
/// 3. A caller that is cancelled does not cancel the request for the others; the last one does.
/// 4. A query that was sent in one session is not shared with queries of the next one; see
///    ``ApolloClient/endSession()``.
/// 5. Mutations, subscriptions, uploads and queries whose response arrives in parts are never
///    shared. Nor are queries whose body an interceptor has made a stream: its bytes cannot be
///    compared.
/// 6. A transport that does not send HTTP requests is asked once for queries of equal types,
///    variables, headers and time limits. If it has HTTP interceptors, whose headers cannot be
///    seen, nothing is shared.
///
/// Each caller runs its own interceptors, decodes the response and writes it to the cache.
public final class DeduplicatingNetworkTransport: UploadingNetworkTransport,
  SubscriptionNetworkTransport, InterceptingNetworkTransport
{
  private struct Key: Hashable, Sendable {
    var operation: ObjectIdentifier
    /// The text of the part that is asked for, or `nil` for the whole operation.
    var part: String?
    /// The identifiers of the objects that the part looks up.
    var identifiers: [JSONValue]?
    var variables: Variables?
    var headers: [String: String]
    var timeout: Duration?
    var usesGET: Bool?
    var onError: ErrorBehavior?
    var hasDeadline: Bool
    /// The client of a step of the call, or `nil` for that of the transport.
    var client: ObjectIdentifier?
    var period: Period
  }

  /// The time in which queries can be shared: until a mutation or the session ends, an event comes,
  /// or the cache is cleared.
  private struct Period: Hashable, Sendable {
    var changeCount = 0
    var sessionCount = 0
    var clearing: UInt64 = 0
    /// The order of requests in which the clearing is: that of one cache.
    var order: UInt64 = 0
    /// The session of the client, with which its requests end.
    var client: CallSession.Identity?
    /// The number of a request that is not shared.
    var single: UInt64?

    /// The period of a request that is sent now.
    func of(_ request: OperationRequest) -> Period {
      var period = self
      period.clearing = request.facts.sent?.clearing ?? 0
      period.order = request.facts.sent?.order ?? 0
      period.client = request.facts.session?.identity
      if request.facts.needsOwnRequest { period.single = request.facts.sent?.number }
      return period
    }
  }

  /// The properties that must be equal besides the HTTP requests.
  private struct Group: Hashable, Sendable {
    var timeout: Duration?
    var hasDeadline: Bool
    var period: Period
  }

  private let base: any NetworkTransport
  /// A response for all callers. Its request is under way until each of them has it.
  private struct SharedResponse: Sendable {
    let response: NetworkResponse
    let sent: SentRequest.Hold?
  }

  private let requests = SharedRequests<Key, SharedResponse>()
  private let exchanges = ExchangeSharing()
  private let period = Lock(Period())

  /// Creates a transport that sends its operations through another one.
  public init(_ base: any NetworkTransport) { self.base = base }

  /// The URL of the other transport's server.
  public var endpointURL: URL? { base.endpointURL }

  /// The limit of the other transport.
  public var callTimeLimit: Duration? { base.callTimeLimit }

  /// Returns the limit of the other transport.
  public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    base._timeLimit(for: type, hasFiles: hasFiles)
  }

  /// Returns the interceptors of the other transport.
  public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    base.interceptors(for: type)?.provider
  }

  /// Returns the interceptors of the other transport, which send through this one.
  public func _interceptors(
    for type: GraphQLOperationType, hasFiles: Bool
  ) -> (any _InterceptorsOfTransport)? {
    base._interceptors(for: type, hasFiles: hasFiles)?._sendingThroughTransport
  }

  /// Sends a query, unless an equal one is under way, or a mutation.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    switch type(of: request.operation).operationType {
    case .query: return try await share(request)
    case .mutation:
      defer { noteChange() }
      return try await base.send(request)
    case .subscription: return try await base.send(request)
    }
  }

  private func share(_ request: OperationRequest) async throws -> NetworkResponse {
    let joined: @Sendable () -> Void = { request.facts.events?.record(.joined) }
    if base._sharesExchanges {
      let group = Group(
        timeout: request.timeout, hasDeadline: request.facts.hasDeadline,
        period: period.get().of(request))
      let caller = ExchangeSharing.Caller(
        exchanges, sent: request.facts.sent, group: group, joined: joined)
      var response = try await ExchangeSharing.$current.withValue(caller) {
        try await base.send(request)
      }
      // For callers that join, the data is as old as the request that was sent.
      response.sent = caller.sent
      return response
    }
    let interceptors = interceptorProvider(for: .query)?.httpInterceptors(for: request.operation)
    guard interceptors?.isEmpty ?? true else { return try await base.send(request) }
    let shared = try await requests.value(for: key(of: request), joined: joined) { [base] in
      // The query that sends may be cancelled while those that have joined it wait.
      let sent = request.facts.sent?.hold()
      return SharedResponse(response: try await base.send(request), sent: sent)
    }
    var response = shared.response
    if let sent = shared.sent {
      request.facts.sent?.join(sent)
      response.sent = sent.request
    }
    return response
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
    let reportsChanges = type(of: request.operation).operationType != .query
    return NetworkResponses { [self] in
      var iterator = base.responses(to: request).makeAsyncIterator()
      return { [self] in
        // Each part and each error may follow from what the mutation has done, and an event from
        // what others have.
        defer { if reportsChanges { noteChange() } }
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
    defer { noteChange() }
    guard let response = try await base._upload(request.with(files)) else {
      throw ApolloClientError(
        .noUploadTransport, operationName: request.operationName, transport: base)
    }
    return response
  }

  private func noteChange() { period.withLock { $0.changeCount += 1 } }

  /// The ability of the other transport.
  public var _endsSubscriptions: Bool { base._endsSubscriptions }

  /// Shares no request of the ended session with the next one.
  public func _endSession() {
    period.withLock { $0.sessionCount += 1 }
    base._endSession()
  }

  private func key(of request: OperationRequest) -> Key {
    let operation = request.operation
    return Key(
      operation: ObjectIdentifier(type(of: operation)), part: request.facts.completion?.text,
      identifiers: request.facts.completion?.identifiers,
      variables: operation.__variables,
      headers: request.additionalHeaders.filter {
        !ExchangeSharing.traceHeaders.contains($0.key.lowercased())
      },
      timeout: request.timeout, usesGET: request.usesGET, onError: request.onError,
      hasDeadline: request.facts.hasDeadline,
      client: request.facts.client?.identity, period: period.get().of(request))
  }
}
