import ApolloAPI

/// A message to the server, in either protocol.
enum ClientMessage<Request> {
  /// Opens the session. The first message on every connection.
  case connectionInit(payload: [String: JSONValue]?)
  /// Starts an operation: `subscribe`, or `start` in the legacy protocol.
  case subscribe(id: String, Request)
  /// Ends an operation: `complete`, or `stop` in the legacy protocol.
  case complete(id: String)
  /// Asks for a `pong`. Not part of the legacy protocol.
  case ping
  /// Responds to a `ping` with its payload. Not part of the legacy protocol.
  case pong(payload: MessagePayload?)
  /// Announces the end of the connection. Part of the legacy protocol only.
  case connectionTerminate
}

extension ClientMessage: Equatable where Request: Equatable {}
extension ClientMessage: Sendable where Request: Sendable {}

extension ClientMessage {
  /// Returns the message as JSON text. `encode` returns the JSON text of a request.
  func bytes(
    in subprotocol: WebSocketSubprotocol, encode: (Request) throws -> [UInt8]
  ) rethrows -> [UInt8] {
    let isLegacy = subprotocol == .graphqlWS
    var writer = JSONWriter(reservingCapacity: 64)
    switch self {
    case .connectionInit(let payload):
      writer.raw(#"{"type":"connection_init""#)
      // Servers of the legacy protocol expect an object.
      if let payload = payload ?? (isLegacy ? [:] : nil) {
        writer.raw(#","payload":"#)
        writer.write(.object(payload))
      }
    case .subscribe(let id, let request):
      writer.raw(#"{"id":"#)
      writer.write(id)
      writer.raw(isLegacy ? #","type":"start","payload":"# : #","type":"subscribe","payload":"#)
      return writer.bytes + (try encode(request)) + [UInt8(ascii: "}")]
    case .complete(let id):
      writer.raw(#"{"id":"#)
      writer.write(id)
      writer.raw(isLegacy ? #","type":"stop""# : #","type":"complete""#)
    case .ping:
      writer.raw(#"{"type":"ping""#)
    case .pong(let payload):
      writer.raw(#"{"type":"pong""#)
      guard let payload else { break }
      writer.raw(#","payload":"#)
      return writer.bytes + payload.bytes + [UInt8(ascii: "}")]
    case .connectionTerminate:
      writer.raw(#"{"type":"connection_terminate""#)
    }
    writer.raw("}")
    return writer.bytes
  }
}
