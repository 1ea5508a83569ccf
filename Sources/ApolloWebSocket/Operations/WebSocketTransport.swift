public import ApolloAPI
public import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A transport that sends operations over one WebSocket.
///
/// ```swift
/// let transport = WebSocketTransport(endpointURL: URL(string: "wss://example.com/graphql")!)
/// let apollo = ApolloClient(networkTransport: transport)
/// for try await response in apollo.subscribe(subscription: ReviewAddedSubscription()) {
///   print(response.data?.reviewAdded.stars ?? 0)
/// }
/// ```
///
/// It speaks `graphql-transport-ws` and the legacy protocol `graphql-ws`, whichever the server
/// selects. To send queries and mutations over HTTP, combine it with an `HTTPNetworkTransport` in a
/// `SplitNetworkTransport`.
///
/// - **Connection.** It is made for the first operation, shared by all operations, and closed when
///   none has needed it for a while.
/// - **Loss.** The transport connects again, with growing random delays, and sends the
///   subscriptions again, which report the gap in their events. Queries and mutations fail: no
///   operation is ever sent twice by itself.
/// - **Credentials.** The provider of the connecting payload is asked before each connection, also
///   when the server rejects the last payload or closes the connection because it has expired.
/// - **Slow consumers.** Each subscription has a buffer of bounded size; see
///   ``ResultBufferPolicy``.
///
/// Releasing the transport, after its last operation has ended, closes the connection.
public final class WebSocketTransport: SubscriptionNetworkTransport {
  private struct Settings {
    weak var delegate: (any WebSocketTransportDelegate)?
    var request: URLRequest
    var connectingPayload: [String: JSONValue]?
  }

  private let configuration: Configuration
  private let settings: Lock<Settings>
  private let observers: ConnectionObservers
  private let driver: TransportDriver
  private let clock: any AlarmClock

  /// Creates a transport for an endpoint.
  ///
  /// - Parameters:
  ///   - endpointURL: A URL of the scheme `ws`, `wss`, `http` or `https`.
  ///   - connector: The maker of connections.
  ///   - configuration: The options of the transport.
  public convenience init(
    endpointURL: URL, connector: any WebSocketConnector = DefaultWebSocketConnector(),
    configuration: Configuration = Configuration()
  ) {
    self.init(
      request: URLRequest(url: endpointURL), connector: connector, configuration: configuration)
  }

  /// Creates a transport whose handshakes send the headers of a request.
  ///
  /// - Parameters:
  ///   - request: The URL, of the scheme `ws`, `wss`, `http` or `https`, and the headers.
  ///   - connector: The maker of connections.
  ///   - configuration: The options of the transport.
  public convenience init(
    request: URLRequest, connector: any WebSocketConnector = DefaultWebSocketConnector(),
    configuration: Configuration
  ) {
    self.init(
      request: request, connector: connector, configuration: configuration,
      clock: SystemAlarmClock.shared)
  }

  init(
    request: URLRequest, connector: any WebSocketConnector, configuration: Configuration,
    clock: any AlarmClock, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    self.clock = clock
    let settings = Lock(
      Settings(
        request: request.adding(configuration.clientAwareness),
        connectingPayload: configuration.connectingPayload))
    let observers = ConnectionObservers(recoveries: configuration.recoveries)
    let relay = DelegateRelay(
      queue: configuration.callbackQueue, recoveries: configuration.recoveries)
    self.settings = settings
    self.observers = observers
    let url = { @Sendable in settings.withLock { $0.request.url } }
    let makeID = configuration.operationMessageIdCreator.map { creator in
      { @Sendable in creator.requestId() }
    }
    driver = TransportDriver(
      configuration.transportSettings,
      TransportDriver.Environment(
        connector: connector, subprotocols: configuration.subprotocols, clock: clock,
        handshake: { settings.withLock { $0.request } },
        payload: configuration.payload(url: url) { settings.withLock { $0.connectingPayload } },
        makeID: makeID,
        encode: { request in
          // The operation was encoded once, before it was accepted.
          (try? configuration.message(of: request).json) ?? Array("null".utf8)
        },
        report: { report in
          observers.notify(report, url: url)
          relay.notify(report, url: url)
        }, url: url),
      jitter: jitter)
    relay.setTarget(self) { settings.withLock { $0.delegate } }
    if configuration.connectOnInit { driver.open() }
  }

  deinit {
    driver.shutDown()
    observers.finish()
  }

  // MARK: Operations

  /// Sends a query or a mutation and returns its whole response.
  public func send(_ request: OperationRequest) async throws -> NetworkResponse {
    guard let response = try await responses(to: request).last() else {
      throw WebSocketError(.noResult, url: endpointURL)
    }
    return response
  }

  /// Sends an operation and returns its responses, or the events of a subscription.
  ///
  /// A response in parts, as of an operation with `@defer`, is merged as over HTTP.
  /// Events that arrive while the program is busy with an earlier one wait in a buffer; see
  /// ``ResultBufferPolicy``.
  public func responses(to request: OperationRequest) -> NetworkResponses {
    let responses = unlimitedResponses(to: request)
    return limit(of: request).map { responses.limited(to: $0, clock: clock, url: endpointURL) }
      ?? responses
  }

  private func unlimitedResponses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses { [self] in
      var results: OperationResults?
      return {
        if results == nil { results = try self.begin(request) }
        return try await results?.nextResponse(request.facts.stateHandler)
      }
    }
  }

  /// Starts an operation as an attempt that the record of its call notes.
  ///
  /// Not inlined, as ``results(of:)``.
  @inline(never)
  private func begin(_ request: OperationRequest) throws -> OperationResults {
    guard let record = request.facts.session?.record else { return try results(of: request) }
    var request = request
    record.beginNoting()
    guard !record.needsHeaders else { throw GraphQLHTTPRequestError(.noPlaceForHeader) }
    let attempt = try record.beginAttempt()
    attempt.prepare()
    request.facts.session?.attempt = attempt
    return try results(of: request)
  }

  /// The longest time of a query or a mutation, unless the caller limits it.
  private func limit(of request: OperationRequest) -> Duration? {
    guard OperationKind(request.operation) != .subscription, !request.facts.hasDeadline else {
      return nil
    }
    return request.timeout ?? callTimeLimit
  }

  /// The URL of the handshakes.
  public var endpointURL: URL? { settings.withLock { $0.request.url } }

  /// The limit of the configuration.
  public var callTimeLimit: Duration? { configuration.callTimeLimit }

  /// Starts an operation and returns its results. Releasing them ends the operation.
  ///
  /// Not inlined, because its local values would be part of the memory of each task that waits for
  /// results.
  @inline(never)
  func results(of request: OperationRequest) throws -> OperationResults {
    if configuration.sendsOperationIdentifiers {
      _ = try configuration.message(of: request)
    }
    return OperationResults(
      of: request, on: driver, retaining: self, policy: configuration.resultBuffer)
  }
}

// MARK: - State

extension WebSocketTransport {
  /// The delegate, which is not retained. Its methods are called on the configured queue.
  public var delegate: (any WebSocketTransportDelegate)? {
    get { settings.withLock { $0.delegate } }
    set { settings.withLock { $0.delegate = newValue } }
  }

  /// Sets the delegate, as in Apollo iOS 2.x.
  public func setDelegate(_ delegate: (any WebSocketTransportDelegate)?) {
    self.delegate = delegate
  }

  /// Returns `true` if the server has acknowledged the session, so that operations are sent at
  /// once.
  public func isConnected() -> Bool { driver.isConnected }

  /// The states of the connection, beginning with the current one.
  ///
  /// Each call returns a sequence of its own, which ends when the transport is released. Of a
  /// consumer that is slow, the newest 16 states wait.
  public var connectionStates: AsyncStream<WebSocketConnectionState> { observers.states() }
}

// MARK: - Commands

extension WebSocketTransport {
  /// `true`.
  public var _endsSubscriptions: Bool { true }

  /// Connects now, before the first operation, or again after ``closeConnection()``.
  ///
  /// A transport that waits before its next attempt connects at once. An attempt in progress
  /// continues even if the operations end that it was made for. Has no effect during a pause.
  public func initServer() { driver.open() }

  /// Ends all operations with an error and closes the connection.
  ///
  /// New operations fail until ``initServer()`` is called.
  public func closeConnection() { driver.close() }

  /// Ends all operations and the connection, which belongs to the user who opened it, and forgets
  /// the connecting payload and the headers with credentials. The next operation makes another
  /// connection.
  public func _endSession() {
    settings.withLock { settings in
      settings.connectingPayload = nil
      for name in ["Authorization", "Cookie"] {
        settings.request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    driver.endSession()
  }

  /// Closes the connection until ``resumeWebSocketConnection(autoReconnect:)``.
  ///
  /// For programs that go to the background. Queries and mutations in flight fail; subscriptions
  /// wait, and are sent again afterwards.
  public func pauseWebSocketConnection() { driver.pause() }

  /// Connects again after ``pauseWebSocketConnection()``, if there are operations.
  ///
  /// - Parameter autoReconnect: `false` to fail the subscriptions when the next connection is lost.
  public func resumeWebSocketConnection(autoReconnect: Bool = true) {
    driver.resume(reconnects: autoReconnect)
  }

  /// The name that Apollo iOS 2.x gives to ``pauseWebSocketConnection()``.
  public func pause() { pauseWebSocketConnection() }

  /// The name that Apollo iOS 2.x gives to ``resumeWebSocketConnection(autoReconnect:)``.
  public func resume() { resumeWebSocketConnection() }

  /// Changes headers of the handshakes that follow.
  ///
  /// - Parameters:
  ///   - headerValues: The new values by name; `nil` removes a header.
  ///   - reconnectIfConnected: `true` to replace the current connection by one with these headers.
  public func updateHeaderValues(
    _ headerValues: [String: String?], reconnectIfConnected: Bool = true
  ) {
    settings.withLock { settings in
      for (name, value) in headerValues {
        settings.request.setValue(value, forHTTPHeaderField: name)
      }
    }
    if reconnectIfConnected { driver.reconnect() }
  }

  /// Changes the connecting payload of the sessions that follow.
  ///
  /// A provider of the configuration takes precedence over it.
  ///
  /// - Parameters:
  ///   - payload: The new payload.
  ///   - reconnectIfConnected: `true` to replace the current connection by one with this payload.
  public func updateConnectingPayload(
    _ payload: [String: JSONValue]?, reconnectIfConnected: Bool = true
  ) {
    settings.withLock { $0.connectingPayload = payload }
    if reconnectIfConnected { driver.reconnect() }
  }

  /// Reports a change of the device's network, such as one that `NWPathMonitor` observes.
  ///
  /// With a network, a waiting transport connects at once, and an open connection is checked with a
  /// ping. Without a network, an attempt that fails is not repeated until there is one again: a
  /// program that reports its absence must also report its return.
  public func networkChanged(isAvailable: Bool) {
    driver.networkChanged(isAvailable: isAvailable)
  }

  /// Sends a ping of the WebSocket protocol.
  ///
  /// - Parameters:
  ///   - data: Not sent. The parameter is there for programs that were written for Apollo iOS 1.x.
  ///   - completionHandler: A closure that is called on the configured queue when the server has
  ///     responded. Not called if there is no connection, or if it is lost.
  public func ping(data: Data = Data(), completionHandler: (@Sendable () -> Void)? = nil) {
    guard let connection = driver.connection else { return }
    let queue = configuration.callbackQueue
    // Ends with the connection.
    Task {
      // The loss of the connection is reported by the states.
      guard (try? await connection.ping()) != nil, let completionHandler else { return }
      queue.async(execute: completionHandler)
    }
  }
}

extension URLRequest {
  /// Returns the request with the program's name and version, unless it has them.
  fileprivate func adding(_ awareness: ClientAwareness) -> URLRequest {
    var request = self
    for (name, value) in awareness.headers
    where request.value(forHTTPHeaderField: name) == nil && HeaderField.isValid(value: value) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }
}
