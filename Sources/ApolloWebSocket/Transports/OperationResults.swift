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
  private let kind: OperationKind
  private let hasResult = Lock(false)

  init(
    of request: OperationRequest, on driver: TransportDriver,
    retaining transport: WebSocketTransport, policy: ResultBufferPolicy
  ) {
    buffer = ResultBuffer(policy)
    self.driver = driver
    self.transport = transport
    kind = OperationKind(request.operation)
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
  /// - Throws: ``WebSocketError``, also if a query or mutation has no result, or
  ///   `CancellationError`.
  func nextResponse(_ request: OperationRequest) async throws -> NetworkResponse? {
    while let element = try await next() {
      switch element {
      case .result(let payload):
        _ = hasResult.exchange(true)
        return NetworkResponse(body: Data(payload.bytes))
      case .interrupted(let failure):
        request.stateHandler?(.interrupted(WebSocketError(failure, nil, wasSent: true)))
      case .resumed: request.stateHandler?(.resumed)
      case .dropped(let count): request.stateHandler?(.dropped(eventCount: count))
      }
    }
    try Task.checkCancellation()
    if kind != .subscription, !hasResult.get() { throw WebSocketError(.noResult) }
    return nil
  }
}

extension OperationKind {
  init(_ operation: any GraphQLOperation) {
    let type = type(of: operation)
    self =
      type.operationType == .subscription
      ? .subscription : type.hasDeferredFragments ? .incremental : .single
  }
}
