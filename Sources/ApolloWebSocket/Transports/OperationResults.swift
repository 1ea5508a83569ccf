import ApolloAPI
import ApolloTransport
import Foundation

/// The results of one operation. Releasing the reference ends the operation, if it is running.
///
/// The operation retains its transport, so a program that only keeps the results gets all of them.
final class OperationResults: Sendable {
  private let buffer: ResultBuffer
  private let driver: TransportDriver
  private let key: OperationKey
  private let transport: WebSocketTransport
  /// `true` after the first result; `nil` for subscriptions, which may have none.
  private let hasResult: Lock<Bool>?
  /// Merges the parts of a response with deferred data; `nil` for other operations.
  private let parts: Lock<PartsOfMessages>?

  init(
    of request: OperationRequest, on driver: TransportDriver,
    retaining transport: WebSocketTransport, policy: ResultBufferPolicy
  ) {
    let kind = OperationKind(request.operation)
    buffer = ResultBuffer(kind == .incremental ? .wholeResponse : policy)
    parts = kind == .incremental ? Lock(PartsOfMessages()) : nil
    self.driver = driver
    self.transport = transport
    hasResult = kind == .subscription ? nil : Lock(false)
    key = driver.start(request, kind, buffer: buffer)
  }

  deinit { driver.stop(key) }

  /// Returns the next result or event, or `nil` after the last one.
  ///
  /// - Throws: ``WebSocketError``, or `CancellationError`, which ends the operation.
  func next() async throws -> ResultBuffer.Element? {
    do {
      return try await buffer.next()
    } catch is CancellationError {
      driver.stop(key)
      throw CancellationError()
    }
  }
}

extension OperationResults {
  /// Returns the next result, or `nil` after the last one. Other events go to the request's state
  /// handler.
  ///
  /// - Throws: ``WebSocketError``, also if a query or mutation has no result,
  ///   `ResponseStreamError` if the parts of a response do not fit, or `CancellationError`.
  func nextResponse(_ request: OperationRequest) async throws -> NetworkResponse? {
    if let parts { return try await nextMergedResponse(parts) }
    while let element = try await next() {
      switch element {
      case .result(let payload):
        _ = hasResult?.exchange(true)
        return NetworkResponse(body: Data(payload.bytes))
      case .interrupted(let failure):
        request.stateHandler?(.interrupted(WebSocketError(failure, nil, wasSent: true)))
      case .resumed: request.stateHandler?(.resumed)
      case .dropped(let count): request.stateHandler?(.dropped(eventCount: count))
      }
    }
    try Task.checkCancellation()
    if hasResult?.get() == false { throw WebSocketError(.noResult) }
    return nil
  }
}

extension OperationResults {
  /// Returns the response with all parts so far, or `nil` after the last part.
  ///
  /// Parts that have arrived together can share a response, as over HTTP. If the connection is
  /// lost, the response with everything that arrived comes before the error.
  private func nextMergedResponse(_ parts: Lock<PartsOfMessages>) async throws -> NetworkResponse? {
    while true {
      let hasMore = buffer.hasElements
      if let body = try parts.withLock({ try $0.next(hasMoreParts: hasMore) }) {
        _ = hasResult?.exchange(true)
        return NetworkResponse(body: body)
      }
      if let failure = parts.withLock({ $0.failure }) { throw failure }
      do {
        guard let element = try await next() else { break }
        guard case .result(let payload) = element else { continue }
        parts.withLock { $0.append(Data(payload.bytes)) }
      } catch {
        parts.withLock { $0.failure = error }
      }
    }
    try Task.checkCancellation()
    if hasResult?.get() == false { throw WebSocketError(.noResult) }
    try parts.withLock { try $0.finish() }
    return nil
  }
}

/// The parts of one response over a WebSocket.
private struct PartsOfMessages {
  private var assembler = ResponseAssembler(
    framing: .messages, content: .response, maximumPartByteCount: .max)
  /// The error that follows the response with everything that arrived.
  var failure: (any Error)?

  mutating func append(_ part: Data) { assembler.append(part) }

  mutating func next(hasMoreParts: Bool) throws -> Data? {
    try assembler.next(hasMoreBytes: hasMoreParts && failure == nil)
  }

  /// - Throws: `ResponseStreamError` if parts are missing.
  mutating func finish() throws { try assembler.finish() }
}

extension OperationKind {
  init(_ operation: any GraphQLOperation) {
    let type = type(of: operation)
    self =
      type.operationType == .subscription
      ? .subscription : type.hasDeferredFragments ? .incremental : .single
  }
}
