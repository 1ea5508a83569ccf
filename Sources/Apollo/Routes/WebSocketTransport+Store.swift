#if WebSocket
  public import ApolloCache
  public import ApolloWebSocket
  public import Foundation

  extension WebSocketTransport {
    /// Creates a transport, with the parameters of Apollo iOS 1.x.
    ///
    /// - Parameters:
    ///   - websocket: The endpoint and its protocol.
    ///   - store: Has no effect: results are written to the store of the client that uses the
    ///     transport.
    ///   - config: The options of the transport, except its protocols.
    public convenience init(
      websocket: WebSocket, store: ApolloStore?, config: Configuration = Configuration()
    ) {
      self.init(websocket: websocket, config: config)
    }

    /// Creates a transport, with the parameters of Apollo iOS 2.x.
    ///
    /// - Parameters:
    ///   - urlSession: The source of connections, such as `URLSession.shared`.
    ///   - store: Has no effect: results are written to the store of the client that uses the
    ///     transport.
    ///   - endpointURL: A URL of the scheme `ws`, `wss`, `http` or `https`.
    ///   - configuration: The options of the transport.
    public convenience init(
      urlSession: any WebSocketURLSession, store: ApolloStore, endpointURL: URL,
      configuration: Configuration = Configuration()
    ) {
      self.init(
        endpointURL: endpointURL, connector: urlSession.webSocketConnector,
        configuration: configuration)
    }
  }
#endif
