#if CURL
  import ApolloAPI
  import CurlShim
  public import Foundation
  public import FoundationNetworking

  /// Sends requests with the system's libcurl, in HTTP/1.1 and HTTP/2. The default on Linux.
  ///
  /// One client is meant to serve a program for its whole life. It keeps connections open for the
  /// next requests, and closes them when it is released, which cannot happen while a request is
  /// under way.
  ///
  /// ```swift
  /// var configuration = CurlClient.Configuration()
  /// configuration.connectTimeout = .seconds(5)
  /// let client = CurlClient(configuration: configuration)
  /// let transport = HTTPNetworkTransport(url: url, client: client)
  /// ```
  ///
  /// Subclass it to take part in its decisions and to see its events; see ``HTTPClientHooks``.
  ///
  /// Isolation: all clients of a process share one event loop, in whose turns libcurl works.
  /// Cookies, caches and `.netrc` are not used.
  // `@unchecked Sendable` because the only mutable state is behind a lock. Subclasses must keep
  // this.
  open class CurlClient: HTTPClientHooks, @unchecked Sendable {
    /// The time and memory that each request may take.
    public let limits: TransferLimits

    /// The settings of the connections.
    public let configuration: Configuration

    private struct State {
      var pool: CurlPool?
      var isInvalidated = false
    }

    private let state = Lock(State())

    /// - Parameters:
    ///   - configuration: The settings of the connections.
    ///   - limits: The time and memory that each request may take.
    public init(configuration: Configuration = Configuration(), limits: TransferLimits = .init()) {
      self.configuration = configuration
      self.limits = limits
    }

    deinit { closePool() }

    /// Sends a request and returns its response when the head has arrived. See ``HTTPClient``.
    ///
    /// - Throws: ``NetworkError``, or `CancellationError`.
    open func response(to request: URLRequest) async throws -> HTTPResponse {
      guard type(of: self) != CurlClient.self else { return try await send(request) }
      return try await callingHooks(for: request) { try await send($0, hooks: self) }
    }

    /// Sends a request that ends at its deadline and with its session. Requests of a subclass call
    /// its hooks.
    public func _response(to request: _OutgoingRequest) async throws -> HTTPResponse {
      guard _keepsDeadlines else { return try await response(to: request.whole) }
      return try await send(
        request.head, body: request.body, before: request.facts.deadline,
        in: request.facts.session)
    }

    /// `true`, unless the client is one of a subclass, whose hooks may wait for anything.
    public var _keepsDeadlines: Bool { type(of: self) == CurlClient.self }

    private func send(
      _ request: URLRequest, body: Data? = nil, hooks: (any HTTPClientHooks)? = nil,
      before deadline: CallDeadline? = nil, in session: CallSession? = nil
    ) async throws -> HTTPResponse {
      try await followingRedirects(
        of: request, limit: limits.maximumRedirectCount, hooks: hooks
      ) { request, url in
        // A redirect that is followed keeps the body.
        let transfer = try makeTransfer(for: request, url: url, body: body)
        transfer.note(session?.attempt)
        let response = try await transfer.exchange.response(
          of: transfer, before: deadline, in: session
        ) {
          transfer.pool.loop.carryOut(.start(transfer))
        }
        withExtendedLifetime(self) {}
        return response
      }
    }

    /// Cancels every request and closes all connections. Later requests fail.
    open func invalidate() { closePool() }

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

    // MARK: Sending

    private func closePool() {
      let pool = state.withLock { state in
        defer { state = State(pool: nil, isInvalidated: true) }
        return state.pool
      }
      if let pool { pool.loop.submit(.close(pool)) }
    }

    private func makeTransfer(
      for request: URLRequest, url: URL, body: Data?
    ) throws -> CurlTransfer {
      guard let origin = Origin(url) else {
        throw NetworkError(.cannotConnect, url: url, detail: "it is not an http or https URL")
      }
      let pool = try self.pool(url: url)
      let body = try body.map(CurlBody.init) ?? CurlBody(request)
      do {
        return try CurlTransfer(
          request, url: url, origin: origin, body: body, client: self, pool: pool,
          handle: pool.handle(), maximumByteCount: limits.currentMaximumByteCount,
          idleTime: request.idleTime(default: configuration.idleTimeout))
      } catch {
        throw NetworkError(error, url: url)
      }
    }

    private func pool(url: URL) throws -> CurlPool {
      try state.withLock { state in
        if state.isInvalidated {
          throw NetworkError(.invalidated, url: url, hasSentNothing: true)
        }
        if let pool = state.pool { return pool }
        guard let loop = try? CurlEventLoop.shared() else {
          // The system's error says no more than this.
          throw NetworkError(.cannotConnect, url: url, detail: "too many files are open")
        }
        let pool = CurlPool(loop: loop, configuration: configuration)
        state.pool = pool
        return pool
      }
    }
  }

  extension NetworkError {
    init(_ error: CurlSetupError, url: URL) {
      let isTLS = error.option == "authorities" || error.option == "client certificate"
      self.init(
        isTLS ? .insecure : .cannotConnect, url: url,
        detail:
          "libcurl refused the \(error.option): \(String(cString: curl_easy_strerror(error.code)))")
    }
  }

  extension URLRequest {
    /// The longest silence in nanoseconds.
    fileprivate func idleTime(default idleTimeout: Duration) -> UInt64 {
      let seconds = TransferLimits.silence(of: self, for: idleTimeout.clampedSeconds)
      return UInt64(min(max(seconds, 0.001), 1e9) * 1e9)
    }
  }
#endif
