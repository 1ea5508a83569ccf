/// A message of the WebSocket protocol.
public struct WebSocketMessage: Hashable, Sendable {
  /// The two kinds of messages.
  public enum Kind: Hashable, Sendable {
    /// Text in UTF-8, which was checked if it was received.
    case text
    /// Any bytes.
    case binary
  }

  /// The kind of the message.
  public var kind: Kind

  /// The content.
  public var bytes: [UInt8]

  /// A message with a given content. The bytes of a text are UTF-8.
  public init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// A text message.
  public static func text(_ text: String) -> WebSocketMessage {
    WebSocketMessage(.text, Array(text.utf8))
  }

  /// A binary message.
  public static func binary(_ bytes: some Sequence<UInt8>) -> WebSocketMessage {
    WebSocketMessage(.binary, Array(bytes))
  }

  /// The text, or `nil` for a binary message.
  public var text: String? {
    kind == .text ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
