import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

@Suite struct WebSocketSessionTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: "type Query { a: Int } type Subscription { count: Int! }",
      options: FakeServerOptions(eventCount: 2))
    server.set(1, at: "a")
    server.set(2, at: "count")
  }

  /// Returns the actions in words.
  private func words(_ actions: [WebSocketSession.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let text): text
      case .start(let operation, let request): "start \(operation.id) \(request.query)"
      case .stop(let operation): "stop \(operation.id)"
      case .close(let code, _): "close \(code)"
      }
    }
  }

  private static let start = #"{"type":"connection_init"}"#
  private static let ack = #"{"type":"connection_ack"}"#
  private static func subscribe(_ id: String) -> String {
    #"{"id":"\#(id)","type":"subscribe","payload":{"query":"{ a }"}}"#
  }

  /// Messages, and what each leads to.
  @Test(
    arguments: [
      [(start, [ack]), (start, ["close 4429"])],
      [(#"{"type":"ping"}"#, [#"{"type":"pong"}"#]), (start, [ack])],
      [(#"{"type":"ping","payload":{"a":1}}"#, [#"{"type":"pong","payload":{"a":1}}"#])],
      [(#"{"type":"pong"}"#, [])],
      [(subscribe("1"), ["close 4401"])],
      // What the client had sent already has no effect.
      [(subscribe("1"), ["close 4401"]), (start, []), (subscribe("1"), []), ("{}", [])],
      [
        (start, [ack]), (subscribe("1"), ["start 1 { a }"]), (subscribe("2"), ["start 2 { a }"]),
        (subscribe("1"), ["close 4409"]),
      ],
      [
        (start, [ack]), (subscribe("1"), ["start 1 { a }"]),
        (#"{"id":"1","type":"complete"}"#, ["stop 1"]), (#"{"id":"1","type":"complete"}"#, []),
        (subscribe("1"), ["start 1 { a }"]),
      ],
      [(start, [ack]), (#"{"type":"subscribe","payload":{"query":"{ a }"}}"#, ["close 4400"])],
      [(start, [ack]), (#"{"id":"1","type":"subscribe","payload":{}}"#, ["close 4400"])],
      [("nothing", ["close 4400"])], [("{}", ["close 4400"])], [(#"{"type":"x"}"#, ["close 4400"])],
      [(start, [ack]), (#"{"type":"complete"}"#, ["close 4400"])],
    ] as [[(String, [String])]])
  func messagesLeadToActions(script: [(String, [String])]) {
    var session = WebSocketSession()
    for (message, expected) in script { #expect(words(session.received(message)) == expected) }
  }

  /// Returns the operation that a message starts.
  private func startedOperation(
    by message: String, in session: inout WebSocketSession
  ) throws -> WebSocketSession.Operation {
    var started: WebSocketSession.Operation?
    for case .start(let operation, _) in session.received(message) { started = operation }
    return try #require(started)
  }

  /// The messages with the response to an operation.
  private func messages(_ query: String) throws -> [String] {
    var session = WebSocketSession()
    _ = session.received(Self.start)
    let operation = try startedOperation(
      by: #"{"id":"1","type":"subscribe","payload":{"query":"\#(query)"}}"#, in: &session)
    let parts = server.respond(to: FakeServerRequest(query)).parts
    return parts.compactMap { session.next($0, of: operation) }
      + [session.complete(operation)].compactMap { $0 }
  }

  @Test func aResponseEndsAndAnErrorIsAMessageOfItsOwn() throws {
    #expect(
      try messages("{ a }") == [
        #"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#, #"{"id":"1","type":"complete"}"#,
      ])
    #expect(try messages("subscription { count }").count == 3)
    server.fail("No.", at: "a")
    #expect(try messages("{ a }").count == 2)
    let refused = try messages("{ b }")
    #expect(refused.count == 1)
    #expect(refused.first?.hasPrefix(#"{"id":"1","type":"error","payload":[{"#) == true)
  }

  @Test func anOperationThatTheClientHasEndedSendsNothing() throws {
    var session = WebSocketSession()
    _ = session.received(Self.start)
    let ended = try startedOperation(by: Self.subscribe("1"), in: &session)
    _ = session.received(#"{"id":"1","type":"complete"}"#)
    let part = try #require(server.respond(to: FakeServerRequest("{ a }")).part(at: 0))
    #expect(session.next(part, of: ended) == nil)
    #expect(session.complete(ended) == nil)
  }

  /// A client can use the ID of an operation again as soon as it has the error of the operation.
  @Test func anEndedOperationDoesNotEndAnotherOneWithItsID() throws {
    var session = WebSocketSession()
    _ = session.received(Self.start)
    let refused = try startedOperation(by: Self.subscribe("1"), in: &session)
    let error = try #require(server.respond(to: FakeServerRequest("{ b }")).part(at: 0))
    #expect(session.next(error, of: refused) != nil)
    let second = try startedOperation(by: Self.subscribe("1"), in: &session)
    #expect(session.complete(refused) == nil)
    let part = try #require(server.respond(to: FakeServerRequest("{ a }")).part(at: 0))
    #expect(session.next(part, of: refused) == nil)
    #expect(session.next(part, of: second) != nil)
    #expect(session.complete(second) != nil)
  }
}
