import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// The default configuration without cookies and without a cache of its own.
  ///
  /// GraphQL clients send tokens in headers and keep a normalized cache; cookies and HTTP's cache
  /// would only be state that nobody expects.
  public static var graphQL: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.default
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    return configuration
  }
}

/// Sends requests through one `URLSession`. The default on Apple platforms.
///
/// Subclass it to take part in the decisions of the session's delegate, such as authentication
/// challenges; call `super` in every override. One client is meant to serve a program for its whole
/// life; it closes its session when it is released, which cannot happen while a request is under
/// way.
///
/// - Important: On Linux, a `URLSession` ends the process when a server closes a connection inside
///   the head of a response, sends a trailer, or sends a NUL before the first header. Use
///   ``DefaultHTTPClient`` there, unless every server is trusted. `timeoutIntervalForResource` of a
///   session's configuration has no effect on Linux; set the deadline of ``limits`` instead.
///
/// ``sendRequest(_:rawTaskCompletionHandler:completion:)`` and ``cancel(task:)`` are the calls with
/// a callback that code for Apollo iOS 0.27 to 1.x makes.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.timeoutIntervalForRequest = 10
/// let client = URLSessionClient(sessionConfiguration: configuration)
/// let transport = HTTPNetworkTransport(url: url, client: client)
/// ```
// Because the only mutable state, `sessions` and `state`, is guarded by its locks. Subclasses must
// keep this.
open class URLSessionClient: NSObject, HTTPClientHooks, @unchecked Sendable {
  private struct Sessions {
    /// Made when it is needed first.
    var current: URLSession?
    var isInvalidated = false
  }

  private struct State {
    var transfers: [Int: SessionTransfer] = [:]
    var isInvalidated = false
  }

  /// Limits on the time and the memory of each request.
  public let limits: TransferLimits
  /// The queue on which the callbacks of ``sendRequest(_:rawTaskCompletionHandler:completion:)``
  /// are called, or `nil` for any thread.
  public let callbackQueue: OperationQueue?
  private let configuration: URLSessionConfiguration
  /// The lock is held while a task is made, as a session that was invalidated meanwhile would end
  /// the program. It is not the lock of `state`, because making a task waits for the session's own
  /// queue, from which some delegate methods are called.
  private let sessions = Lock(Sessions())
  private let state = Lock(State())
  /// The calls with a callback that have not ended, by the identifiers of their first tasks.
  let calls = Lock<[Int: SessionCall]>([:])
  private let cancellations = DispatchQueue(label: "URLSessionClient.cancellations")

  /// - Parameters:
  ///   - sessionConfiguration: What the session is made with. A session itself cannot be passed,
  ///     because its delegate is fixed when it is made.
  ///   - callbackQueue: The queue for the callbacks of
  ///     ``sendRequest(_:rawTaskCompletionHandler:completion:)``, or `nil` for any thread.
  ///   - limits: What each request may take.
  public init(
    sessionConfiguration: URLSessionConfiguration = .graphQL,
    callbackQueue: OperationQueue? = .main, limits: TransferLimits = .init()
  ) {
    // Because a configuration is a reference: the session must not see later changes to it.
    configuration =
      sessionConfiguration.copy() as? URLSessionConfiguration ?? sessionConfiguration
    self.callbackQueue = callbackQueue
    self.limits = limits
  }

  deinit { sessions.withLock { $0.current }?.finishTasksAndInvalidate() }

  // MARK: Sending

  /// Sends a request and returns its response when the head has arrived. See ``HTTPClient``.
  ///
  /// - Throws: ``NetworkError``, or `CancellationError`.
  open func response(to request: URLRequest) async throws -> HTTPResponse {
    guard type(of: self) != URLSessionClient.self else { return try await send(request) }
    return try await callingHooks(for: request) { try await send($0, hooks: self) }
  }

  /// Sends a request that ends at its deadline and with its session. Requests of a subclass call
  /// its hooks.
  public func _response(to request: _OutgoingRequest) async throws -> HTTPResponse {
    guard _keepsDeadlines else { return try await response(to: request.whole) }
    return try await send(request.whole, before: request.facts.deadline, in: request.facts.session)
  }

  /// `true` on Apple platforms, unless the client is one of a subclass, whose hooks may wait for
  /// anything.
  public var _keepsDeadlines: Bool {
    #if CURL
      false
    #else
      type(of: self) == URLSessionClient.self
    #endif
  }

  private func send(
    _ request: URLRequest, hooks: (any HTTPClientHooks)? = nil,
    before deadline: CallDeadline? = nil, in session: CallSession? = nil
  ) async throws -> HTTPResponse {
    try await followingRedirects(
      of: request, limit: limits.maximumRedirectCount, hooks: hooks
    ) { request, url in
      var request = try request.withUploadInMemory()
      request.timeoutInterval = Self.systemTimeout(
        TransferLimits.silence(of: request, for: configuration.timeoutIntervalForRequest))
      guard let task = PreparedSessionTask.current?.take(for: request) ?? makeTask(for: request)
      else { throw NetworkError(.invalidated, url: url, hasSentNothing: true) }
      let transfer = SessionTransfer(task, url: url, client: self)
      let isInvalidated = state.withLock { state in
        if !state.isInvalidated { state.transfers[task.taskIdentifier] = transfer }
        return state.isInvalidated
      }
      if isInvalidated {
        transfer.fail(NetworkError(.invalidated, url: url, hasSentNothing: true))
      }
      return try await transfer.exchange.response(
        of: transfer, before: deadline, in: session, start: task.resume)
    }
  }

  /// Returns a timeout in seconds as `URLSession` takes it. On Linux, it ignores fractions of a
  /// second, so a timeout below one second would end a request at once.
  static func systemTimeout(_ seconds: Double) -> Double {
    #if canImport(FoundationNetworking)
      seconds.rounded(.up)
    #else
      seconds
    #endif
  }

  /// Forgets a transfer that has ended.
  func remove(_ transfer: SessionTransfer) {
    state.withLock { $0.transfers[transfer.task.taskIdentifier] = nil }
  }

  /// Cancels a task on a queue of the client's own: on Linux `cancel()` waits for the session's
  /// queue, from which some delegate methods are called.
  func cancel(_ task: URLSessionTask) { cancellations.async { task.cancel() } }

  /// Cancels every request and closes the session. Later requests fail.
  open func invalidate() {
    endExchanges()?.finishTasksAndInvalidate()
  }

  /// Ends every request, and lets none begin. Returns the session, which makes no tasks any more.
  private func endExchanges() -> URLSession? {
    let session = sessions.withLock { sessions in
      sessions.isInvalidated = true
      defer { sessions.current = nil }
      return sessions.current
    }
    let transfers = state.withLock { state in
      state.isInvalidated = true
      return state.transfers.values
    }
    for transfer in transfers { transfer.fail(NetworkError(.invalidated, url: transfer.url)) }
    return session
  }

  // MARK: Calls with a callback

  /// Sends a request and delivers the whole response, once.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - rawTaskCompletionHandler: A closure that receives the parts of the response before
  ///     `completion` is called, on any thread.
  ///   - completion: A closure that receives the result on ``callbackQueue``.
  /// - Returns: The task of the request, for ``cancel(task:)``.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, rawTaskCompletionHandler: RawCompletion? = nil,
    completion: @escaping Completion
  ) -> URLSessionTask {
    guard let task = makeTask(for: request) else {
      let url = request.url ?? URL(fileURLWithPath: "/")
      deliver(
        .failure(NetworkError(.invalidated, url: url)), rawTaskCompletionHandler, completion)
      // A task that is never resumed, because there is none to return.
      return URLSession.shared.dataTask(with: request)
    }
    startCall(request, task, rawTaskCompletionHandler, completion)
    return task
  }

  /// Cancels the request of a task. Its callbacks are not called, also if the result waits for
  /// ``callbackQueue``.
  open func cancel(task: URLSessionTask) {
    let call = calls.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    call?.work.cancel()
    cancel(task)
  }

  /// Forgets the callbacks of a task, which are not called any more. The request continues.
  open func clear(task identifier: Int) {
    let call = calls.withLock { $0.removeValue(forKey: identifier) }
    withExtendedLifetime(call) {}  // releases its callbacks outside of the lock
  }

  /// Forgets the callbacks of all tasks, which are not called any more. The requests continue.
  open func clearAllTasks() { _ = calls.exchange([:]) }

  /// A task of the session; `nil` after that was invalidated.
  private func makeTask(for request: URLRequest) -> URLSessionDataTask? {
    sessions.withLock { sessions in
      guard !sessions.isInvalidated else { return nil }
      let session =
        sessions.current
        ?? URLSession(
          configuration: configuration, delegate: SessionRelay(self), delegateQueue: nil)
      sessions.current = session
      return session.dataTask(with: request)
    }
  }

  private func transfer(of task: URLSessionTask) -> SessionTransfer? {
    state.withLock { $0.transfers[task.taskIdentifier] }
  }

  /// Notes that TLS fails for a task because a subclass refuses it.
  func noteRefusedConnection(of task: URLSessionTask) { transfer(of: task)?.refusedConnection() }

  // MARK: Hooks

  /// Returns `nil`: the response is the result.
  open func authorize(
    _ request: URLRequest, after response: HTTPURLResponse
  ) async throws -> URLRequest? { nil }

  /// Returns `request`: redirects that may be followed are followed.
  open func redirect(
    _ request: URLRequest, after response: HTTPURLResponse
  ) async throws -> URLRequest? { request }

  /// Does nothing.
  open func didReceive(_ response: HTTPURLResponse, to request: URLRequest) {}

  /// Does nothing.
  open func didReceive(_ bytes: Data, of request: URLRequest) {}

  /// Does nothing.
  open func didComplete(_ request: URLRequest, with error: (any Error)?) {}

  // MARK: What the session asks and reports

  /// The session was closed, by ``invalidate()`` or by the system.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    _ = endExchanges()
  }

  /// The server, or a proxy, asks for authentication, or its certificate is to be judged.
  ///
  /// By default ``urlSession(_:didReceive:completionHandler:)`` decides about certificates, NTLM
  /// and Negotiate, and the system about everything else. An override that does not call `super`
  /// decides about all of them.
  ///
  /// On Linux, where a challenge comes behind the whole response and the system's decision never
  /// ends, the response that asks for authentication is the result.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      transfer(of: task)?.completed(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      switch challenge.protectionSpace.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
        NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM:
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
      default: completionHandler(.performDefaultHandling, nil)
      }
    #endif
  }

  /// The certificate of the server is to be judged, or a connection asks for authentication.
  ///
  /// By default the system decides. On Linux, `URLSession` asks nothing of that kind.
  open func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  #if !canImport(FoundationNetworking)
    /// The request waits for a connection. Does nothing.
    open func urlSession(
      _ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask
    ) {}
  #endif

  /// The times of a request have been measured. Does nothing.
  ///
  /// On Linux, `URLSession` measures nothing.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {}

  /// A response is about to be stored in the `urlCache` of the session's configuration.
  ///
  /// By default it is stored as proposed. On Linux, `URLSession` stores nothing and does not ask.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(proposedResponse)
  }

  /// The response is a redirect. The session never follows one by itself: the client looks
  /// at it and decides.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The session wants to send a body once more, because a connection that it had used before ended
  /// without a response.
  ///
  /// The server may have acted on the first sending, so nothing is sent again without the caller's
  /// knowledge: the request fails with ``NetworkError/Code/connectionLost``.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    transfer(of: task)?.lostConnection()
    completionHandler(nil)
  }

  /// A piece of the request's body has been sent.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData byteCount: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    transfer(of: task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
  }

  /// Status and headers have come.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = transfer(of: dataTask)?.receivedHead(response) ?? false
    completionHandler(isWanted ? .allow : .cancel)
  }

  /// A piece of the body has come.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receivedBody(data)
  }

  /// The request has ended.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    transfer(of: task)?.completed(error)
  }
}
