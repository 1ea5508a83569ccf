public import ApolloAPI
public import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// The initializers of earlier generations of Apollo iOS.

/// An endpoint and the protocol that is spoken with it, as in Apollo iOS 1.x.
///
/// ```swift
/// let socket = WebSocket(url: endpoint, protocol: .graphql_transport_ws)
/// let transport = WebSocketTransport(websocket: socket)
/// ```
public struct WebSocket: Sendable {
  /// The name that Apollo iOS 1.x gives to ``WebSocketSubprotocol``.
  public typealias WSProtocol = WebSocketSubprotocol

  /// The URL and the headers of the handshake.
  public var request: URLRequest

  /// The only protocol that is offered to the server.
  public var subprotocol: WebSocketSubprotocol

  /// Creates an endpoint from a request.
  public init(request: URLRequest, protocol subprotocol: WebSocketSubprotocol) {
    self.request = request
    self.subprotocol = subprotocol
  }

  /// Creates an endpoint from a URL.
  public init(url: URL, protocol subprotocol: WebSocketSubprotocol) {
    self.init(request: URLRequest(url: url), protocol: subprotocol)
  }
}

/// A source of WebSocket connections, as in Apollo iOS 2.x. `URLSession` is one, and a program can
/// have its own.
public protocol WebSocketURLSession: Sendable {
  /// The maker of the connections.
  var webSocketConnector: any WebSocketConnector { get }
}

extension URLSession: WebSocketURLSession {
  /// A connector with the configuration of the session. On Linux, where sessions have no
  /// WebSockets, the configuration has no effect.
  public var webSocketConnector: any WebSocketConnector {
    #if CURL
      DefaultWebSocketConnector()
    #else
      URLSessionWebSocketConnector(sessionConfiguration: configuration)
    #endif
  }
}

extension WebSocketTransport {
  /// Creates a transport, with the parameters of Apollo iOS 1.x.
  ///
  /// - Parameters:
  ///   - websocket: The endpoint and its protocol.
  ///   - config: The options of the transport, except its protocols.
  public convenience init(websocket: WebSocket, config: Configuration = Configuration()) {
    var configuration = config
    configuration.subprotocols = [websocket.subprotocol]
    self.init(request: websocket.request, configuration: configuration)
  }

  /// Creates a transport, with the parameters of Apollo iOS 0.x.
  ///
  /// - Parameters:
  ///   - request: The URL, of the scheme `ws`, `wss`, `http` or `https`, and the headers.
  ///   - clientName: The name of the program; by default that of the main bundle.
  ///   - clientVersion: The version of the program; by default that of the main bundle.
  ///   - sendOperationIdentifiers: `true` to send the identifier of an operation instead of its
  ///     text.
  ///   - reconnect: `false` to fail subscriptions when the connection is lost.
  ///   - reconnectionInterval: The longest wait in seconds before the first attempt to connect
  ///     again; see ``ReconnectionPolicy/initialDelay``. Above 30, it is the limit of the later
  ///     waits as well. A negative number is the same as `reconnect: false`.
  ///   - allowSendingDuplicates: Has no effect: no operation is sent twice on a connection.
  ///   - connectOnInit: `true` to connect now, instead of for the first operation.
  ///   - connectingPayload: The payload with which each session begins.
  ///   - requestCreator: The creator of the payloads with which operations are sent.
  public convenience init(
    request: URLRequest,
    clientName: String? = ClientAwareness.mainBundle.name,
    clientVersion: String? = ClientAwareness.mainBundle.version,
    sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true,
    reconnectionInterval: TimeInterval = 1,
    allowSendingDuplicates: Bool = true,
    connectOnInit: Bool = false,
    connectingPayload: [String: JSONValue]? = [:],
    requestCreator: any RequestCreator = ApolloRequestCreator()
  ) {
    var configuration = Configuration(
      clientName: clientName, clientVersion: clientVersion, reconnect: reconnect,
      reconnectionInterval: reconnectionInterval, connectOnInit: connectOnInit,
      connectingPayload: connectingPayload, requestBodyCreator: requestCreator)
    configuration.sendsOperationIdentifiers = sendOperationIdentifiers
    self.init(request: request, configuration: configuration)
  }
}
