#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Opens connections of the WebSocket protocol.
///
/// ``CurlWebSocketConnector`` is the default on Linux and `URLSessionWebSocketConnector` on Apple
/// platforms. Tests can use a connector of their own.
public protocol WebSocketConnector: Sendable {
  /// Connects to a server and returns when the opening handshake is complete.
  ///
  /// Redirects are followed to the same origin only. Cancelling the task closes the connection that
  /// is being made.
  ///
  /// - Parameters:
  ///   - request: A URL of the scheme `ws`, `wss`, `http` or `https`, and the headers to send. The
  ///     handshake's own headers are added. The method and the body are ignored.
  ///   - subprotocols: The subprotocols that the server may choose from, the preferred one first.
  /// - Returns: A connection whose subprotocol is one of `subprotocols`, or `nil`.
  /// - Throws: `NetworkError` if there is no connection or it is lost, ``WebSocketHandshakeError``
  ///   if the server's response does not open a WebSocket, `GraphQLHTTPRequestError` if the URL or
  ///   a header is invalid, or `CancellationError`.
  func connect(
    to request: URLRequest, subprotocols: [String]
  ) async throws -> any WebSocketConnection
}
