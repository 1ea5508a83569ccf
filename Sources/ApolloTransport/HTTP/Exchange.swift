internal import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request that a session works on: what the session's delegate is told goes in, one response
/// comes out.
///
/// Whatever happens in whatever order, the head is delivered or refused exactly once, and the body
/// ends exactly once. All state is guarded by `state`; continuations are resumed outside the lock.
final class Exchange: Sendable {
  private enum State {
    /// Nobody has asked for the head yet.
    case idle
    case waitingForHead(CheckedContinuation<HTTPResponse, any Error>)
    case streaming(AsyncThrowingStream<Data, any Error>.Continuation, byteCount: Int)
    case finished(any Error)
  }

  private let url: URL
  private let maximumByteCount: Int
  /// Ends the work behind this exchange and forgets it. Called once.
  private let release: Lock<(@Sendable (_ isCancelled: Bool) -> Void)?>
  private let state = Lock(State.idle)

  init(
    url: URL, maximumByteCount: Int, release: @escaping @Sendable (_ isCancelled: Bool) -> Void
  ) {
    self.url = url
    self.maximumByteCount = maximumByteCount
    self.release = Lock(release)
  }

  /// Suspends until the head has come. To be called once.
  func response(start: () -> Void) async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let failure: (any Error)? = state.withLock { state in
          if case .finished(let error) = state { return error }
          state = .waitingForHead(continuation)
          return nil
        }
        if let failure { return continuation.resume(throwing: failure) }
        start()
      }
    } onCancel: {
      cancel()
    }
  }

  // MARK: What the session reports

  /// The head has come. `false` when nobody wants the rest.
  func received(_ response: URLResponse) -> Bool {
    guard let head = response as? HTTPURLResponse else {
      finish(NetworkError(.notHTTP, url: url), isCancelling: true)
      return false
    }
    // Informational responses precede the answer (RFC 9110, section 15.2); Linux tells of them.
    if (100..<200).contains(head.statusCode) { return true }
    if head.expectedContentLength > Int64(maximumByteCount) {
      finish(tooLarge, isCancelling: true)
      return false
    }
    let (chunks, body) = AsyncThrowingStream<Data, any Error>.makeStream()
    body.onTermination = { [weak self] termination in
      if case .cancelled = termination { self?.cancel() }
    }
    let waiter: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
      guard case .waitingForHead(let waiter) = state else { return nil }
      state = .streaming(body, byteCount: 0)
      return waiter
    }
    waiter?.resume(returning: HTTPResponse(response: head, chunks: chunks))
    return waiter != nil
  }

  func received(_ data: Data) {
    let (body, isTooLarge) = state.withLock { state in
      guard case .streaming(let body, let byteCount) = state else {
        return (AsyncThrowingStream<Data, any Error>.Continuation?.none, false)
      }
      state = .streaming(body, byteCount: byteCount + data.count)
      return (body, byteCount + data.count > maximumByteCount)
    }
    if isTooLarge {
      finish(tooLarge, isCancelling: true)
    } else {
      body?.yield(data)
    }
  }

  /// The session is done with the request.
  func completed(_ error: (any Error)?) {
    if let error {
      let hasHead = state.withLock { if case .streaming = $0 { true } else { false } }
      finish(NetworkError(error, url: url, hasHead: hasHead), isCancelling: false)
    } else {
      finish(nil, isCancelling: false)
    }
  }

  /// The connection ended without an answer, and the session would send the body again.
  func lostConnection() {
    finish(
      NetworkError(.connectionLost, url: url, detail: "no answer had come"), isCancelling: true)
  }

  /// The session cannot go on.
  func invalidated() { finish(NetworkError(.invalidated, url: url), isCancelling: true) }

  /// Nobody wants the answer any more.
  func cancel() { finish(CancellationError(), isCancelling: true) }

  // MARK: The one way to the end

  /// Ends the exchange, unless it has ended before.
  private func finish(_ error: (any Error)?, isCancelling: Bool) {
    let failure = error ?? NetworkError(.connectionLost, url: url, detail: "no answer had come")
    let previous = state.withLock { state in
      defer {
        if case .finished = state {} else { state = .finished(failure) }
      }
      return state
    }
    switch previous {
    case .idle: break
    case .waitingForHead(let waiter): waiter.resume(throwing: failure)
    case .streaming(let body, _): body.finish(throwing: error)
    case .finished: return
    }
    let release = release.withLock { release in
      defer { release = nil }
      return release
    }
    release?(isCancelling)
  }

  private var tooLarge: NetworkError {
    NetworkError(.responseTooLarge, url: url, detail: "the limit of \(maximumByteCount) bytes")
  }
}
