import ApolloAPI
import Testing

@testable import ApolloWebSocket

struct ClientMessageTests {
  private static let table: [(ClientMessage<String>, current: String, legacy: String)] = [
    (
      .connectionInit(payload: nil), #"{"type":"connection_init"}"#,
      #"{"type":"connection_init","payload":{}}"#
    ),
    (
      .connectionInit(payload: ["token": "a\"b"]),
      #"{"type":"connection_init","payload":{"token":"a\"b"}}"#,
      #"{"type":"connection_init","payload":{"token":"a\"b"}}"#
    ),
    (
      .subscribe(id: "1", #"{"query":"{a}"}"#),
      #"{"id":"1","type":"subscribe","payload":{"query":"{a}"}}"#,
      #"{"id":"1","type":"start","payload":{"query":"{a}"}}"#
    ),
    (
      .complete(id: "\"\n"), #"{"id":"\"\n","type":"complete"}"#, #"{"id":"\"\n","type":"stop"}"#
    ),
  ]

  @Test func writesEachProtocol() {
    for (message, current, legacy) in Self.table {
      #expect(text(message, .graphqlTransportWS) == current)
      #expect(text(message, .graphqlWS) == legacy)
    }
  }

  @Test func writesThePingsOfTheCurrentProtocol() {
    #expect(text(.ping, .graphqlTransportWS) == #"{"type":"ping"}"#)
    #expect(text(.pong(payload: nil), .graphqlTransportWS) == #"{"type":"pong"}"#)
    #expect(
      text(.pong(payload: MessagePayload(#"{"a":1}"#)), .graphqlTransportWS)
        == #"{"type":"pong","payload":{"a":1}}"#)
  }

  @Test func writesTheEndOfTheLegacyProtocol() {
    #expect(text(.connectionTerminate, .graphqlWS) == #"{"type":"connection_terminate"}"#)
  }

  @Test func escapesIdentifiersOfAnyLength() throws {
    let id = String(repeating: "é\"\\\u{0}", count: 16_384)
    let bytes = ClientMessage<String>.complete(id: id).bytes(in: .graphqlWS) { Array($0.utf8) }
    #expect(try JSONValue(jsonBytes: bytes) == ["id": .string(id), "type": "stop"])
  }

  private func text(_ message: ClientMessage<String>, _ subprotocol: WebSocketSubprotocol) -> String
  {
    String(decoding: message.bytes(in: subprotocol) { Array($0.utf8) }, as: UTF8.self)
  }
}
