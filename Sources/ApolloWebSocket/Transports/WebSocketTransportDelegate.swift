/// An observer of a transport's connection.
///
/// The methods have default implementations that do nothing. They are called on the queue of the
/// transport's configuration.
public protocol WebSocketTransportDelegate: AnyObject, Sendable {
  /// Reports the first session that the server has acknowledged.
  func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport)

  /// Reports a further session that the server has acknowledged.
  func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport)

  /// Reports a connection that was lost, or an attempt to connect that failed.
  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?)
}

extension WebSocketTransportDelegate {
  /// Does nothing.
  public func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) {}

  /// Does nothing.
  public func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport) {}

  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?
  ) {}
}
