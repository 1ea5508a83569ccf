import ApolloAPI

/// A message from the server, in either protocol.
enum ServerMessage: Hashable, Sendable {
  /// The server accepts the session.
  case connectionAck(payload: MessagePayload?)
  /// The server rejects the session, or reports a message that it cannot read. Legacy protocol.
  case connectionError(payload: MessagePayload?)
  /// The server asks for a `pong`.
  case ping(payload: MessagePayload?)
  /// The response to a `ping`.
  case pong(payload: MessagePayload?)
  /// A sign of life, `ka`. Legacy protocol.
  case keepAlive
  /// A result of an operation: `next`, or `data` in the legacy protocol.
  case next(id: String, MessagePayload)
  /// The end of an operation that the server rejects.
  case error(id: String, MessagePayload)
  /// The end of an operation.
  case complete(id: String)
  /// A message that requires no action, such as an obsolete one of the legacy protocol.
  case ignored
}

extension ServerMessage {
  /// Reads a text message.
  ///
  /// Unknown members are ignored. An integer is accepted as an `id`, because some servers send
  /// those.
  ///
  /// - Parameters:
  ///   - text: UTF-8 text.
  ///   - subprotocol: The protocol of the connection.
  /// - Throws: ``MessageViolation`` if the protocol does not allow the message.
  /// - Complexity: O(*n*) in the bytes. The payload is checked, but not decoded.
  init(_ text: [UInt8], in subprotocol: WebSocketSubprotocol) throws(MessageViolation) {
    let envelope = try Envelope(text)
    switch subprotocol {
    case .graphqlTransportWS: self = try Self.current(envelope)
    case .graphqlWS: self = try Self.legacy(envelope)
    }
  }

  /// Reads a message of `graphql-transport-ws`.
  private static func current(_ envelope: Envelope) throws(MessageViolation) -> ServerMessage {
    switch envelope.type {
    case "next": return .next(id: try envelope.requiredID(), try envelope.requiredObject())
    case "error": return .error(id: try envelope.requiredID(), try envelope.requiredErrors())
    case "complete": return .complete(id: try envelope.requiredID())
    case "ping": return .ping(payload: try envelope.optionalObject())
    case "pong": return .pong(payload: try envelope.optionalObject())
    case "connection_ack": return .connectionAck(payload: try envelope.optionalObject())
    default: throw .unknownType(envelope.type)
    }
  }

  /// Reads a message of the legacy protocol `graphql-ws`.
  private static func legacy(_ envelope: Envelope) throws(MessageViolation) -> ServerMessage {
    switch envelope.type {
    case "data": return .next(id: try envelope.requiredID(), try envelope.requiredObject())
    case "error":
      // Without an id it is about the connection.
      guard envelope.id != nil else {
        return .connectionError(payload: try envelope.requiredErrors())
      }
      return .error(id: try envelope.requiredID(), try envelope.requiredErrors())
    case "complete": return .complete(id: try envelope.requiredID())
    case "ka": return .keepAlive
    case "connection_ack": return .connectionAck(payload: envelope.anyPayload)
    case "connection_error": return .connectionError(payload: envelope.anyPayload)
    case "start_ack", "init_success", "init_fail", "keepalive", "subscription_success",
      "subscription_fail", "subscription_data", "subscription_end":
      return .ignored
    default: throw .unknownType(envelope.type)
    }
  }
}

// MARK: - Envelope

/// The members of a message, before its type is considered.
private struct Envelope {
  enum Payload {
    case none, invalid
    /// The JSON text of a string.
    case text(MessagePayload)
    case object(MessagePayload)
    case list(MessagePayload)
  }

  private(set) var type = ""
  private(set) var id: String?
  private var payload = Payload.none

  init(_ text: [UInt8]) throws(MessageViolation) {
    var hasType = false
    do {
      try JSONMember.forEach(in: text) { member in
        switch (member.key, member.value) {
        case ("type", .leaf(.string(let type))): (self.type, hasType) = (type, true)
        case ("type", _): hasType = false
        case ("id", .leaf(.string(let id))): self.id = id
        case ("id", .leaf(.int(let id))): self.id = String(id)
        case ("id", .leaf(.null)): self.id = nil
        case ("id", _): self.id = ""
        case ("payload", .object(let range)): payload = .object(MessagePayload(text[range]))
        case ("payload", .list(let range)): payload = .list(MessagePayload(text[range]))
        case ("payload", .leaf(.null)): payload = .none
        case ("payload", .leaf(.string(let text))):
          payload = .text(MessagePayload(JSONValue.string(text).description))
        case ("payload", .leaf): payload = .invalid
        default: break
        }
      }
    } catch {
      throw .notAnObject(reason: error.description)
    }
    guard hasType else { throw .missingType }
  }

  func requiredID() throws(MessageViolation) -> String {
    guard let id, !id.isEmpty else { throw .missingID(type: type) }
    return id
  }

  func requiredObject() throws(MessageViolation) -> MessagePayload {
    guard case .object(let payload) = payload else { throw .invalidPayload(type: type) }
    return payload
  }

  /// Returns a list of errors, or one error, which may be a text.
  func requiredErrors() throws(MessageViolation) -> MessagePayload {
    switch payload {
    case .object(let payload), .list(let payload), .text(let payload): return payload
    case .none, .invalid: throw .invalidPayload(type: type)
    }
  }

  func optionalObject() throws(MessageViolation) -> MessagePayload? {
    switch payload {
    case .none: return nil
    case .object(let payload): return payload
    case .list, .text, .invalid: throw .invalidPayload(type: type)
    }
  }

  /// The payload if it is an object, a list or a text. Legacy servers are lax about it.
  var anyPayload: MessagePayload? {
    switch payload {
    case .object(let payload), .list(let payload), .text(let payload): payload
    case .none, .invalid: nil
    }
  }
}
