import ApolloAPI
package import ApolloWebSocket

/// A connection for tests, which play the server.
///
/// A test holds a reference, so that releasing the last one does not show; ``nextSent()`` has
/// ``Sent/cancel`` where the program cancels.
package final class ScriptedConnection: WebSocketConnection {
  /// The calls of the program, in order.
  package enum Sent: Hashable, Sendable {
    case message(WebSocketMessage)
    case ping
    case close(WebSocketCloseCode, String)
    case cancel
  }

  private struct State {
    var isClosing = false
    var isFull = false
    var receivedMessageByteCount: UInt64 = 0
    var senders: [WaitingQueue<Void>] = []
    var pings: [WaitingQueue<Result<Void, WebSocketEnd>>] = []
  }

  package let subprotocol: String?
  private let received = WaitingQueue<WebSocketEvent>()
  private let sent = WaitingQueue<Sent>()
  private let state = Lock(State())

  package init(subprotocol: String?) { self.subprotocol = subprotocol }

  // MARK: The server's side

  /// The program's next call, when there is one.
  package func nextSent() async throws -> Sent { try await sent.next() }

  package func deliver(_ message: WebSocketMessage) { received.append(.message(message)) }

  package func deliver(_ text: String) { deliver(.text(text)) }

  /// Counts bytes of a message that is not complete.
  package func deliverPart(byteCount: UInt64) {
    state.withLock { $0.receivedMessageByteCount += byteCount }
  }

  /// Responds to the oldest ping.
  package func pong() {
    state.withLock { $0.pings.isEmpty ? nil : $0.pings.removeFirst() }?.end(with: .success(()))
  }

  /// Lets ``waitForRoom()`` suspend or return.
  package func setFull(_ isFull: Bool) {
    let senders = state.withLock { state in
      state.isFull = isFull
      defer { if !isFull { state.senders = [] } }
      return isFull ? [] : state.senders
    }
    for sender in senders { sender.end(with: ()) }
  }

  /// Ends the connection. Only the first end counts.
  package func end(
    _ code: WebSocketCloseCode, _ reason: String = "", origin: WebSocketEnd.Origin = .peer
  ) {
    let end = WebSocketEnd(code: code, reason: reason, origin: origin)
    received.end(with: .end(end))
    let pings = state.withLock { state in
      state.isClosing = true
      defer { state.pings = [] }
      return state.pings
    }
    for ping in pings { ping.end(with: .failure(end)) }
    setFull(false)
  }

  // MARK: The program's side

  package func receive() async throws -> WebSocketEvent { try await received.next() }

  @discardableResult
  package func enqueue(_ message: WebSocketMessage) -> Bool {
    guard !state.withLock({ $0.isClosing }) else { return false }
    sent.append(.message(message))
    return true
  }

  package var hasRoom: Bool { state.withLock { !$0.isFull } }

  /// The bytes of parts. Those of whole messages are not counted: the messages are signs of life.
  package var receivedMessageByteCount: UInt64 { state.withLock { $0.receivedMessageByteCount } }

  package func waitForRoom() async throws {
    let sender: WaitingQueue<Void>? = state.withLock { state in
      guard state.isFull else { return nil }
      let sender = WaitingQueue<Void>()
      state.senders.append(sender)
      return sender
    }
    try await sender?.next()
  }

  package func ping() async throws {
    let pong = WaitingQueue<Result<Void, WebSocketEnd>>()
    let isOpen = state.withLock { state in
      if !state.isClosing { state.pings.append(pong) }
      return !state.isClosing
    }
    guard isOpen else { throw WebSocketEnd(code: .abnormal, origin: .local) }
    sent.append(.ping)
    try await pong.next().get()
  }

  /// Reports the call. The test decides when the closing handshake is complete, with
  /// ``end(_:_:origin:)``.
  package func close(code: WebSocketCloseCode, reason: String) {
    let isFirst = state.withLock { state in
      defer { state.isClosing = true }
      return !state.isClosing
    }
    if isFirst { sent.append(.close(code, reason)) }
  }

  package func cancel() {
    guard !received.hasEnded else { return }
    sent.append(.cancel)
    end(.abnormal, origin: .local)
  }
}
