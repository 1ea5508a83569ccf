#if !CURL
  import ApolloAPI
  import ApolloTransport
  import Foundation
  import LoopbackServer
  import Testing

  @testable import ApolloWebSocket

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The connections of Apple platforms, with a test in the place of the system.
  @Suite(.timeLimit(.minutes(10))) struct SessionSocketCoreTests {
    private let task = PlayedTask()

    private func core(
      _ url: String = "wss://example.com/graphql", limits: WebSocketLimits = .init()
    ) throws -> SessionSocketCore {
      let handshake = try HandshakeRequest(
        URLRequest(url: #require(URL(string: url))), subprotocols: ["one", "two"],
        compression: nil, userAgent: "", key: [])
      return SessionSocketCore(handshake, limits: limits)
    }

    /// An open connection.
    private func opened(limits: WebSocketLimits = .init()) async throws -> SessionSocketCore {
      let core = try core(limits: limits)
      async let subprotocol = core.connect(task)
      await task.isResumed.wait()
      core.opened(subprotocol: "two")
      #expect(try await subprotocol == "two")
      return core
    }

    /// The error of an opening handshake in which `play` plays the system.
    private func failure(_ play: (SessionSocketCore) throws -> Void) async throws -> any Error {
      let (core, task) = (try core(), task)
      let attempt = Task { try await core.connect(task) }
      await task.isResumed.wait()
      try play(core)
      switch await attempt.result {
      case .success(let subprotocol): throw Unexpected(subprotocol: subprotocol)
      case .failure(let error): return error
      }
    }

    private struct Unexpected: Error { var subprotocol: String? }

    private func response(_ status: Int, _ headers: [String: String] = [:]) throws
      -> HTTPURLResponse
    {
      let url = try #require(URL(string: "wss://example.com/graphql"))
      return try #require(
        HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    // MARK: The opening handshake

    @Test(arguments: [nil, "", "one", "two"])
    func opensWithAnOfferedSubprotocolOrNone(_ selected: String?) async throws {
      let core = try core()
      async let subprotocol = core.connect(task)
      await task.isResumed.wait()
      core.opened(subprotocol: selected)
      #expect(try await subprotocol == (selected == "" ? nil : selected))
      #expect(task.log == ["resume"])
      #expect(task.receiverCount == 1)
    }

    @Test func refusesASubprotocolThatWasNotOffered() async throws {
      let error = try await failure { $0.opened(subprotocol: "three") }
      #expect((error as? WebSocketHandshakeError)?.code == .unexpectedSubprotocol)
      #expect(task.log == ["resume", "cancel"])
    }

    @Test func reportsTheStatusAndTheHeadersOfARefusal() async throws {
      let error = try await failure {
        $0.completed(
          URLError(.badServerResponse), response: try response(503, ["Retry-After": "7"]))
      }
      let refusal = try #require(error as? WebSocketHandshakeError)
      #expect(refusal.code == .refused)
      #expect(refusal.statusCode == 503)
      #expect(refusal.retryAfter == .seconds(7))
    }

    @Test(arguments: [
      (URLError.Code.cannotConnectToHost, NetworkError.Code.cannotConnect),
      (.cannotFindHost, .hostNotFound), (.notConnectedToInternet, .offline),
      (.serverCertificateUntrusted, .insecure), (.networkConnectionLost, .connectionLost),
    ])
    func reportsAFailureOfTheNetwork(_ code: URLError.Code, _ meaning: NetworkError.Code)
      async throws
    {
      let error = try await failure { $0.completed(URLError(code), response: nil) }
      #expect((error as? NetworkError)?.code == meaning)
    }

    @Test func reportsATaskThatEndsWithoutAnError() async throws {
      let error = try await failure { $0.completed(nil, response: nil) }
      #expect((error as? NetworkError)?.code == .connectionLost)
    }

    @Test(arguments: [
      ("wss://example.com/other", true), ("https://example.com/other", true),
      ("wss://example.com:443/other", true), ("ws://example.com/graphql", false),
      ("wss://example.org/graphql", false), ("wss://example.com:444/graphql", false),
      ("wss://user:secret@example.com/graphql", false), ("ftp://example.com/graphql", false),
    ])
    func followsARedirectToTheSameOriginOnly(_ target: String, isFollowed: Bool) async throws {
      let error = try await failure { core in
        let request = URLRequest(url: try #require(URL(string: target)))
        #expect((core.redirected(to: request) != nil) == isFollowed)
        core.completed(URLError(.badServerResponse), response: try response(307))
      }
      let refusal = try #require(error as? WebSocketHandshakeError)
      #expect(refusal.code == .redirectRefused)
      #expect(isFollowed != refusal.description.contains("not followed: "))
      #expect(!refusal.description.contains("secret"))
    }

    @Test func followsAsManyRedirectsAsAreAllowed() async throws {
      let error = try await failure { core in
        let request = URLRequest(url: try #require(URL(string: "wss://example.com/again")))
        let followed = (0..<7).map { _ in core.redirected(to: request) != nil }
        #expect(followed == [true, true, true, true, true, false, false])
        core.completed(URLError(.badServerResponse), response: try response(302))
      }
      #expect("\(error)".contains("there are more redirects than allowed"))
    }

    @Test func aCancelledAttemptCancelsItsTask() async throws {
      let (core, task) = (try core(), task)
      let attempt = Task { try await core.connect(task) }
      await task.isResumed.wait()
      attempt.cancel()
      await #expect(throws: CancellationError.self) { try await attempt.value }
      #expect(task.log == ["resume", "cancel"])
      // What comes too late has no effect.
      core.opened(subprotocol: nil)
      core.completed(URLError(.cancelled), response: nil)
      #expect(task.receiverCount == 0)
    }

    @Test func connectsNothingForATaskThatIsCancelledAlready() async throws {
      let (core, task, go) = (try core(), task, Signal())
      let attempt = Task {
        await go.wait()
        return try await core.connect(task)
      }
      attempt.cancel()
      go.fire()
      await #expect(throws: CancellationError.self) { try await attempt.value }
      #expect(task.log == ["cancel"])
    }

    // MARK: Messages

    @Test func deliversMessagesInTheirOrder() async throws {
      let core = try await opened()
      #expect(task.deliver(.success(.string("a"))))
      #expect(task.deliver(.success(.data(Data([1, 2])))))
      #expect(try await core.receive() == .message(.text("a")))
      #expect(try await core.receive() == .message(.binary([1, 2])))
    }

    @Test func sendsMessagesInTheirOrder() async throws {
      let core = try await opened()
      #expect(core.enqueue(.text("a")))
      #expect(core.enqueue(.binary([1, 2])))
      #expect(task.log == ["resume", "text a", "binary 2"])
    }

    @Test func readsNoFurtherThanTheProgram() async throws {
      var limits = WebSocketLimits()
      limits.receiveBufferByteCount = 200
      let core = try await opened(limits: limits)
      var count = 0
      while task.deliver(.success(.data(Data(count: 36)))) { count += 1 }
      #expect(count == 2)
      #expect(task.receiverCount == 0)
      _ = try await core.receive()
      #expect(task.receiverCount == 1)
    }

    @Test func suspendsASenderUntilThereIsRoom() async throws {
      var limits = WebSocketLimits()
      limits.sendBufferByteCount = 3
      let core = try await opened(limits: limits)
      _ = core.enqueue(.text("abc"))
      try await core.waitForRoom()
      _ = core.enqueue(.text("d"))
      let isSending = Lock(false)
      let sender = Task {
        try await core.waitForRoom()
        return isSending.get()
      }
      isSending.withLock { $0 = true }
      task.completeSend()
      #expect(try await sender.value)
    }

    @Test func aSenderDoesNotWaitForAConnectionThatHasEnded() async throws {
      var limits = WebSocketLimits()
      limits.sendBufferByteCount = 0
      let core = try await opened(limits: limits)
      _ = core.enqueue(.text("abc"))
      let sender = Task { try await core.waitForRoom() }
      core.completed(URLError(.networkConnectionLost), response: nil)
      try await sender.value
      #expect(!core.enqueue(.text("d")))
    }

    // MARK: Pings

    @Test func waitsForThePong() async throws {
      let core = try await opened()
      let ping = Task { try await core.ping() }
      await task.isPinged.wait()
      task.pong()
      try await ping.value
    }

    /// The system may forget a ping when its task ends.
    @Test(arguments: [true, false])
    func aPingEndsWithTheConnection(isReported: Bool) async throws {
      let core = try await opened()
      let ping = Task { try await core.ping() }
      await task.isPinged.wait()
      if isReported { task.pong(URLError(.networkConnectionLost)) }
      core.completed(URLError(.networkConnectionLost), response: nil)
      let end = await #expect(throws: WebSocketEnd.self) { try await ping.value }
      #expect(end?.origin == .network)
      // And one that is sent too late ends as well.
      await #expect(throws: WebSocketEnd.self) { try await core.ping() }
    }

    // MARK: The end

    @Test(arguments: [
      (1_000, 1_000, "bye"), (4_403, 4_403, "Forbidden"), (0, 1_005, ""), (1_005, 1_005, ""),
    ])
    func reportsTheServersCloseAfterItsMessages(_ code: Int, _ shown: UInt16, _ reason: String)
      async throws
    {
      let core = try await opened()
      _ = task.deliver(.success(.string("last")))
      core.closed(code, reason: reason.isEmpty ? nil : Data(reason.utf8))
      core.completed(nil, response: nil)
      #expect(try await core.receive() == .message(.text("last")))
      let end = WebSocketEnd(
        code: WebSocketCloseCode(rawValue: shown), reason: reason, origin: .peer)
      #expect(try await core.receive() == .end(end))
      #expect(try await core.receive() == .end(end))
    }

    @Test func reportsALostConnection() async throws {
      let core = try await opened()
      _ = task.deliver(.failure(URLError(.networkConnectionLost)))
      core.completed(URLError(.networkConnectionLost), response: try response(101))
      guard case .end(let end) = try await core.receive() else {
        Issue.record("There is a message.")
        return
      }
      #expect(end.origin == .network)
      #expect(end.code == .abnormal)
    }

    @Test func aMessageThatIsTooLargeIsAViolation() async throws {
      let core = try await opened()
      _ = task.deliver(.failure(NSError(domain: NSPOSIXErrorDomain, code: Int(EMSGSIZE))))
      let reason = ProtocolViolation.messageTooLarge(limit: 16 << 20).clause
      let end = WebSocketEnd(code: .messageTooLarge, reason: reason, origin: .violation)
      #expect(try await core.receive() == .end(end))
      #expect(task.log == ["resume", "cancel"])
    }

    @Test func closesBehindWhatIsQueued() async throws {
      let core = try await opened()
      _ = core.enqueue(.text("a"))
      _ = core.enqueue(.binary([]))
      core.close(CloseBody(code: .goingAway, reason: "done"))
      #expect(!core.enqueue(.text("b")))
      task.completeSend()
      #expect(task.log == ["resume", "text a", "binary 0"])
      task.completeSend()
      #expect(task.log.last == "close 1001 done")
      // Messages that arrive now are dropped.
      #expect(task.deliver(.success(.string("late"))))
      core.closed(1_001, reason: nil)
      let end = WebSocketEnd(code: .goingAway, reason: "done", origin: .local)
      #expect(try await core.receive() == .end(end))
    }

    @Test func aConnectionThatIsClosingIsReadThoughItsInboxIsFull() async throws {
      var limits = WebSocketLimits()
      limits.receiveBufferByteCount = 1
      let core = try await opened(limits: limits)
      #expect(task.deliver(.success(.string("full"))))
      #expect(task.receiverCount == 0)
      core.close(CloseBody(code: .normal))
      #expect(task.receiverCount == 1)
    }

    @Test func closesThoughTheServerDoesNotRespond() async throws {
      var limits = WebSocketLimits()
      limits.closeTimeout = .milliseconds(1)
      let core = try await opened(limits: limits)
      core.close(CloseBody(code: .normal))
      #expect(
        try await core.receive() == .end(WebSocketEnd(code: .normal, origin: .local)))
      #expect(task.log == ["resume", "close 1000 ", "cancel"])
    }

    @Test func cancelsAtOnce() async throws {
      let core = try await opened()
      _ = core.enqueue(.text("a"))
      core.cancel()
      #expect(task.log == ["resume", "text a", "cancel"])
      #expect(
        try await core.receive() == .end(WebSocketEnd(code: .abnormal, origin: .local)))
    }

    @Test func closesWhenItIsReleased() async throws {
      let core = try await opened()
      var connection: SocketConnection? = SocketConnection(core, subprotocol: nil)
      #expect(connection?.enqueue(.text("a")) == true)
      task.completeSend()
      connection = nil
      #expect(task.log == ["resume", "text a", "close 1001 "])
    }

    @Test func losesNoMessageToACancelledReceive() async throws {
      let core = try await opened()
      let reader = Task { try await core.receive() }
      reader.cancel()
      await #expect(throws: CancellationError.self) { try await reader.value }
      _ = task.deliver(.success(.string("a")))
      #expect(try await core.receive() == .message(.text("a")))
    }

    // MARK: The system's own session

    @Test func reportsWhereNobodyListens() async throws {
      let port = try ClosedPort()
      await #expect(throws: NetworkError.self) {
        try await URLSessionWebSocketConnector().connect(
          to: URLRequest(url: port.url), subprotocols: ["one"])
      }
    }

    @Test func checksARequestAsOnLinux() async throws {
      await #expect(throws: GraphQLHTTPRequestError.self) {
        try await URLSessionWebSocketConnector().connect(
          to: URLRequest(url: ClosedPort().url), subprotocols: ["a,b"])
      }
    }
  }
#endif
