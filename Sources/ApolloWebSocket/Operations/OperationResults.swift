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
  /// Merges the parts of a response, once there is more than one; `nil` for subscriptions.
  private let parts: Lock<PartsOfMessages>?
  /// The attempt to carry out the operation, if its call notes them.
  private let attempt: SendingAttempt?

  init(
    of request: OperationRequest, on driver: TransportDriver,
    retaining transport: WebSocketTransport, policy: ResultBufferPolicy
  ) {
    let kind = OperationKind(request.operation)
    buffer =
      kind == .subscription
      ? ResultBuffer(policy, of: request.facts.sent) : ResultBuffer(.wholeResponse)
    parts = kind == .subscription ? nil : Lock(PartsOfMessages(isExpected: kind == .incremental))
    self.driver = driver
    self.transport = transport
    hasResult = kind == .subscription ? nil : Lock(false)
    attempt = request.facts.session?.attempt
    key = driver.start(request, kind, buffer: buffer)
  }

  deinit { driver.stop(key) }

  /// Returns the next result or event, or `nil` after the last one.
  ///
  /// - Throws: ``WebSocketError``, or `CancellationError`, which ends the operation.
  func next() async throws -> ResultBuffer.Element? {
    do {
      return try await buffer.next()
    } catch {
      note(error)
      throw error
    }
  }

  @inline(never)
  private func note(_ error: any Error) {
    if error is CancellationError { driver.stop(key) }
    if (error as? WebSocketError)?.code == .rejected { attempt?.respond() }
  }
}

// The memory of a task that waits for the next element has the local values of each function that
// waits with it. Therefore what these functions do with an element is in others, not inlined.
extension OperationResults {
  /// The receiver of the events of a subscription that are no results.
  typealias StateHandler = @Sendable (SubscriptionState) -> Void

  /// Returns the next result, or `nil` after the last one. Other events go to `stateHandler`.
  ///
  /// - Throws: ``WebSocketError``, also if a query or mutation has no result,
  ///   `ResponseStreamError` if the parts of a response do not fit, or `CancellationError`.
  func nextResponse(_ stateHandler: StateHandler? = nil) async throws -> NetworkResponse? {
    while true {
      if let parts, parts.withLock({ $0.isExpected }) {
        return try await nextMergedResponse(parts)
      }
      guard let element = try await next() else { break }
      if let response = response(of: element, stateHandler) { return response }
    }
    try end()
    return nil
  }

  /// Returns a result that is a whole response. Reports other events, and keeps the first part of a
  /// response in parts.
  @inline(never)
  private func response(
    of element: ResultBuffer.Element, _ stateHandler: StateHandler?
  ) -> NetworkResponse? {
    switch element {
    case .result(let payload, let event):
      if let parts, payload.announcesMoreParts {
        parts.withLock { $0.begin(with: Data(payload.bytes)) }
        return nil
      }
      noteResult()
      var response = NetworkResponse(body: Data(payload.bytes))
      response.sent = event
      return response
    case .interrupted(let error): stateHandler?(.interrupted(error))
    case .resumed: stateHandler?(.resumed)
    case .dropped(let count): stateHandler?(.dropped(eventCount: count))
    }
    return nil
  }

  private func noteResult() {
    _ = hasResult?.exchange(true)
    attempt?.respond()
  }

  /// Ends the results. Nothing follows them.
  @inline(never)
  private func end() throws {
    try Task.checkCancellation()
    if hasResult?.get() == false { throw WebSocketError(.noResult, url: transport.endpointURL) }
    try parts?.withLock { if $0.isExpected { try $0.finish() } }
    attempt?.respond()
  }
}

extension OperationResults {
  /// Returns the response with all parts so far, or `nil` after the last part.
  ///
  /// Parts that have arrived together can share a response, as over HTTP. The last part ends the
  /// response, whatever follows it. If the connection is lost before, the response with everything
  /// that arrived comes before the error.
  private func nextMergedResponse(_ parts: Lock<PartsOfMessages>) async throws -> NetworkResponse? {
    while true {
      let hasMore = buffer.hasElements
      if let body = try parts.withLock({ try $0.next(hasMoreParts: hasMore) }) {
        noteResult()
        return parts.withLock { $0.response(body) }
      }
      if parts.withLock({ $0.isComplete }) {
        driver.complete(key)
        return nil
      }
      if let failure = parts.withLock({ $0.failure }) { throw failure }
      do {
        guard let element = try await next() else { break }
        guard case .result(let payload, _) = element else { continue }
        try parts.withLock { try $0.append(Data(payload.bytes)) }
      } catch {
        parts.withLock { $0.end(with: error) }
      }
    }
    try end()
    return nil
  }
}

/// The parts of one response over a WebSocket.
private struct PartsOfMessages {
  private var assembler = ResponseAssembler(
    framing: .messages, content: .response, maximumPartByteCount: .max)
  private var byteCount = 0
  /// `true` if the response can be in parts.
  private(set) var isExpected: Bool
  /// The error that follows the response with everything that arrived.
  private(set) var failure: (any Error)?

  init(isExpected: Bool) { self.isExpected = isExpected }

  /// `true` after the last part.
  var isComplete: Bool { assembler.isComplete }

  /// Returns a response with a body that was taken.
  func response(_ body: Data) -> NetworkResponse { assembler.response(body) }

  /// Takes the first part of a response that was not expected to have several.
  mutating func begin(with part: Data) {
    isExpected = true
    byteCount = part.count
    assembler.append(part)
  }

  /// - Throws: ``WebSocketError`` if the parts are too large together.
  mutating func append(_ part: Data) throws {
    byteCount += part.count
    guard byteCount <= ResultBufferPolicy.wholeResponse.maximumByteCount else {
      throw ResultBufferPolicy.wholeResponse.overflowError
    }
    assembler.append(part)
  }

  /// Keeps the error that follows the response.
  mutating func end(with error: any Error) {
    failure = error
    if byteCount > 0, let error = error as? WebSocketError { failure = error.afterPart }
  }

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
      ? .subscription : type.mayHaveSeveralParts ? .incremental : .single
  }
}
