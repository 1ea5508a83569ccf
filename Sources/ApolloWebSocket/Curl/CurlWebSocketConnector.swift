#if CURL
  public import ApolloTransport
  internal import Foundation
  public import FoundationNetworking

  /// Opens WebSockets with the system's libcurl. The default on Linux.
  ///
  /// Connections share the proxies and the security of `CurlClient`, and the
  /// thread on which it works.
  ///
  /// ```swift
  /// var configuration = CurlClient.Configuration()
  /// configuration.tls.authorities = .pem(try Data(contentsOf: authorityFile))
  /// let connector = CurlWebSocketConnector(configuration: configuration)
  /// ```
  public struct CurlWebSocketConnector: WebSocketConnector {
    /// The proxy, the security, the time to connect and the `User-Agent`. Its settings for HTTP/2
    /// and for pools of connections have no effect.
    public var configuration: CurlClient.Configuration

    /// The time and memory that each connection may take.
    public var limits: WebSocketLimits

    /// The compression of messages that is offered to servers.
    public var compression: WebSocketCompression

    /// - Parameters:
    ///   - configuration: The settings of the connections.
    ///   - limits: The time and memory that each connection may take.
    ///   - compression: The compression of messages that is offered to servers.
    public init(
      configuration: CurlClient.Configuration = .init(), limits: WebSocketLimits = .init(),
      compression: WebSocketCompression = .sharedContext
    ) {
      self.configuration = configuration
      self.limits = limits
      self.compression = compression
    }

    /// Connects to a server. See ``WebSocketConnector``.
    ///
    /// - Throws: `NetworkError`, ``WebSocketHandshakeError``, `GraphQLHTTPRequestError` if the URL
    ///   or a header is invalid, or `CancellationError`.
    public func connect(
      to request: URLRequest, subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      let handshake = try handshake(request, subprotocols)
      return try await CallDeadline(limits.handshakeTimeout).limit(url: handshake.shownURL) {
        try await connect(handshake, request, hopsLeft: limits.maximumRedirectCount)
      }
    }

    private func connect(
      _ handshake: HandshakeRequest, _ request: URLRequest, hopsLeft: Int
    ) async throws -> any WebSocketConnection {
      var (handshake, request, hopsLeft) = (handshake, request, hopsLeft)
      while true {
        let core = SocketCore(handshake, limits: limits, hopsLeft: hopsLeft)
        let channel = try CurlChannel(
          url: handshake.url, configuration: configuration, owner: core)
        switch try await core.connect(channel) {
        case .open(let subprotocol): return SocketConnection(core, subprotocol: subprotocol)
        case .redirect(let url):
          request.url = url
          hopsLeft -= 1
          handshake = try self.handshake(request, handshake.subprotocols)
        }
      }
    }

    private func handshake(
      _ request: URLRequest, _ subprotocols: [String]
    ) throws -> HandshakeRequest {
      try HandshakeRequest(
        request, subprotocols: subprotocols, compression: compression.offer,
        userAgent: configuration.userAgent,
        key: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
  }

  /// The connector that is used unless another one is given.
  public typealias DefaultWebSocketConnector = CurlWebSocketConnector
#endif
