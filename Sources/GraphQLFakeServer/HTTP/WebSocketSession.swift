import enum ApolloAPI.JSONValue
import struct ApolloAPI.JSONWriter
import struct ApolloAPI.ResponseLimits

/// The server's side of a connection of the protocol `graphql-transport-ws`, without the
/// connection.
///
/// | state | messages | next |
/// | :-- | :-- | :-- |
/// | new | `connection_init` | acknowledged |
/// | acknowledged | `subscribe`, `complete` | acknowledged |
/// | either | `ping`, `pong` | the same |
/// | closed | nothing | |
///
/// Every other message ends the connection, with the code that the protocol says. Messages that the
/// client had sent before it noticed the end have no effect.
package struct WebSocketSession {
  /// The name of the protocol in the handshake.
  package static let subprotocol = "graphql-transport-ws"

  /// An operation of the client, which can give the same ID to another one after its end.
  package struct Operation: Hashable, Sendable {
    package let id: String
    /// The number of the operation on this connection, which no other one has.
    fileprivate let number: Int
  }

  /// A step that a message leads to.
  package enum Action: Sendable {
    case send(String)
    /// Executes an operation, whose messages have its ID.
    case start(Operation, FakeServerRequest)
    /// Ends an operation without a word.
    case stop(Operation)
    case close(code: UInt16, reason: String)
  }

  /// `true` after the first message of the client.
  package private(set) var isAcknowledged = false
  /// `true` after a message that ends the connection.
  private var isClosed = false
  /// The operations that have not ended, by their IDs.
  private var operations: [String: Operation] = [:]
  /// The number of operations so far.
  private var operationCount = 0

  package init() {}

  /// The limits of variables, whose values are coerced recursively.
  private static let limits = ResponseLimits(depth: 100)

  /// Takes a message of the client.
  package mutating func received(_ text: String) -> [Action] {
    guard !isClosed else { return [] }
    let actions = take(text)
    isClosed = actions.contains { if case .close = $0 { true } else { false } }
    return actions
  }

  private mutating func take(_ text: String) -> [Action] {
    guard let message = try? JSONValue(jsonBytes: Array(text.utf8), limits: Self.limits),
      let type = message["type"]?.stringValue
    else { return [.close(code: 4400, reason: "The message is no JSON object with a 'type'.")] }
    switch type {
    case "connection_init":
      guard !isAcknowledged else {
        return [.close(code: 4429, reason: "Too many initialisation requests")]
      }
      isAcknowledged = true
      return [.send(#"{"type":"connection_ack"}"#)]
    case "ping": return [.send(Self.message("pong", payload: message["payload"]))]
    case "pong": return []
    case "subscribe": return subscribe(message)
    case "complete":
      guard let id = message["id"]?.stringValue else { return [Self.missingID] }
      guard let operation = operations.removeValue(forKey: id) else { return [] }
      return [.stop(operation)]
    default:
      return [.close(code: 4400, reason: "The type '\(type.prefix(40))' is unknown.")]
    }
  }

  private mutating func subscribe(_ message: JSONValue) -> [Action] {
    guard isAcknowledged else { return [.close(code: 4401, reason: "Unauthorized")] }
    guard let id = message["id"]?.stringValue, !id.isEmpty else { return [Self.missingID] }
    guard let request = message["payload"].flatMap({ FakeServerRequest($0) }) else {
      return [.close(code: 4400, reason: "The payload has no text in 'query'.")]
    }
    guard operations[id] == nil else {
      return [.close(code: 4409, reason: "Subscriber for \(id.prefix(60)) already exists")]
    }
    operationCount += 1
    let operation = Operation(id: id, number: operationCount)
    operations[id] = operation
    return [.start(operation, request)]
  }

  private static var missingID: Action {
    .close(code: 4400, reason: "The message has no text in 'id'.")
  }

  // MARK: Responses

  /// Returns the message with a part of an operation's response, or `nil` if the operation has
  /// ended. A response without data ends it: the operation was not executed.
  package mutating func next(
    _ part: FakeServerResponse.Part, of operation: Operation
  ) -> String? {
    let id = operation.id
    guard operations[id] == operation else { return nil }
    if let response = try? JSONValue(jsonBytes: part.body), let errors = response["errors"],
      response["data"] == nil, response["incremental"] == nil
    {
      operations[id] = nil
      return Self.message("error", id, payload: errors)
    }
    return Self.message("next", id, text: part.body)
  }

  /// Returns the message after the last part of a response, or `nil` if the operation has ended.
  package mutating func complete(_ operation: Operation) -> String? {
    guard operations[operation.id] == operation else { return nil }
    operations[operation.id] = nil
    return Self.message("complete", operation.id)
  }

  private static func message(
    _ type: String, _ id: String? = nil, payload: JSONValue? = nil, text: [UInt8]? = nil
  ) -> String {
    var writer = JSONWriter()
    writer.raw("{")
    if let id {
      writer.raw(#""id":"#)
      writer.write(id)
      writer.raw(",")
    }
    writer.raw(#""type":"#)
    writer.write(type)
    if let payload {
      writer.raw(#","payload":"#)
      writer.write(payload)
    }
    var bytes = writer.bytes
    if let text { bytes += Array(#","payload":"#.utf8) + text }
    return String(decoding: bytes, as: UTF8.self) + "}"
  }
}
