public import ApolloCache
public import ApolloWebSocket

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
}
