import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The work that a client does for an exchange, on the network's side of it.
protocol Transfer: AnyObject, Sendable {
  /// Reads from the connection again, after ``Exchange/hasRoom(besides:)`` was `false`.
  func resume()
  /// Ends the work, because its result is not wanted any more.
  func stop()
}

/// One request under way: the network's events go in on one side, one response comes out on the
/// other.
///
/// | state | event | next state | effect |
/// | :-- | :-- | :-- | :-- |
/// | `idle` | `response(start:)` | `waiting` | the transfer starts |
/// | `waiting` | the head | `open` | the reader gets the head |
/// | `open` | bytes | `open` | the reader gets them, or they wait in the buffer |
/// | `open` | the end | `ended` | the reader gets what is buffered, then the end |
/// | `idle`, `waiting` | the end, or cancellation | `failed` | the reader gets the error |
/// | `open` | cancellation | `ended` | the buffer is dropped, the reader gets the error |
/// | `ended`, `failed` | anything | unchanged | none |
///
/// Whatever happens in whatever order, the head is delivered or refused exactly once, and the body
/// ends exactly once. All state is behind one lock; continuations are resumed and the transfer is
/// called outside of it.
final class Exchange: Sendable {
  private enum Phase {
    case idle
    case waiting(CheckedContinuation<HTTPResponse, any Error>)
    case open
    case ended(Result<Void, any Error>)
    case failed(any Error)
  }

  private struct State {
    var phase = Phase.idle
    var transfer: (any Transfer)?
    /// The one chunk that waits for the reader.
    var buffer = Data()
    var reader: CheckedContinuation<Data?, any Error>?
    /// The reader wants the whole body at once: bytes are gathered and not paused.
    var isGathering = false
    var isPaused = false

    mutating func takeBuffer() -> Data {
      defer { buffer = Data() }
      return buffer
    }

    mutating func takeTransfer() -> (any Transfer)? {
      defer { transfer = nil }
      return transfer
    }

    mutating func takeReader() -> CheckedContinuation<Data?, any Error>? {
      defer { reader = nil }
      return reader
    }
  }

  /// The size from which the buffered chunk pauses the transfer.
  static let bufferByteCount = 64 << 10

  let url: URL
  private let state = Lock(State())

  init(url: URL) { self.url = url }

  // MARK: The reader's side

  /// Starts `transfer` and suspends until the head has arrived. To be called once.
  ///
  /// A task that is cancelled already starts nothing.
  func response(of transfer: any Transfer, start: () -> Void) async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let failure: (any Error)? = state.withLock { state in
          if case .failed(let error) = state.phase { return error }
          state.phase = .waiting(continuation)
          state.transfer = transfer
          return nil
        }
        if let failure { return continuation.resume(throwing: failure) }
        start()
      }
    } onCancel: {
      cancel()
    }
  }

  /// The next chunk, or `nil` at the end.
  func nextChunk() async throws -> Data? {
    try await read { state in
      if state.buffer.isEmpty { return nil }
      return state.takeBuffer()
    }
  }

  /// The rest of the body.
  func rest() async throws -> Data {
    let rest = try await read { state in
      state.isGathering = true
      return nil
    }
    return rest ?? Data()
  }

  /// Suspends until there is something to read; `buffered` may take it at once.
  private func read(_ buffered: (inout State) -> Data?) async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, paused): (Result<Data?, any Error>?, (any Transfer)?) = state.withLock {
          state in
          let result = Self.result(of: &state, buffered)
          if result == nil {
            precondition(state.reader == nil, "Two tasks read the body of one response.")
            state.reader = continuation
          }
          guard state.isPaused, state.isGathering || state.buffer.isEmpty else {
            return (result, nil)
          }
          state.isPaused = false
          return (result, state.transfer)
        }
        if let result { continuation.resume(with: result) }
        paused?.resume()
      }
    } onCancel: {
      cancel()
    }
  }

  private static func result(
    of state: inout State, _ buffered: (inout State) -> Data?
  ) -> Result<Data?, any Error>? {
    if let chunk = buffered(&state) { return .success(chunk) }
    switch state.phase {
    case .ended(.success): return .success(state.buffer.isEmpty ? nil : state.takeBuffer())
    case .ended(.failure(let error)), .failed(let error): return .failure(error)
    case .idle, .waiting, .open: return nil
    }
  }

  /// Ends the exchange, because its response is not wanted any more.
  func cancel() { end(.failure(CancellationError()), isDroppingBuffer: true)?.stop() }

  // MARK: The network's side

  /// Whether more bytes are wanted now, besides those that the transfer holds itself.
  ///
  /// After `false` the transfer is paused until its `resume()` is called.
  func hasRoom(besides heldByteCount: Int) -> Bool {
    state.withLock { state in
      if state.isGathering || state.buffer.count + heldByteCount < Self.bufferByteCount {
        return true
      }
      state.isPaused = true
      return false
    }
  }

  /// Whether nothing but the end is of interest, so that the transfer may gather the bytes itself.
  var isGathering: Bool { state.withLock { $0.isGathering } }

  /// Whether the exchange has ended.
  var hasEnded: Bool {
    state.withLock { state in
      switch state.phase {
      case .ended, .failed: true
      case .idle, .waiting, .open: false
      }
    }
  }

  /// Delivers the head. Returns `false` when the rest is not wanted.
  @discardableResult
  func received(_ head: HTTPURLResponse) -> Bool {
    let waiter: CheckedContinuation<HTTPResponse, any Error>? = state.withLock { state in
      guard case .waiting(let waiter) = state.phase else { return nil }
      state.phase = .open
      return waiter
    }
    waiter?.resume(returning: HTTPResponse(response: head, exchange: self))
    return waiter != nil
  }

  /// Delivers bytes of the body.
  func received(_ bytes: Data) {
    guard !bytes.isEmpty else { return }
    typealias Delivery = (CheckedContinuation<Data?, any Error>, (any Transfer)?)
    let delivery: Delivery? = state.withLock { state in
      guard case .open = state.phase else { return nil }
      guard !state.isGathering, let reader = state.reader else {
        if state.buffer.isEmpty { state.buffer = bytes } else { state.buffer.append(bytes) }
        return nil
      }
      state.reader = nil
      defer { state.isPaused = false }
      return (reader, state.isPaused ? state.transfer : nil)
    }
    guard let (reader, paused) = delivery else { return }
    reader.resume(returning: bytes)
    paused?.resume()
  }

  /// Ends the exchange, unless it has ended before. What has arrived can still be read.
  func ended(_ result: Result<Void, any Error>) { end(result, isDroppingBuffer: false) }

  /// The one way to the end. Returns the transfer, if this was the end.
  @discardableResult
  private func end(_ result: Result<Void, any Error>, isDroppingBuffer: Bool) -> (any Transfer)? {
    let (transfer, resume): ((any Transfer)?, (() -> Void)?) = state.withLock { state in
      switch state.phase {
      case .ended, .failed: return (nil, nil)
      case .idle, .waiting:
        let error = result.failure ?? NetworkError(.connectionLost, url: url)
        let phase = state.phase
        state.phase = .failed(error)
        guard case .waiting(let waiter) = phase else { break }
        return (state.takeTransfer(), { waiter.resume(throwing: error) })
      case .open:
        state.phase = .ended(result)
        // A body that is complete stays readable.
        if isDroppingBuffer { state.buffer = Data() }
        guard let reader = state.takeReader() else { break }
        let rest = result.map { state.buffer.isEmpty ? nil : state.takeBuffer() }
        return (state.takeTransfer(), { reader.resume(with: rest) })
      }
      return (state.takeTransfer(), nil)
    }
    resume?()
    return transfer
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
