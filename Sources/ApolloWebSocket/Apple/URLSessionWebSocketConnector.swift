#if !CURL
  public import ApolloTransport

  #if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
  #else
    public import Foundation
  #endif

  /// Opens WebSockets with `URLSession`. The default on Apple platforms.
  ///
  /// The system decides about proxies, certificates and the compression of messages.
  ///
  /// ```swift
  /// let connector = URLSessionWebSocketConnector(sessionConfiguration: .graphQL)
  /// ```
  public struct URLSessionWebSocketConnector: WebSocketConnector {
    /// The time and memory that each connection may take.
    public var limits: WebSocketLimits

    /// A copy, which is never changed.
    private let configuration: URLSessionConfiguration

    /// - Parameters:
    ///   - sessionConfiguration: The settings of the connections. Each connection has a session of
    ///     its own, because a session's delegate is fixed when it is made.
    ///   - limits: The time and memory that each connection may take.
    public init(
      sessionConfiguration: URLSessionConfiguration = .graphQL, limits: WebSocketLimits = .init()
    ) {
      configuration =
        sessionConfiguration.copy() as? URLSessionConfiguration ?? sessionConfiguration
      self.limits = limits
    }

    /// Connects to a server. See ``WebSocketConnector``.
    ///
    /// - Throws: `NetworkError`, ``WebSocketHandshakeError``, `GraphQLHTTPRequestError` if the URL
    ///   or a header is invalid, or `CancellationError`.
    public func connect(
      to request: URLRequest, subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      // Checks the URL, the headers and the subprotocols as on Linux.
      let handshake = try HandshakeRequest(
        request, subprotocols: subprotocols, compression: nil, userAgent: "", key: [])
      let core = SessionSocketCore(handshake, limits: limits)
      let session = URLSession(
        configuration: configuration, delegate: SessionSocketDelegate(core), delegateQueue: nil)
      // The session retains its delegate until it is invalidated, which the end of the task does.
      let task = session.webSocketTask(with: handshake.sessionRequest)
      task.maximumMessageSize = limits.maximumMessageByteCount
      session.finishTasksAndInvalidate()
      return try await CallDeadline(limits.handshakeTimeout).limit(url: handshake.shownURL) {
        SocketConnection(core, subprotocol: try await core.connect(task))
      }
    }
  }

  /// The connector that is used unless another one is given.
  public typealias DefaultWebSocketConnector = URLSessionWebSocketConnector
#endif
