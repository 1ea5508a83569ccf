/// The time and memory that one connection may take.
public struct WebSocketLimits: Hashable, Sendable {
  /// The longest time from the beginning of a connection to the end of the opening handshake,
  /// redirects included.
  public var handshakeTimeout: Duration = .seconds(30)

  /// The time after which a connection that is being closed is dropped, if the server has not
  /// completed the closing handshake.
  public var closeTimeout: Duration = .milliseconds(750)

  /// The largest message that is received, after decompression. A larger one ends the connection
  /// with ``WebSocketCloseCode/messageTooLarge``.
  public var maximumMessageByteCount = 16 << 20

  /// The number of received bytes from which a connection is not read any more, until
  /// ``WebSocketConnection/receive()`` has taken some. One message may exceed it.
  public var receiveBufferByteCount = 256 << 10

  /// The number of bytes that may wait to be sent before ``WebSocketConnection/waitForRoom()``
  /// suspends.
  public var sendBufferByteCount = 256 << 10

  /// The most bytes of the body that are kept of a response that refuses the handshake.
  public var maximumErrorBodyByteCount = 64 << 10

  /// The most redirects that are followed during the opening handshake.
  public var maximumRedirectCount = 5

  /// Limits that suit most programs.
  public init() {}
}
