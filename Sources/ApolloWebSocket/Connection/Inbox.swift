internal import ApolloAPI

/// The received messages that wait for the program, then the end.
///
/// One task at a time waits. All state is behind one lock, and continuations are resumed outside of
/// it.
final class Inbox: Sendable {
  private struct State {
    var messages: [WebSocketMessage] = []
    /// The index of the first message that has not been taken.
    var first = 0
    var byteCount = 0
    var end: WebSocketEnd?
    var reader: Waiter<WebSocketEvent>?
    /// `true` while the connection waits for room.
    var isFull = false

    mutating func takeFirst() -> WebSocketEvent? {
      guard first < messages.count else { return end.map { .end($0) } }
      var message = WebSocketMessage(.binary, [])
      swap(&message, &messages[first])
      first += 1
      byteCount -= Inbox.cost(message)
      if first == messages.count {
        messages.removeAll(keepingCapacity: true)
        first = 0
      }
      return .message(message)
    }
  }

  private let state = Lock(State())
  private let limit: Int

  /// - Parameter byteCount: The size from which the inbox is full.
  init(byteCount: Int) { limit = max(1, byteCount) }

  /// The bytes that a message counts for: small messages need memory besides their content.
  static func cost(_ message: WebSocketMessage) -> Int { message.bytes.count + 64 }

  // MARK: The program's side

  /// Returns the next message or the end, and calls `resume` if there is room again.
  ///
  /// - Throws: `CancellationError`, which loses no message.
  func next(resume: () -> Void) async throws -> WebSocketEvent {
    let (event, isResumed) = take()
    if isResumed { resume() }
    if let event { return event }
    return try await wait()
  }

  private func take() -> (event: WebSocketEvent?, isResumed: Bool) {
    state.withLock { state in
      let event = state.takeFirst()
      // Half, so that the connection is not paused and resumed for each message.
      guard state.isFull, state.byteCount <= limit / 2 else { return (event, false) }
      state.isFull = false
      return (event, true)
    }
  }

  private func wait() async throws -> WebSocketEvent {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<WebSocketEvent, any Error>? = state.withLock { state in
          if let event = state.takeFirst() { return .success(event) }
          if Task.isCancelled { return .failure(CancellationError()) }
          precondition(state.reader == nil, "Two tasks receive the messages of one WebSocket.")
          state.reader = Waiter(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }?.resume(throwing: CancellationError())
    }
  }

  // MARK: The connection's side

  /// Adds messages, and the end if there is one. Returns `false` if the inbox is full.
  func append(_ messages: [WebSocketMessage], end: WebSocketEnd? = nil) -> Bool {
    let (delivery, hasRoom) = state.withLock { state in
      state.messages.append(contentsOf: messages)
      for message in messages { state.byteCount += Self.cost(message) }
      if state.end == nil { state.end = end }
      var delivery: (Waiter<WebSocketEvent>, WebSocketEvent)?
      if let reader = state.reader, let event = state.takeFirst() {
        state.reader = nil
        delivery = (reader, event)
      }
      state.isFull = state.byteCount >= limit
      return (delivery, !state.isFull)
    }
    if let (reader, event) = delivery { reader.resume(returning: event) }
    return hasRoom
  }

  /// The number of bytes that the inbox takes before it is full.
  var room: Int { state.withLock { limit - $0.byteCount } }
}
