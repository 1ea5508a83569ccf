public import Foundation

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

  /// Reports a `ping` message of the server, which has been responded to.
  ///
  /// Pings of the WebSocket protocol itself are responded to without a report.
  ///
  /// - Parameters:
  ///   - webSocketTransport: The transport.
  ///   - didReceivePingData: The JSON text of the payload, or `nil` if there is none.
  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePingData: Data?)

  /// Reports the server's response to a ping that the transport has sent after a silence.
  ///
  /// - Parameters:
  ///   - webSocketTransport: The transport.
  ///   - didReceivePongData: The JSON text of the payload, or `nil` if there is none.
  func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePongData: Data?)
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

  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePingData: Data?
  ) {}

  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePongData: Data?
  ) {}
}
