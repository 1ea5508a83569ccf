internal import ApolloAPI
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

/// Sends requests through one `URLSession`, with a delegate, and hands out the answers as they arrive.
///
/// Subclass it to take part in what the session asks its delegate, such as authentication challenges;
/// call `super` in what you override. One client is meant to serve a program for its whole life; it
/// closes its session when it is released, which cannot happen while a request is under way.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.timeoutIntervalForRequest = 10
/// let client = URLSessionClient(sessionConfiguration: configuration)
/// let transport = HTTPNetworkTransport(url: url, client: client)
/// ```
// Because the only mutable state, `sessions` and `state`, is guarded by its locks. Subclasses must keep this.
open class URLSessionClient: NSObject, @unchecked Sendable {
  private struct Sessions {
    /// Made when it is needed first.
    var current: URLSession?
    var isInvalidated = false
  }

  private struct State {
    var exchanges: [Int: Exchange] = [:]
    var isInvalidated = false
  }

  /// What each request may take.
  public let limits: TransferLimits
  private let configuration: URLSessionConfiguration
  /// The lock is held while a task is made, as a session that was invalidated meanwhile would end the program. It is not the lock of
  /// `state`, because making a task waits for the session's own queue, from which some delegate methods are called.
  private let sessions = Lock(Sessions())
  private let state = Lock(State())
  /// Where tasks are cancelled. On Linux `cancel()` waits for the session's own queue, from which some
  /// delegate methods are called.
  private let cancellations = DispatchQueue(label: "URLSessionClient.cancellations")

  /// - Parameters:
  ///   - sessionConfiguration: What the session is made with. A session itself cannot be passed,
  ///     because its delegate is fixed when it is made.
  ///   - limits: What each request may take.
  public init(
    sessionConfiguration: URLSessionConfiguration = .graphQL, limits: TransferLimits = .init()
  ) {
    // Because a configuration is a reference: the session must not see later changes to it.
    configuration =
      sessionConfiguration.copy() as? URLSessionConfiguration ?? sessionConfiguration
    self.limits = limits
  }

  deinit { sessions.withLock { $0.current }?.finishTasksAndInvalidate() }

  // MARK: Sending

  /// Sends `request` and returns when the head of the answer has come.
  ///
  /// Redirects to the same origin are followed. Cancelling the task, or dropping the response,
  /// cancels the request.
  ///
  /// - Throws: ``NetworkError``, or `CancellationError`.
  open func response(to request: URLRequest) async throws -> HTTPResponse {
    var request = request
    var hopsLeft = limits.maximumRedirectCount
    while true {
      let url = request.url ?? URL(fileURLWithPath: "/")
      let response = try await oneResponse(to: request, url: url)
      guard
        let next = try RedirectRule.next(
          after: response.response, to: request, url: url, hopsLeft: hopsLeft)
      else { return response }
      request = next
      hopsLeft -= 1
    }
  }

  private func oneResponse(to request: URLRequest, url: URL) async throws -> HTTPResponse {
    guard let task = makeTask(for: request) else { throw NetworkError(.invalidated, url: url) }
    let identifier = task.taskIdentifier
    // The closure keeps the client, and so the session, until the exchange has ended.
    let exchange = Exchange(url: url, maximumByteCount: limits.maximumResponseByteCount) {
      isCancelled in
      self.state.withLock { $0.exchanges[identifier] = nil }
      if isCancelled { self.cancellations.async { task.cancel() } }
    }
    let isInvalidated = state.withLock { state in
      if !state.isInvalidated { state.exchanges[identifier] = exchange }
      return state.isInvalidated
    }
    if isInvalidated { exchange.invalidated() }
    return try await exchange.response(start: task.resume)
  }

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
    let exchanges = state.withLock { state in
      state.isInvalidated = true
      return state.exchanges.values
    }
    for exchange in exchanges { exchange.invalidated() }
    return session
  }

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

  private func exchange(of task: URLSessionTask) -> Exchange? {
    state.withLock { $0.exchanges[task.taskIdentifier] }
  }

  // MARK: What the session asks and reports

  /// The session was closed, by ``invalidate()`` or by the system.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    _ = endExchanges()
  }

  /// The server, or a proxy, asks for authentication, or its certificate is to be judged.
  ///
  /// By default the system decides. On Linux, where a challenge comes behind the whole answer and the
  /// system's decision never ends, the answer that asks for authentication is the result.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      exchange(of: task)?.completed(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  /// The server answered with a redirect. The session never follows one by itself: the client looks
  /// at it and decides.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The session wants to send a body once more, because a connection that it had used before ended
  /// without an answer.
  ///
  /// The server may have acted on the first sending, so nothing is sent again without the caller's
  /// knowledge: the request fails with ``NetworkError/Code/connectionLost``.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    exchange(of: task)?.lostConnection()
    completionHandler(nil)
  }

  /// Status and headers have come.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = exchange(of: dataTask)?.received(response) ?? false
    completionHandler(isWanted ? .allow : .cancel)
  }

  /// A piece of the body has come.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.received(data)
  }

  /// The request has ended.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchange(of: task)?.completed(error)
  }
}
