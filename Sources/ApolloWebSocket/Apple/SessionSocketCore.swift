#if !CURL
  internal import ApolloAPI
  internal import ApolloTransport
  internal import Foundation

  #if canImport(FoundationNetworking)
    internal import FoundationNetworking
  #endif

  /// A connection on a task of `URLSession`, between the session's queue and the program's tasks.
  ///
  /// | phase | event | next phase | effect |
  /// | :-- | :-- | :-- | :-- |
  /// | `idle` | ``connect(_:)`` | `connecting` | the task is resumed |
  /// | `idle` | cancellation | `done` | ``connect(_:)`` will throw |
  /// | `connecting` | opened with an offered subprotocol or none | `open` | ``connect(_:)`` returns |
  /// | `connecting` | opened otherwise, completed, cancellation | `done` | ``connect(_:)`` throws |
  /// | `open` | ``close(_:)`` | `closing` | the close frame follows what is queued; received messages are dropped |
  /// | `open` | closed, completed, ``cancel()``, a message that is too large | `done` | the end |
  /// | `closing` | closed, completed, ``cancel()``, the time for closing is over | `done` | the end, which is the program's |
  ///
  /// The phase is behind a lock, under which neither the task is called nor continuations resumed.
  final class SessionSocketCore: ConnectionCore {
    private enum Phase {
      case idle
      case connecting(Opening)
      case open(any SocketTask)
      /// The program has closed the connection.
      case closing(any SocketTask, CloseBody)
      /// `failure` is for a ``SessionSocketCore/connect(_:)`` that is called afterwards.
      case done(failure: any Error)
    }

    private struct Opening {
      let task: any SocketTask
      let continuation: CheckedContinuation<String?, any Error>
      var hopsLeft: Int
      /// The reason why a redirect was not followed, as a clause.
      var refusal = ""
    }

    private struct State {
      var phase = Phase.idle
      var isReceiving = false
      var unsentCount = 0
      var unsentByteCount = 0
      var roomCount: UInt64 = 0
      var pingCount: UInt64 = 0

      /// The task that sends and receives, unless there is none yet or any more.
      var task: (any SocketTask)? {
        switch phase {
        case .open(let task), .closing(let task, _): task
        case .idle, .connecting, .done: nil
        }
      }

      var isOpen: Bool { if case .open = phase { true } else { false } }

      /// The close frame and the task that sends it, when everything before it has been sent.
      var closeFrame: (any SocketTask, CloseBody)? {
        guard case .closing(let task, let body) = phase, unsentCount == 0 else { return nil }
        return (task, body)
      }
    }

    private let handshake: HandshakeRequest
    private let limits: WebSocketLimits
    private let inbox: Inbox
    private let roomWaiters = Waiters()
    private let pongWaiters = Waiters()
    private let state = Lock(State())

    init(_ handshake: HandshakeRequest, limits: WebSocketLimits) {
      self.handshake = handshake
      self.limits = limits
      inbox = Inbox(byteCount: limits.receiveBufferByteCount)
    }

    // MARK: The opening handshake

    /// Starts the task and returns the subprotocol. To be called once.
    ///
    /// - Throws: `NetworkError`, ``WebSocketHandshakeError`` or `CancellationError`.
    func connect(_ task: any SocketTask) async throws -> String? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let failure = state.withLock { state -> (any Error)? in
            if case .done(let failure) = state.phase { return failure }
            state.phase = .connecting(
              Opening(
                task: task, continuation: continuation, hopsLeft: limits.maximumRedirectCount))
            return nil
          }
          guard let failure else { return task.resume() }
          task.cancel()
          continuation.resume(throwing: failure)
        }
      } onCancel: {
        failOpening { _ in CancellationError() }
      }
    }

    /// Ends the opening handshake, unless it has ended before.
    private func failOpening(_ error: (_ refusal: String) -> any Error) {
      let failed = state.withLock { state -> (Opening, any Error)? in
        switch state.phase {
        case .idle:
          state.phase = .done(failure: error(""))
          return nil
        case .connecting(let opening):
          let error = error(opening.refusal)
          state.phase = .done(failure: error)
          return (opening, error)
        case .open, .closing, .done:
          return nil
        }
      }
      guard let (opening, error) = failed else { return }
      opening.task.cancel()
      opening.continuation.resume(throwing: error)
    }

    // MARK: The program's side

    func receive() async throws -> WebSocketEvent {
      try await inbox.next { receiveMessage() }
    }

    func enqueue(_ message: WebSocketMessage) -> Bool {
      let task = state.withLock { state -> (any SocketTask)? in
        guard case .open(let task) = state.phase else { return nil }
        state.unsentCount += 1
        state.unsentByteCount += message.bytes.count
        return task
      }
      guard let task else { return false }
      let content: URLSessionWebSocketTask.Message =
        message.text.map { .string($0) } ?? .data(Data(message.bytes))
      // An error is reported by the end of the task as well.
      task.send(content) { [weak self] _ in self?.sent(message.bytes.count) }
      return true
    }

    private func sent(_ byteCount: Int) {
      let (woken, close) = state.withLock { state in
        state.unsentCount -= 1
        state.unsentByteCount -= byteCount
        let hasRoom = state.unsentByteCount <= limits.sendBufferByteCount
        return (hasRoom ? state.roomCount : 0, state.closeFrame)
      }
      if woken > 0 { roomWaiters.wake(upTo: woken) }
      if let (task, body) = close { task.close(body) }
    }

    var hasRoom: Bool {
      state.withLock { $0.unsentByteCount <= limits.sendBufferByteCount }
    }

    /// 0: the system reports whole messages only.
    var receivedMessageByteCount: UInt64 { 0 }

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
      let (number, task) = state.withLock { state in
        state.pingCount += 1
        return (state.pingCount, state.task)
      }
      // Pongs arrive in the order of their pings. A failed ping is followed by the end.
      task?.sendPing { [pongWaiters] error in
        if error == nil { pongWaiters.wake(upTo: number) }
      }
      try await pongWaiters.wait(for: number)
    }

    func close(_ body: CloseBody) {
      let (isFirst, close) = state.withLock { state in
        guard case .open(let task) = state.phase else {
          return (false, nil as (any SocketTask, CloseBody)?)
        }
        state.phase = .closing(task, body)
        return (true, state.closeFrame)
      }
      guard isFirst else { return }
      if let (task, body) = close { task.close(body) }
      // The close frame is read even if nobody takes the messages before it.
      receiveMessage()
      // An interval in nanoseconds is an `Int`, which has 32 bits on Apple Watch.
      let end = DispatchTime.now().uptimeNanoseconds + limits.closeTimeout.clampedNanoseconds
      DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: end)) { [self] in
        cancel()
      }
    }

    func cancel() { finish(WebSocketEnd(code: .abnormal, origin: .local)) }

    /// Ends the connection, unless it has ended before.
    private func finish(_ end: WebSocketEnd) {
      let finished = state.withLock { state -> (any SocketTask, WebSocketEnd)? in
        switch state.phase {
        case .open(let task):
          state.phase = .done(failure: end)
          return (task, end)
        case .closing(let task, let body):
          let end = WebSocketEnd(code: body.code, reason: body.reason, origin: .local)
          state.phase = .done(failure: end)
          return (task, end)
        case .idle, .connecting, .done:
          return nil
        }
      }
      guard let (task, end) = finished else { return }
      task.cancel()
      _ = inbox.append([], end: end)
      roomWaiters.end(end)
      pongWaiters.end(end)
    }

    // MARK: Receiving

    /// Receives one message, and the next ones while there is room.
    private func receiveMessage() {
      let task = state.withLock { state -> (any SocketTask)? in
        guard !state.isReceiving, let task = state.task else { return nil }
        state.isReceiving = true
        return task
      }
      task?.receive { [weak self] in self?.received($0) }
    }

    private func received(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
      let isOpen = state.withLock { state in
        state.isReceiving = false
        return state.isOpen
      }
      switch result {
      case .success(let content):
        let messages = isOpen ? [WebSocketMessage(content)].compactMap(\.self) : []
        // A connection that is closing is read up to the close frame.
        if inbox.append(messages) || !isOpen { receiveMessage() }
      case .failure(let error):
        // The end of the task reports all causes but this one.
        guard error.isAboutMessageSize else { return }
        let violation = ProtocolViolation.messageTooLarge(limit: limits.maximumMessageByteCount)
        finish(
          WebSocketEnd(code: violation.closeCode, reason: violation.clause, origin: .violation))
      }
    }

    // MARK: The session's side

    /// The server has accepted the handshake.
    func opened(subprotocol: String?) {
      let subprotocol = subprotocol.flatMap { $0.isEmpty ? nil : $0 }
      if let subprotocol, !handshake.subprotocols.contains(subprotocol) {
        return failOpening { _ in
          WebSocketHandshakeError(
            .unexpectedSubprotocol, url: handshake.shownURL, statusCode: 101, headers: [:],
            body: Data(), detail: HeaderField.printable(subprotocol))
        }
      }
      let opening = state.withLock { state -> Opening? in
        guard case .connecting(let opening) = state.phase else { return nil }
        state.phase = .open(opening.task)
        return opening
      }
      receiveMessage()
      opening?.continuation.resume(returning: subprotocol)
    }

    /// The server has redirected the handshake. Returns the request to send, or `nil` for none.
    func redirected(to request: URLRequest) -> URLRequest? {
      let refusal = state.withLock { state -> String? in
        guard case .connecting(var opening) = state.phase else { return "" }
        defer { state.phase = .connecting(opening) }
        opening.refusal = self.refusal(of: request, hopsLeft: opening.hopsLeft) ?? ""
        opening.hopsLeft -= 1
        return opening.refusal.isEmpty ? nil : opening.refusal
      }
      return refusal == nil ? request : nil
    }

    private func refusal(of request: URLRequest, hopsLeft: Int) -> String? {
      guard let target = request.url.flatMap(HandshakeRequest.httpURL),
        let origin = Origin(target)
      else { return "the location is not a URL of a WebSocket" }
      guard origin == Origin(handshake.url), target.user == nil, target.password == nil else {
        return "\(target.textWithoutSecrets) is another origin"
      }
      return hopsLeft > 0 ? nil : "there are more redirects than allowed"
    }

    /// The server has sent a close frame.
    func closed(_ code: Int, reason: Data?) {
      let code = UInt16(exactly: code).map(WebSocketCloseCode.init(rawValue:))
      finish(
        WebSocketEnd(
          // The system says 0 for a close frame without a code.
          code: code == 0 ? .none : code ?? .none,
          reason: String(decoding: reason ?? Data(), as: UTF8.self), origin: .peer))
    }

    /// The task has ended.
    func completed(_ error: (any Error)?, response: HTTPURLResponse?) {
      failOpening { refusal in
        if let response, response.statusCode != 101 {
          refused(by: response, because: refusal)
        } else if let error {
          NetworkError(error, url: handshake.shownURL, hasHead: response != nil)
        } else {
          NetworkError(.connectionLost, url: handshake.shownURL)
        }
      }
      finish(
        WebSocketEnd(
          code: .abnormal, reason: error?.localizedDescription ?? "", origin: .network))
    }

    private func refused(
      by response: HTTPURLResponse, because detail: String
    ) -> WebSocketHandshakeError {
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        headers["\(name)".lowercased()] = "\(value)"
      }
      let isRedirect = [301, 302, 303, 307, 308].contains(response.statusCode)
      return WebSocketHandshakeError(
        isRedirect ? .redirectRefused : .refused, url: handshake.shownURL,
        statusCode: response.statusCode, headers: headers, body: Data(), detail: detail)
    }
  }

  extension SocketTask {
    fileprivate func close(_ body: CloseBody) {
      let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(body.code.rawValue))
      cancel(with: code ?? .normalClosure, reason: Data(body.payload.dropFirst(2)))
    }
  }

  extension WebSocketMessage {
    /// A message as the system delivers it, or `nil` if it is of a kind that is not known yet.
    fileprivate init?(_ content: URLSessionWebSocketTask.Message) {
      switch content {
      case .string(let text): self = .text(text)
      case .data(let data): self = .binary(data)
      @unknown default: return nil
      }
    }
  }

  extension Error {
    /// `true` if the system has received a message above its limit.
    fileprivate var isAboutMessageSize: Bool {
      let error = self as NSError
      return error.domain == NSPOSIXErrorDomain && error.code == Int(EMSGSIZE)
    }
  }
#endif
