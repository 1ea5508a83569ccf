#if WebSocket
  public import ApolloAPI
  public import ApolloTransport
  public import ApolloWebSocket
  public import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A transport that sends subscriptions over the first of several routes that works, and
  /// everything else over HTTP.
  ///
  /// For programs that run behind proxies of others: one blocks WebSockets, another one ends or
  /// buffers long responses.
  ///
  /// ```swift
  /// let apollo = ApolloClient(
  ///   networkTransport: FallbackNetworkTransport(endpointURL: endpoint))
  /// for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
  ///   print(event.data?.reviewAdded.stars ?? 0)
  /// }
  /// ```
  ///
  /// 1. A subscription is sent over the preferred route, which is the WebSocket, or over the one
  ///    that worked for the host before; see ``SubscriptionRouteMemory``.
  /// 2. If the server or a proxy refuses the route, or if the connection is lost before the first
  ///    event, the next route is tried.
  /// 3. If a route is not open within ten seconds, the next one is tried beside it: a proxy may
  ///    hold the head of a response back until its first event. The first route to open ends the
  ///    others.
  /// 4. When no route is left, the transport waits and begins again with those that have failed, as
  ///    the `ReconnectionPolicy` says. If all routes were refused, the subscription fails.
  /// 5. A route that is lost after an event is opened again, after a wait. So is one that Apollo
  ///    Router ends because its schema or its configuration has changed.
  /// 6. The state handler of the subscription receives `interrupted` with the first failure, also
  ///    before any route was open, and `resumed` when one is.
  /// 7. Errors of the operation itself end the subscription at once. If routes respond without
  ///    data, it ends with the failure of the route that was tried first, such as the refusal of
  ///    the WebSocket's handshake, after these responses. If all are refused, it ends with the
  ///    failure of the last one.
  public final class FallbackNetworkTransport: UploadingNetworkTransport,
    SubscriptionNetworkTransport, InterceptingNetworkTransport
  {
    private let queryTransport: any UploadingNetworkTransport
    private let environment: FallbackCall.Environment

    /// Creates a transport from its routes.
    ///
    /// - Parameters:
    ///   - queryTransport: The transport for queries, mutations and files.
    ///   - subscriptionRoutes: The routes for subscriptions, the preferred one first. At least one.
    ///   - openingTimeout: The time after which the next route is tried beside one that is not
    ///     open.
    ///   - recoveryTimeout: The time that a route has to restore a connection that was lost.
    ///   - reconnection: The waits after all routes have failed, and after the loss of a route.
    ///   - memory: The memory of the routes that work. By default one of this transport alone.
    public convenience init(
      queryTransport: any UploadingNetworkTransport,
      subscriptionRoutes: [SubscriptionRoute],
      openingTimeout: Duration = .seconds(10),
      recoveryTimeout: Duration = .seconds(30),
      reconnection: ReconnectionPolicy = ReconnectionPolicy(),
      memory: SubscriptionRouteMemory = SubscriptionRouteMemory()
    ) {
      self.init(
        queryTransport: queryTransport,
        FallbackCall.Environment(
          routes: subscriptionRoutes, host: queryTransport.endpointURL?.hostAndPort ?? "",
          memory: memory, openingTimeout: openingTimeout, recoveryTimeout: recoveryTimeout,
          reconnection: reconnection, clock: SystemAlarmClock.shared,
          jitter: { Double.random(in: 0...1) }))
    }

    /// Creates a transport that tries a WebSocket, multipart HTTP and server-sent events, in this
    /// order.
    ///
    /// - Parameters:
    ///   - endpointURL: The URL of the GraphQL endpoint, of the scheme `http` or `https`.
    ///   - webSocketURL: The URL of WebSockets, if it is another one.
    ///   - client: The client that sends the HTTP requests.
    ///   - connector: The maker of WebSocket connections.
    ///   - additionalHeaders: The headers of every request and handshake.
    ///   - configuration: The options of the WebSocket.
    ///   - openingTimeout: The time after which the next route is tried beside one that is not
    ///     open.
    ///   - recoveryTimeout: The time that a route has to restore a connection that was lost.
    ///   - reconnection: The waits after all routes have failed, and after the loss of a route.
    ///   - memory: The memory of the routes that work. By default one of this transport alone.
    public convenience init(
      endpointURL: URL,
      webSocketURL: URL? = nil,
      client: any HTTPClient = DefaultHTTPClient(),
      connector: any WebSocketConnector = DefaultWebSocketConnector(),
      additionalHeaders: [String: String] = [:],
      configuration: WebSocketTransport.Configuration = .init(),
      openingTimeout: Duration = .seconds(10),
      recoveryTimeout: Duration = .seconds(30),
      reconnection: ReconnectionPolicy = ReconnectionPolicy(),
      memory: SubscriptionRouteMemory = SubscriptionRouteMemory()
    ) {
      func http(_ format: HTTPSubscriptionFormat) -> HTTPNetworkTransport {
        let transport = HTTPNetworkTransport(
          url: endpointURL, client: client, additionalHeaders: additionalHeaders)
        transport.subscriptionFormat = format
        return transport
      }
      // The transport may connect as soon as it exists. Of equal names, the last one counts.
      var handshake = URLRequest(url: webSocketURL ?? endpointURL)
      for (name, value) in additionalHeaders.sorted(by: { $0.key < $1.key }) {
        handshake.setValue(value, forHTTPHeaderField: name)
      }
      let webSocket = WebSocketTransport(
        request: handshake, connector: connector, configuration: configuration)
      let multipart = http(.multipart)
      self.init(
        queryTransport: multipart,
        subscriptionRoutes: [
          .webSocket(webSocket), .http(multipart), .http(http(.serverSentEvents)),
        ],
        openingTimeout: openingTimeout, recoveryTimeout: recoveryTimeout,
        reconnection: reconnection, memory: memory)
    }

    init(
      queryTransport: any UploadingNetworkTransport, _ environment: FallbackCall.Environment
    ) {
      precondition(!environment.routes.isEmpty, "A FallbackNetworkTransport needs a route.")
      self.queryTransport = queryTransport
      self.environment = environment
    }

    /// The URL of the transport for queries and mutations.
    public var endpointURL: URL? { queryTransport.endpointURL }

    /// The limit of the transport for queries and mutations.
    public var callTimeLimit: Duration? { queryTransport.callTimeLimit }

    /// Returns the limit of the transport for queries and mutations.
    public func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
      queryTransport._timeLimit(for: type, hasFiles: hasFiles)
    }

    /// Sends a query or a mutation over HTTP.
    public func send(_ request: OperationRequest) async throws -> NetworkResponse {
      try await queryTransport.send(request)
    }

    /// Sends an operation: a subscription over the routes, a query or a mutation over HTTP.
    ///
    /// The sequence of a subscription throws the error of the last route, or, if a route has
    /// responded without data, that of the first one.
    public func responses(to request: OperationRequest) -> NetworkResponses {
      guard type(of: request.operation).operationType == .subscription else {
        return queryTransport.responses(to: request)
      }
      return NetworkResponses { [environment] in
        let call = FallbackCall(request, environment)
        return { try await call.next() }
      }
    }

    /// Sends an operation with files over HTTP.
    public func upload(
      _ request: OperationRequest, files: [GraphQLFile]
    ) async throws -> NetworkResponse {
      try await queryTransport.upload(request, files: files)
    }

    /// Returns the interceptors of queries and mutations, or those of the first route that has
    /// some.
    public func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
      let transports: [any NetworkTransport] =
        type == .subscription ? environment.routes.map(\.transport) : [queryTransport]
      return transports.lazy.compactMap { $0.interceptors(for: type)?.provider }.first
    }

    /// Returns the interceptors of the transport for queries, mutations and files, which send
    /// through this one, or those of the first route that has some.
    public func _interceptors(
      for type: GraphQLOperationType, hasFiles: Bool
    ) -> (any _InterceptorsOfTransport)? {
      guard type == .subscription, !hasFiles else {
        return queryTransport._interceptors(for: type, hasFiles: hasFiles)?._sendingThroughTransport
      }
      // No link makes the requests of all routes.
      return interceptorProvider(for: type).map { TransportInterceptors(provider: $0) }
    }
  }

  extension URL {
    /// The host and the port, as in a URL.
    fileprivate var hostAndPort: String {
      (host ?? "").lowercased() + (port.map { ":\($0)" } ?? "")
    }
  }

  extension FallbackNetworkTransport {
    /// The ability of the transport for queries.
    public var _sharesExchanges: Bool { queryTransport._sharesExchanges }

    /// Ends the sessions of the transports of queries, mutations and all routes.
    public func _endSession() {
      queryTransport._endSession()
      for route in environment.routes { route.transport._endSession() }
    }
  }
#endif
