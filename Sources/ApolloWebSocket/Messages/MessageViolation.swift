import ApolloTransport

/// A received message that the protocol does not allow.
enum MessageViolation: Error, Hashable, Sendable {
  /// The message is binary. Both protocols are text.
  case binary
  /// The text is not a JSON object. `reason` names the difference.
  case notAnObject(reason: String)
  /// The member `type` is missing, or it is not a string.
  case missingType
  /// The protocol has no such type.
  case unknownType(String)
  /// The message is about an operation, but its `id` is missing, empty, or neither a string nor an
  /// integer.
  case missingID(type: String)
  /// The payload is missing, or of another kind than the type requires.
  case invalidPayload(type: String)
}

extension MessageViolation: CustomStringConvertible {
  /// A clause that fits into a close frame.
  var description: String {
    switch self {
    case .binary: "a binary message"
    case .notAnObject: "a message that is not a JSON object"
    case .missingType: "a message without a 'type'"
    case .unknownType(let type): "a message of the unknown type '\(type.shortened(to: 30))'"
    case .missingID(let type): "a message '\(type)' without an 'id'"
    case .invalidPayload(let type): "a message '\(type)' with an invalid 'payload'"
    }
  }

  /// The code with which the connection is closed.
  func closeCode(in subprotocol: WebSocketSubprotocol) -> WebSocketCloseCode {
    switch subprotocol {
    case .graphqlTransportWS: 4400
    case .graphqlWS: self == .binary ? .unsupportedData : .protocolError
    }
  }
}
