import ApolloAPI
import ApolloCache
import ApolloTransport

extension CallContext {
  /// Notes that a request is about to be sent.
  func beginExchange(_ type: GraphQLOperationType) -> ServerExchange {
    ServerExchange(store.begin(type))
  }

  /// Sends the operation and returns the whole response.
  ///
  /// - Throws: ``ApolloClientError`` if the operation has files, and the transport cannot upload.
  func send<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, in exchange: ServerExchange
  ) async throws -> NetworkResponse {
    let operation = request.transportRequest(exchange)
    // The closure does not keep the request, whose size depends on the type of the operation.
    return try await request.pausingDeadline {
      try operation.facts.session?.record?.handOver()
      guard !operation.files.isEmpty else { return try await transport.send(operation) }
      guard let response = try await transport._upload(operation) else {
        throw ApolloClientError(
          .noUploadTransport, operationName: Operation.operationName, transport: transport)
      }
      return response
    }
  }

  /// Returns the responses of the server, which the transport sends for when one is awaited.
  ///
  /// - Throws: ``ApolloClientError`` if the transport cannot send subscriptions.
  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, in exchange: ServerExchange
  ) throws -> NetworkResponses {
    if Operation.operationType == .subscription, !transport._sendsSubscriptions {
      throw ApolloClientError(
        .noSubscriptionTransport, operationName: Operation.operationName, transport: transport)
    }
    try request.facts.session?.record?.handOver()
    return transport.responses(to: request.transportRequest(exchange))
  }
}

/// One request to the server, and what its response has brought so far.
///
/// Isolation: `part` is guarded by a lock.
final class ServerExchange: Sendable {
  let sent: SentRequest
  private let part = Lock<ResponsePart?>(nil)

  init(_ sent: SentRequest) { self.sent = sent }

  deinit { sent.end() }

  /// The latest part of a response that arrives in parts, which has everything before it.
  var latestPart: ResponsePart? { part.get() }

  /// Notes that a part of the response is in the cache.
  func note(_ records: NormalizedResponse) {
    let new = ResponsePart(records)
    part.withLock { $0 = new }
  }
}

extension GraphQLRequest {
  /// The operation as the transport sends it in an exchange.
  func transportRequest(_ exchange: ServerExchange) -> OperationRequest {
    var request = transportRequest
    request.facts.sent = exchange.sent
    // A watch knows the age of what it shows by the cache alone.
    if traceRecorder != nil, !configuration.writeResultsToCache {
      request.facts.needsOwnRequest = true
    }
    return request
  }

  /// The operation as the transport sends it.
  var transportRequest: OperationRequest {
    var request = OperationRequest(
      operation, additionalHeaders: configuration.additionalHeaders,
      timeout: configuration.requestTimeout)
    request.files = files
    request.usesGET = configuration.usesGET
    request.onError = configuration.onError
    request.uploadProgressHandler = configuration.uploadProgressHandler
    request.shared = shared
    return request
  }
}
