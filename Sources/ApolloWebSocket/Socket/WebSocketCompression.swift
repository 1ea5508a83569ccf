/// The compression of messages that a client offers to a server.
///
/// Spec: RFC 7692, "permessage-deflate". A server may decline each of them.
public enum WebSocketCompression: Hashable, Sendable {
  /// None.
  case none
  /// Each message by itself. A connection needs memory only while it works on a message.
  case eachMessage
  /// Messages that refer back to earlier ones, which makes small messages that are alike much
  /// smaller. A connection keeps about 100 KiB for it.
  case sharedContext
}
