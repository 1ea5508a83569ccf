public import ApolloAPI
public import ApolloTransport
public import Dispatch
public import Foundation

extension WebSocketTransport {
  /// The options of a transport.
  ///
  /// ```swift
  /// var configuration = WebSocketTransport.Configuration()
  /// configuration.connectingPayloadProvider = { attempt in
  ///   if attempt.isRejected { await tokens.refresh() }
  ///   return ["authToken": .string(await tokens.current)]
  /// }
  /// let transport = WebSocketTransport(endpointURL: url, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The protocols that are offered to the server, the preferred one first.
    public var subprotocols: [WebSocketSubprotocol] = [.graphqlTransportWS, .graphqlWS]

    /// The name and version of the program, sent as headers of the handshake. Those of this library
    /// are sent with each operation, as `extensions.clientLibrary`.
    public var clientAwareness: ClientAwareness

    /// The payload with which each session begins, often with credentials.
    public var connectingPayload: [String: JSONValue]?

    /// A closure that returns the payload with which a session begins. It is called before each
    /// connection, and takes precedence over ``connectingPayload``.
    ///
    /// If it throws, the attempt has failed, and another one follows as after any other failure.
    public var connectingPayloadProvider:
      (@Sendable (ConnectionAttempt) async throws -> [String: JSONValue]?)?

    /// `true` to connect when the transport is created, instead of for the first operation.
    public var connectOnInit: Bool

    /// The attempts to connect again after a loss.
    public var reconnection = ReconnectionPolicy()

    /// The recoveries from close codes that differ from the usual ones; see ``WebSocketRecovery``.
    ///
    /// Presets have those of known servers, such as `.hasura`, which closes with 4400 when a token
    /// has expired.
    public var recoveries: [WebSocketCloseCode: WebSocketRecovery] = [:]

    /// The rules that detect a dead connection.
    public var keepAlive = KeepAlivePolicy()

    /// The time after which a connection without operations is closed, or `nil` to keep it open.
    public var idleTimeout: Duration? = .seconds(30)

    /// The time that the provider of the connecting payload has.
    public var connectingPayloadTimeout: Duration = .seconds(10)

    /// The time that the server has to accept a connection.
    public var connectTimeout: Duration = .seconds(30)

    /// The longest time that a query or a mutation may take if the call does not say so itself, or
    /// `nil` for any time. Two minutes, as over HTTP.
    public var callTimeLimit: Duration? = .seconds(120)

    /// The time that the server has to acknowledge a session.
    public var acknowledgementTimeout: Duration = .seconds(10)

    /// The results of a subscription that wait for a slow consumer.
    public var resultBuffer = ResultBufferPolicy()

    /// The maker of the ids of operations, or `nil` for ascending numbers.
    public var operationMessageIdCreator: (any OperationMessageIdCreator)?

    /// The creator of the payloads with which operations are sent.
    public var requestBodyCreator: any RequestCreator

    /// `true` to send the identifier of an operation instead of its text.
    public var sendsOperationIdentifiers = false

    /// The queue on which delegates and completion handlers are called.
    public var callbackQueue: DispatchQueue = .main

    /// Creates a configuration, with the parameters of Apollo iOS 1.x.
    ///
    /// - Parameters:
    ///   - clientName: The name of the program; by default that of the main bundle.
    ///   - clientVersion: The version of the program; by default that of the main bundle.
    ///   - reconnect: `false` to fail subscriptions when the connection is lost.
    ///   - reconnectionInterval: The longest wait in seconds before the first attempt to connect
    ///     again; see ``ReconnectionPolicy/initialDelay``. Above 30, it is the limit of the later
    ///     waits as well. A negative number is the same as `reconnect: false`.
    ///   - allowSendingDuplicates: Has no effect: no operation is sent twice on a connection.
    ///   - connectOnInit: `true` to connect when the transport is created.
    ///   - connectingPayload: The payload with which each session begins.
    ///   - requestBodyCreator: The creator of the payloads with which operations are sent.
    ///   - operationMessageIdCreator: The maker of the ids of operations.
    ///   - pingInterval: The silence of either side in seconds after which a ping is sent, or `nil`
    ///     to send none; see ``KeepAlivePolicy/pingInterval``.
    public init(
      clientName: String? = ClientAwareness.mainBundle.name,
      clientVersion: String? = ClientAwareness.mainBundle.version,
      reconnect: Bool = true,
      reconnectionInterval: TimeInterval = 1,
      allowSendingDuplicates: Bool = true,
      connectOnInit: Bool = false,
      connectingPayload: [String: JSONValue]? = nil,
      requestBodyCreator: any RequestCreator = ApolloRequestCreator(),
      operationMessageIdCreator: (any OperationMessageIdCreator)? = nil,
      pingInterval: TimeInterval? = 20
    ) {
      clientAwareness = ClientAwareness(name: clientName, version: clientVersion)
      self.connectOnInit = connectOnInit
      self.connectingPayload = connectingPayload
      self.requestBodyCreator = requestBodyCreator
      self.operationMessageIdCreator = operationMessageIdCreator
      reconnection.initialDelay = Self.duration(max(reconnectionInterval, 0))
      reconnection.maximumDelay = max(reconnection.maximumDelay, reconnection.initialDelay)
      if !reconnect || reconnectionInterval < 0 { reconnection = .never }
      keepAlive.pingInterval = pingInterval.map(Self.duration)
    }

    /// Returns a number of seconds, of which infinity becomes 31 years: a `Duration` has a limit.
    private static func duration(_ seconds: TimeInterval) -> Duration {
      .seconds(min(seconds, 1e9))
    }
  }

  /// The circumstances of an attempt to connect, for the provider of the connecting payload.
  public struct ConnectionAttempt: Sendable {
    /// The failure that this attempt follows, or `nil` if the transport has not failed since its
    /// last session.
    public let previousFailure: WebSocketError?

    /// `true` if the server rejects the previous payload or headers, for example because a token
    /// has expired: the payload should differ.
    public let isRejected: Bool
  }
}

extension WebSocketTransport.Configuration {
  /// The name that Apollo iOS 2.x gives to ``clientAwareness``.
  public var clientAwarenessMetadata: ClientAwareness {
    get { clientAwareness }
    set { clientAwareness = newValue }
  }

  /// Returns the payload of the message that starts an operation.
  ///
  /// - Throws: `GraphQLHTTPRequestError` if the payload does not identify the document.
  func message(
    of request: OperationRequest
  ) throws(GraphQLHTTPRequestError) -> OperationMessage {
    let message =
      if requestBodyCreator is ApolloRequestCreator {
        try OperationMessage(
          request.operation, form: sendsOperationIdentifiers ? .registeredIdentifier : .text,
          completion: request.facts.completion)
      } else {
        try OperationMessage(
          request.operation, form: sendsOperationIdentifiers ? .topLevelIdentifier : .text,
          creator: requestBodyCreator)
      }
    return message.asking(for: request.onError).naming(request.clientAwareness ?? clientAwareness)
  }

  var transportSettings: TransportSettings {
    TransportSettings(
      reconnection: reconnection, recoveries: recoveries, keepAlive: keepAlive,
      payloadTimeout: connectingPayloadTimeout, connectTimeout: connectTimeout,
      acknowledgementTimeout: acknowledgementTimeout, idleTimeout: idleTimeout,
      hasPayloadProvider: connectingPayloadProvider != nil,
      usesCustomIDs: operationMessageIdCreator != nil)
  }

  /// The source of payloads; `current` is that of a payload without a provider.
  func payload(
    url: @escaping @Sendable () -> URL?, current: @escaping @Sendable () -> [String: JSONValue]?
  ) -> TransportDriver.Environment.Payload {
    guard let provider = connectingPayloadProvider else { return .value(current) }
    return .provider { [recoveries] failure in
      try await provider(
        WebSocketTransport.ConnectionAttempt(
          previousFailure: failure.map {
            WebSocketError($0, nil, .notSent, url: url(), recoveries)
          },
          isRejected: failure?.recovery(recoveries) == .refreshAndRetry))
    }
  }
}

/// A maker of the ids that operations have on the wire.
///
/// ```swift
/// struct UUIDCreator: OperationMessageIdCreator {
///   func requestId() -> String { UUID().uuidString }
/// }
/// ```
public protocol OperationMessageIdCreator: Sendable {
  /// Returns an id that no other operation of the transport has.
  ///
  /// Called whenever an operation is sent, also again after the loss of a connection. An operation
  /// whose id is empty or in use fails.
  func requestId() -> String
}

/// A maker of ascending numbers as ids.
public final class ApolloSequencedOperationMessageIdCreator: OperationMessageIdCreator {
  private let next: Lock<Int>

  /// Creates a maker whose first id is `startAt`.
  public init(startAt: Int = 1) { next = Lock(startAt) }

  /// Returns the next number.
  public func requestId() -> String {
    next.withLock { next in
      defer { next += 1 }
      return String(next)
    }
  }
}
