import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The work that a client does for an exchange, on the network's side of it.
protocol Transfer: AnyObject, Sendable {
  /// Reads from the connection again, after ``Exchange/hasRoom()`` was `false`.
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
/// A deadline has the effect of a cancellation, with another error, and so has the end of a
/// session. Whatever happens in whatever order, the head is delivered or refused exactly once, and
/// the body ends exactly once. All state is behind one lock; continuations are resumed and the
/// transfer is called outside of it.
final class Exchange: Sendable {
  private enum Phase {
    case idle
    case waiting(Waiter<HTTPResponse>)
    case open
    case ended(Result<Void, any Error>)
    case failed(any Error)
  }

  private struct State {
    var phase = Phase.idle
    var transfer: (any Transfer)?
    /// The alarm of the deadline. `nil` once the exchange has ended.
    var alarm: Alarm?
    /// Waits for the end of the session. `nil` once the exchange has ended.
    var session: CallSessionObserver?
    /// The bytes that wait for the reader.
    var buffer = ReceiveBuffer()
    /// The times of their arrival, if these are events.
    var arrivals: EventArrivals?
    var reader: Waiter<Data?>?
    /// The reader wants the whole body at once: bytes are gathered and not paused.
    var isGathering = false
    var isPaused = false
    /// The number of connections, all in use, for one of which the transfer waits. 0 if it does not
    /// wait.
    var awaitedConnectionCount = 0

    /// The transfer, if it is paused and has room again.
    mutating func takePaused() -> (any Transfer)? {
      guard isPaused, isGathering || buffer.isEmpty else { return nil }
      isPaused = false
      return transfer
    }

    mutating func takeTransfer() -> (any Transfer)? {
      defer { transfer = nil }
      return transfer
    }

    mutating func takeAlarm() -> Alarm? {
      defer { alarm = nil }
      return alarm
    }

    mutating func takeSession() -> CallSessionObserver? {
      defer { session = nil }
      return session
    }

    var hasEnded: Bool {
      switch phase {
      case .ended, .failed: true
      case .idle, .waiting, .open: false
      }
    }

    mutating func takeReader() -> Waiter<Data?>? {
      defer { reader = nil }
      return reader
    }
  }

  /// The size from which the buffered chunk pauses the transfer.
  static let bufferByteCount = 64 << 10

  let url: URL
  private let state = Lock(State())

  init(url: URL) { self.url = url }

  deinit { state.withLock { $0.buffer.drop() } }

  // MARK: The reader's side

  /// Starts `transfer` and suspends until the head has arrived. To be called once.
  ///
  /// A task that is cancelled already starts nothing, and neither does one whose deadline is over
  /// or whose session has ended. At the deadline, and with the session, the exchange ends by
  /// itself.
  func response(
    of transfer: any Transfer, before deadline: CallDeadline? = nil,
    in session: CallSession? = nil, start: () -> Void
  ) async throws -> HTTPResponse {
    let response = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let failure: (any Error)? = state.withLock { state in
          if case .failed(let error) = state.phase { return error }
          state.phase = .waiting(Waiter(continuation))
          state.transfer = transfer
          return nil
        }
        if let failure { return continuation.resume(throwing: failure) }
        if let deadline, !end(at: deadline) { return }
        if let session, !end(with: session) { return }
        start()
      }
    } onCancel: {
      cancel()
    }
    followNetwork()
    return response
  }

  /// Lets the exchange end at a deadline. Returns `false` if it has ended.
  private func end(at deadline: CallDeadline) -> Bool {
    let alarm = deadline.setAlarm(url: url) { error in
      let error = error.whileWaiting(
        forOneOf: self.state.withLock { $0.awaitedConnectionCount })
      self.end(.failure(error), isDroppingBuffer: true)?.stop()
    }
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.alarm = alarm }
      return state.hasEnded
    }
    if hasEnded { alarm?.cancel() }
    return !hasEnded
  }

  /// Lets the exchange end with a session. Returns `false` if it has ended.
  private func end(with session: CallSession) -> Bool {
    let observer = session.onEnd { self.cancel() }
    return state.withLock { state in
      if !state.hasEnded { state.session = observer }
      return !state.hasEnded
    }
  }

  /// The next chunk, or `nil` at the end.
  func nextChunk() async throws -> Data? { try await read(wholeBody: false) }

  /// Notes when bytes arrive. Those that wait for the reader count as arriving now.
  func noteArrivals(_ arrivals: EventArrivals) {
    state.withLock { state in
      state.arrivals = arrivals
      arrivals.note(byteCount: state.buffer.count)
    }
  }

  /// `true` if bytes wait for the reader.
  var hasBufferedBytes: Bool { state.withLock { !$0.buffer.isEmpty } }

  /// The rest of the body.
  func rest() async throws -> Data { try await read(wholeBody: true) ?? Data() }

  /// Suspends until there is something to read.
  private func read(wholeBody: Bool) async throws -> Data? {
    if let result = state.withLock({ Self.result(of: &$0, wholeBody: wholeBody) }) {
      return try result.get()
    }
    let bytes = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, paused): (Result<Data?, any Error>?, (any Transfer)?) = state.withLock {
          state in
          let result = Self.result(of: &state, wholeBody: wholeBody)
          if result == nil {
            precondition(state.reader == nil, "Two tasks read the body of one response.")
            state.reader = Waiter(continuation)
            state.isGathering = state.isGathering || wholeBody
          }
          return (result, state.takePaused())
        }
        if let result { continuation.resume(with: result) }
        paused?.resume()
      }
    } onCancel: {
      cancel()
    }
    followNetwork()
    return bytes
  }

  /// Orders the reader after the network's side.
  ///
  /// So does a continuation. But if that is resumed before its task suspends, the runtime uses an
  /// atomic value that ThreadSanitizer cannot see.
  private func followNetwork() { state.withLock { _ in } }

  /// The result of reading, or `nil` if the reader has to wait.
  private static func result(
    of state: inout State, wholeBody: Bool
  ) -> Result<Data?, any Error>? {
    switch state.phase {
    case _ where !wholeBody && !state.buffer.isEmpty: .success(state.buffer.take())
    case .ended(.success): .success(state.buffer.isEmpty ? nil : state.buffer.take())
    case .ended(.failure(let error)), .failed(let error): .failure(error)
    case .idle, .waiting, .open: nil
    }
  }

  /// Ends the exchange, because its response is not wanted any more.
  func cancel() { end(.failure(CancellationError()), isDroppingBuffer: true)?.stop() }

  // MARK: The network's side

  /// Returns whether more bytes are wanted now.
  ///
  /// After `false` the transfer is paused until its `resume()` is called.
  func hasRoom() -> Bool {
    state.withLock { state in
      if state.isGathering || state.buffer.count < Self.bufferByteCount { return true }
      state.isPaused = true
      return false
    }
  }

  /// Notes that the transfer waits for one of so many connections, which are all in use, or for
  /// none.
  func waits(forOneOf connectionCount: Int) {
    state.withLock { $0.awaitedConnectionCount = connectionCount }
  }

  /// Takes bytes of the body, to be delivered by ``deliverBytes()`` or with the end.
  ///
  /// `announcedCount` is the size of the whole body, or 0 if it is not known.
  func append(_ bytes: UnsafeRawBufferPointer, announcedCount: Int = 0) {
    state.withLock { state in
      switch state.phase {
      case .idle, .ended, .failed: return
      case .waiting, .open: break
      }
      state.buffer.append(
        bytes, expectedCount: state.isGathering ? announcedCount : min(announcedCount, 4 << 10))
      state.arrivals?.note(byteCount: bytes.count)
    }
  }

  /// True once the exchange has ended.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Delivers the head to the caller who waits for it. Returns `false` when nobody does any more.
  @discardableResult
  func deliverHead(_ head: ReceivedHead) -> Bool {
    let delivery: (waiter: Waiter<HTTPResponse>, response: HTTPResponse)? =
      state.withLock { state in
        guard case .waiting(let waiter) = state.phase else { return nil }
        state.phase = .open
        // Made under the lock, which orders it before the reader; see followNetwork().
        return (waiter, HTTPResponse(head: head, exchange: self))
      }
    guard let (waiter, response) = delivery else { return false }
    waiter.resume(returning: response)
    return true
  }

  /// Delivers the bytes that have arrived, if the reader waits for some.
  func deliverBytes() {
    let (resume, paused): ((() -> Void)?, (any Transfer)?) = state.withLock { state in
      guard case .open = state.phase, !state.isGathering, !state.buffer.isEmpty,
        let reader = state.takeReader()
      else { return (nil, nil) }
      let chunk = state.buffer.take()
      return ({ reader.resume(returning: chunk) }, state.takePaused())
    }
    resume?()
    paused?.resume()
  }

  /// Ends the exchange, unless it has ended before. What has arrived can still be read.
  ///
  /// `head` is the head, if it has not been delivered.
  func ended(_ result: Result<Void, any Error>, head: ReceivedHead? = nil) {
    end(result, head: head, isDroppingBuffer: false)
  }

  /// The one way to the end. Returns the transfer, if this was the end.
  @discardableResult
  private func end(
    _ result: Result<Void, any Error>, head: ReceivedHead? = nil, isDroppingBuffer: Bool
  ) -> (any Transfer)? {
    var alarm: Alarm?
    var session: CallSessionObserver?
    var dropped: EventArrivals?
    let (transfer, resume): ((any Transfer)?, (() -> Void)?) = state.withLock { state in
      alarm = state.takeAlarm()
      session = state.takeSession()
      switch state.phase {
      case .ended, .failed: return (nil, nil)
      case .waiting(let waiter) where head != nil:
        guard let head else { break }
        state.phase = .ended(result)
        let response = HTTPResponse(head: head, exchange: self)
        return (state.takeTransfer(), { waiter.resume(returning: response) })
      case .idle, .waiting:
        let error = result.failure ?? NetworkError(.connectionLost, url: url)
        let phase = state.phase
        state.phase = .failed(error)
        state.buffer.drop()
        guard case .waiting(let waiter) = phase else { break }
        return (state.takeTransfer(), { waiter.resume(throwing: error) })
      case .open:
        state.phase = .ended(result)
        // A body that is complete stays readable.
        if isDroppingBuffer {
          state.buffer.drop()
          dropped = state.arrivals
        }
        guard let reader = state.takeReader(),
          let rest = Self.result(of: &state, wholeBody: state.isGathering)
        else { break }
        return (state.takeTransfer(), { reader.resume(with: rest) })
      }
      return (state.takeTransfer(), nil)
    }
    alarm?.cancel()
    dropped?.drop()
    withExtendedLifetime(session) {}  // released outside of the lock
    resume?()
    return transfer
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
