import ApolloAPI
import Testing

@testable import ApolloWebSocket

struct ServerMessageTests {
  typealias Row = (text: String, expected: Result<ServerMessage, MessageViolation>)

  // MARK: graphql-transport-ws

  private static let current: [Row] = [
    (#"{"type":"connection_ack"}"#, .success(.connectionAck(payload: nil))),
    (#"{"type":"connection_ack","payload":null}"#, .success(.connectionAck(payload: nil))),
    (
      #"{"type":"connection_ack","payload":{"a":1}}"#,
      .success(.connectionAck(payload: MessagePayload(#"{"a":1}"#)))
    ),
    (#"{"type":"ping"}"#, .success(.ping(payload: nil))),
    (#"{"type":"ping","payload":{}}"#, .success(.ping(payload: MessagePayload("{}")))),
    (#"{"type":"pong"}"#, .success(.pong(payload: nil))),
    (
      #"{"payload":{"x":[]},"type":"pong"}"#,
      .success(.pong(payload: MessagePayload(#"{"x":[]}"#)))
    ),
    (
      #"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#,
      .success(.next(id: "1", MessagePayload(#"{"data":{"a":1}}"#)))
    ),
    // Members in any order, with white space and unknown members.
    (
      #" { "payload" : { "data" : null } , "new":[{}], "type":"next","id":"a" } "#,
      .success(.next(id: "a", MessagePayload(#"{ "data" : null }"#)))
    ),
    (#"{"id":7,"type":"complete"}"#, .success(.complete(id: "7"))),
    (#"{"id":"\"\n","type":"complete","payload":5}"#, .success(.complete(id: "\"\n"))),
    (
      #"{"id":"1","type":"error","payload":[{"message":"no"}]}"#,
      .success(.error(id: "1", MessagePayload(#"[{"message":"no"}]"#)))
    ),
    (
      #"{"id":"1","type":"error","payload":{"message":"no"}}"#,
      .success(.error(id: "1", MessagePayload(#"{"message":"no"}"#)))
    ),
    (#"{}"#, .failure(.missingType)),
    (#"{"type":1}"#, .failure(.missingType)),
    (#"{"type":"bogus"}"#, .failure(.unknownType("bogus"))),
    (#"{"type":"ka"}"#, .failure(.unknownType("ka"))),
    (#"{"id":"1","type":"data","payload":{}}"#, .failure(.unknownType("data"))),
    (#"{"type":"connection_error"}"#, .failure(.unknownType("connection_error"))),
    (#"{"type":"next","payload":{}}"#, .failure(.missingID(type: "next"))),
    (#"{"id":"","type":"next","payload":{}}"#, .failure(.missingID(type: "next"))),
    (#"{"id":null,"type":"complete"}"#, .failure(.missingID(type: "complete"))),
    (#"{"id":1.5,"type":"complete"}"#, .failure(.missingID(type: "complete"))),
    (#"{"id":{},"type":"complete"}"#, .failure(.missingID(type: "complete"))),
    (#"{"id":"1","type":"next"}"#, .failure(.invalidPayload(type: "next"))),
    (#"{"id":"1","type":"next","payload":null}"#, .failure(.invalidPayload(type: "next"))),
    (#"{"id":"1","type":"next","payload":[]}"#, .failure(.invalidPayload(type: "next"))),
    (#"{"id":"1","type":"next","payload":"x"}"#, .failure(.invalidPayload(type: "next"))),
    (#"{"id":"1","type":"error"}"#, .failure(.invalidPayload(type: "error"))),
    (
      #"{"id":"1","type":"error","payload":"x"}"#,
      .success(.error(id: "1", MessagePayload(#""x""#)))
    ),
    (#"{"id":"1","type":"error","payload":1}"#, .failure(.invalidPayload(type: "error"))),
    (#"{"type":"ping","payload":1}"#, .failure(.invalidPayload(type: "ping"))),
    (#"{"type":"pong","payload":[]}"#, .failure(.invalidPayload(type: "pong"))),
    (
      #"{"type":"connection_ack","payload":"x"}"#,
      .failure(.invalidPayload(type: "connection_ack"))
    ),
  ]

  @Test func readsTheCurrentProtocol() {
    for (text, expected) in Self.current { expect(text, .graphqlTransportWS, expected) }
  }

  // MARK: graphql-ws

  private static let legacy: [Row] = [
    (#"{"type":"connection_ack"}"#, .success(.connectionAck(payload: nil))),
    (#"{"type":"connection_ack","payload":true}"#, .success(.connectionAck(payload: nil))),
    (#"{"type":"ka"}"#, .success(.keepAlive)),
    (#"{"type":"ka","payload":null,"id":null}"#, .success(.keepAlive)),
    (
      #"{"type":"connection_error","payload":{"message":"no"}}"#,
      .success(.connectionError(payload: MessagePayload(#"{"message":"no"}"#)))
    ),
    (#"{"type":"connection_error"}"#, .success(.connectionError(payload: nil))),
    (
      #"{"type":"connection_error","payload":"no"}"#,
      .success(.connectionError(payload: MessagePayload(#""no""#)))
    ),
    (
      #"{"id":"1","type":"data","payload":{"data":{}}}"#,
      .success(.next(id: "1", MessagePayload(#"{"data":{}}"#)))
    ),
    (
      #"{"id":"1","type":"error","payload":{"message":"no"}}"#,
      .success(.error(id: "1", MessagePayload(#"{"message":"no"}"#)))
    ),
    (
      #"{"id":"1","type":"error","payload":[{"message":"no"}]}"#,
      .success(.error(id: "1", MessagePayload(#"[{"message":"no"}]"#)))
    ),
    (
      #"{"type":"error","payload":{"errors":[]}}"#,
      .success(.connectionError(payload: MessagePayload(#"{"errors":[]}"#)))
    ),
    (#"{"id":"1","type":"complete","payload":null}"#, .success(.complete(id: "1"))),
    (#"{"id":"1","type":"start_ack"}"#, .success(.ignored)),
    (#"{"type":"keepalive"}"#, .success(.ignored)),
    (#"{"id":"1","type":"subscription_data","payload":{}}"#, .success(.ignored)),
    (#"{"type":"ping"}"#, .failure(.unknownType("ping"))),
    (#"{"id":"1","type":"next","payload":{}}"#, .failure(.unknownType("next"))),
    (#"{"type":"data","payload":{}}"#, .failure(.missingID(type: "data"))),
  ]

  @Test func readsTheLegacyProtocol() {
    for (text, expected) in Self.legacy { expect(text, .graphqlWS, expected) }
  }

  // MARK: Both

  @Test(arguments: WebSocketSubprotocol.allCases)
  func rejectsEverythingThatIsNotAJSONObject(_ subprotocol: WebSocketSubprotocol) {
    for text in ["", "not json", "[]", "5", "null", "{", #"{"type":"connection_ack"}}"#] {
      #expect(throws: MessageViolation.self, "\(text)") {
        try ServerMessage(Array(text.utf8), in: subprotocol)
      }
    }
  }

  @Test func rejectsEveryTruncationOfAResult() {
    let bytes = Array(#"{"id":"1","type":"next","payload":{"data":{"a":"}"}}}"#.utf8)
    for count in bytes.indices {
      #expect(throws: MessageViolation.self) {
        try ServerMessage(Array(bytes[..<count]), in: .graphqlTransportWS)
      }
    }
  }

  @Test func sharesTheBytesOfAPayload() throws {
    let bytes = Array(#"{"id":"1","type":"next","payload":{"data":null}}"#.utf8)
    guard case .next(_, let payload) = try ServerMessage(bytes, in: .graphqlTransportWS) else {
      Issue.record("not a result")
      return
    }
    let isShared = payload.bytes.withUnsafeBytes { slice in
      bytes.withUnsafeBytes { $0.baseAddress! + 35 - 1 <= slice.baseAddress! }
    }
    #expect(isShared)
    #expect(payload.bytes.startIndex == 34)
  }

  @Test func wordsEveryViolationWithinACloseFrame() {
    let violations: [MessageViolation] = [
      .binary, .notAnObject(reason: "x"), .missingType,
      .unknownType(String(repeating: "é", count: 500)), .missingID(type: "complete"),
      .invalidPayload(type: "connection_ack"),
    ]
    for violation in violations {
      let (_, reason) = ConnectionFailure.invalidMessage(violation).closing(in: .graphqlWS)
      #expect(reason.utf8.count <= 123, "\(reason)")
    }
  }

  // MARK: Errors

  private static let errors: [(payload: String, messages: [String])] = [
    (#"[{"message":"a"},{"message":"b"}]"#, ["a", "b"]),
    (#"{"message":"a"}"#, ["a"]),
    (#"{"errors":[{"message":"a"}]}"#, ["a"]),
    (#"[]"#, []),
    (#"{"errors":[]}"#, []),
    (#"{"message":"a","errors":[]}"#, ["a"]),
    (#"{"message":"a","errors":null}"#, ["a"]),
    (#"{"errors":{"message":"a"}}"#, ["a"]),
    (#"{"code":7}"#, [#"{"code":7}"#]),
    (#"[{"message":null,"code":7},{"message":8}]"#, [#"{"code":7,"message":null}"#, "8"]),
    (#"["a",{"message":"b"}]"#, ["a", "b"]),
    (#""a""#, ["a"]),
  ]

  @Test func readsTheErrorsOfEveryForm() {
    for (payload, messages) in Self.errors {
      #expect(MessagePayload(payload).errors.map(\.message) == messages)
    }
  }

  private func expect(
    _ text: String, _ subprotocol: WebSocketSubprotocol,
    _ expected: Result<ServerMessage, MessageViolation>
  ) {
    let result = Result { () throws(MessageViolation) in
      try ServerMessage(Array(text.utf8), in: subprotocol)
    }
    #expect(result == expected, "\(text)")
  }
}
