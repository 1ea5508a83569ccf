#if canImport(Darwin)
  internal import ApolloAPI
  internal import ApolloTransport
  internal import Foundation

  /// A connection on a task of `URLSession`, between the session's queue and the program's tasks.
  ///
  /// | phase | event | next phase | effect |
  /// | :-- | :-- | :-- | :-- |
  /// | `connecting` | opened with an offered subprotocol or none | `open` | ``connect(_:)`` returns |
  /// | `connecting` | opened otherwise, ended, cancellation | `done` | ``connect(_:)`` throws |
  /// | `open` | closed, ended, ``cancel()``, the time for closing is over | `done` | the end |
  ///
  /// The phase is behind a lock, under which neither the task is called nor continuations resumed.
  // `@unchecked Sendable` because `NSObject` is not `Sendable`; all mutable state is behind locks.
  final class SessionSocketCore: NSObject, URLSessionWebSocketDelegate, @unchecked Sendable {
    private enum Phase {
      case connecting(CheckedContinuation<String?, any Error>?)
      case open
      /// The program has closed the connection.
      case closing(CloseBody)
      case done
    }

    private struct State {
      var phase = Phase.connecting(nil)
      var task: URLSessionWebSocketTask?
      /// The result of the opening handshake, if it came before the task waits for it.
      var failure: (any Error)?
      var unsentByteCount = 0
      var roomCount: UInt64 = 0
    }

    private let handshake: HandshakeRequest
    private let limits: WebSocketLimits
    private let inbox: Inbox
    private let roomWaiters = Waiters()
    private let state = Lock(State())

    init(_ handshake: HandshakeRequest, limits: WebSocketLimits) {
      self.handshake = handshake
      self.limits = limits
      inbox = Inbox(byteCount: limits.receiveBufferByteCount)
    }

    // MARK: The opening handshake

    /// Starts the task and returns the subprotocol. To be called once.
    func connect(_ task: URLSessionWebSocketTask) async throws -> String? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let failure = state.withLock { state -> (any Error)? in
            guard case .connecting = state.phase else {
              return state.failure ?? CancellationError()
            }
            state.phase = .connecting(continuation)
            state.task = task
            return nil
          }
          guard let failure else { return task.resume() }
          task.cancel()
          continuation.resume(throwing: failure)
        }
      } onCancel: {
        failOpening(CancellationError())
      }
    }

    private func failOpening(_ error: any Error) {
      let (opener, task) = state.withLock { state in
        guard case .connecting(let opener) = state.phase else {
          return (nil as CheckedContinuation<String?, any Error>?, nil as URLSessionWebSocketTask?)
        }
        state.phase = .done
        state.failure = error
        return (opener, state.task)
      }
      task?.cancel()
      opener?.resume(throwing: error)
    }

    // MARK: The program's side

    func receive() async throws -> WebSocketEvent {
      try await inbox.next { receiveMessage() }
    }

    func enqueue(_ message: WebSocketMessage) -> Bool {
      let task = state.withLock { state -> URLSessionWebSocketTask? in
        guard case .open = state.phase else { return nil }
        state.unsentByteCount += message.bytes.count
        return state.task
      }
      guard let task else { return false }
      let content: URLSessionWebSocketTask.Message =
        message.text.map { .string($0) } ?? .data(Data(message.bytes))
      // An error is reported by the end of the task as well.
      task.send(content) { [weak self] _ in self?.sent(message.bytes.count) }
      return true
    }

    private func sent(_ byteCount: Int) {
      let woken = state.withLock { state in
        state.unsentByteCount -= byteCount
        return state.unsentByteCount <= limits.sendBufferByteCount ? state.roomCount : 0
      }
      if woken > 0 { roomWaiters.wake(upTo: woken) }
    }

    var hasRoom: Bool {
      state.withLock { $0.unsentByteCount <= limits.sendBufferByteCount }
    }

    func waitForRoom() async throws {
      let number = state.withLock { state -> UInt64? in
        guard state.unsentByteCount > limits.sendBufferByteCount else { return nil }
        state.roomCount += 1
        return state.roomCount
      }
      guard let number else { return }
      do { try await roomWaiters.wait(for: number) } catch is WebSocketEnd {}
    }

    func ping() async throws {
      let pong = Waiters()
      if let task = state.withLock({ $0.task }) {
        task.sendPing { error in
          if error == nil {
            pong.wake(upTo: 1)
          } else {
            pong.end(WebSocketEnd(code: .abnormal, origin: .network))
          }
        }
      } else {
        pong.end(WebSocketEnd(code: .abnormal, origin: .local))
      }
      try await pong.wait(for: 1)
    }

    func close(_ body: CloseBody) {
      let task = state.withLock { state -> URLSessionWebSocketTask? in
        guard case .open = state.phase else { return nil }
        state.phase = .closing(body)
        return state.task
      }
      guard let task else { return }
      let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(body.code.rawValue))
      task.cancel(with: code ?? .normalClosure, reason: Data(body.payload.dropFirst(2)))
      let delay = DispatchTimeInterval.nanoseconds(limits.closeTimeout.nanoseconds)
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in
        finish(WebSocketEnd(code: body.code, reason: body.reason, origin: .local))
      }
    }

    func cancel() { finish(WebSocketEnd(code: .abnormal, origin: .local)) }

    /// Ends the connection, unless it has ended before.
    private func finish(_ end: WebSocketEnd) {
      let (task, found) = state.withLock {
        state -> (URLSessionWebSocketTask?, WebSocketEnd?) in
        defer { state.task = nil }
        switch state.phase {
        case .open: state.phase = .done
        case .closing(let body):
          state.phase = .done
          return (
            state.task, WebSocketEnd(code: body.code, reason: body.reason, origin: .local)
          )
        case .connecting, .done: return (nil, nil)
        }
        return (state.task, end)
      }
      guard let found else { return }
      task?.cancel()
      _ = inbox.append([], end: found)
      roomWaiters.end(found)
    }

    // MARK: The session's side

    /// Receives one message, and the next one while there is room.
    private func receiveMessage() {
      state.withLock { $0.task }?.receive { [weak self] result in
        guard let self, case .success(let content) = result else {
          // The end of the task reports the cause.
          if case .failure(let error) = result { self?.failed(error) }
          return
        }
        let message: WebSocketMessage
        switch content {
        case .string(let text): message = .text(text)
        case .data(let data): message = .binary(data)
        @unknown default: return self.receiveMessage()
        }
        let isOpen = self.state.withLock { if case .open = $0.phase { true } else { false } }
        if self.inbox.append(isOpen ? [message] : []) || !isOpen { self.receiveMessage() }
      }
    }

    private func failed(_ error: any Error) {
      let error = error as NSError
      guard error.domain == NSPOSIXErrorDomain, error.code == Int(EMSGSIZE) else { return }
      let violation = ProtocolViolation.messageTooLarge(limit: limits.maximumMessageByteCount)
      finish(
        WebSocketEnd(code: violation.closeCode, reason: violation.clause, origin: .violation))
    }

    func urlSession(
      _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
      didOpenWithProtocol subprotocol: String?
    ) {
      let subprotocol = subprotocol.flatMap { $0.isEmpty ? nil : $0 }
      if let subprotocol, !handshake.subprotocols.contains(subprotocol) {
        return failOpening(
          WebSocketHandshakeError(
            .unexpectedSubprotocol, url: handshake.shownURL, statusCode: 101, headers: [:],
            body: Data(), detail: HeaderField.printable(subprotocol)))
      }
      let opener = state.withLock { state -> CheckedContinuation<String?, any Error>? in
        guard case .connecting(let opener) = state.phase else { return nil }
        state.phase = .open
        return opener
      }
      receiveMessage()
      opener?.resume(returning: subprotocol)
    }

    func urlSession(
      _ session: URLSession, webSocketTask task: URLSessionWebSocketTask,
      didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      let code = UInt16(exactly: code.rawValue).map(WebSocketCloseCode.init(rawValue:))
      finish(
        WebSocketEnd(
          // The system says 0 for a close frame without a code.
          code: code == 0 ? .none : code ?? .none,
          reason: String(decoding: reason ?? Data(), as: UTF8.self), origin: .peer))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let response = task.response as? HTTPURLResponse
      if let response, response.statusCode != 101 {
        failOpening(refusal(response))
      } else if let error {
        failOpening(NetworkError(error, url: handshake.shownURL, hasHead: response != nil))
      } else {
        failOpening(NetworkError(.connectionLost, url: handshake.shownURL))
      }
      finish(
        WebSocketEnd(
          code: .abnormal, reason: error?.localizedDescription ?? "", origin: .network))
    }

    private func refusal(_ response: HTTPURLResponse) -> WebSocketHandshakeError {
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        headers["\(name)".lowercased()] = "\(value)"
      }
      let isRedirect = (300..<400).contains(response.statusCode)
      return WebSocketHandshakeError(
        isRedirect ? .redirectRefused : .refused, url: handshake.shownURL,
        statusCode: response.statusCode, headers: headers, body: Data(), detail: "")
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let target = request.url.flatMap(HandshakeRequest.httpURL)
      let isSameOrigin = target.flatMap { Origin($0) } == Origin(handshake.url)
      completionHandler(isSameOrigin ? request : nil)
    }
  }

  /// The program's reference to an open connection, whose release closes it.
  final class SessionConnection: WebSocketConnection {
    let subprotocol: String?
    private let core: SessionSocketCore

    init(_ core: SessionSocketCore, subprotocol: String?) {
      self.core = core
      self.subprotocol = subprotocol
    }

    deinit { core.close(CloseBody(code: .goingAway)) }

    func receive() async throws -> WebSocketEvent { try await core.receive() }

    func enqueue(_ message: WebSocketMessage) -> Bool { core.enqueue(message) }

    var hasRoom: Bool { core.hasRoom }

    func waitForRoom() async throws { try await core.waitForRoom() }

    func ping() async throws { try await core.ping() }

    func close(code: WebSocketCloseCode, reason: String) {
      precondition(code.canBeSent, "The code \(code.rawValue) cannot be sent in a close frame.")
      core.close(CloseBody(code: code, reason: reason))
    }

    func cancel() { core.cancel() }
  }

  extension Duration {
    /// Whole nanoseconds, at most about an hour.
    fileprivate var nanoseconds: Int {
      Int(min(max(components.seconds, 0), 3_600)) * 1_000_000_000
        + Int(components.attoseconds / 1_000_000_000)
    }
  }
#endif
