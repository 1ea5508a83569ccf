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
      case .start(let id, let request): "start \(id) \(request.query)"
      case .stop(let id): "stop \(id)"
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

  /// The messages with the response to an operation.
  private func messages(_ query: String) -> [String] {
    var session = WebSocketSession()
    _ = session.received(Self.start)
    _ = session.received(
      #"{"id":"1","type":"subscribe","payload":{"query":"\#(query)"}}"#)
    let parts = server.respond(to: FakeServerRequest(query)).parts
    return parts.compactMap { session.next($0, of: "1") }
      + [session.complete("1")].compactMap { $0 }
  }

  @Test func aResponseEndsAndAnErrorIsAMessageOfItsOwn() {
    #expect(
      messages("{ a }") == [
        #"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#, #"{"id":"1","type":"complete"}"#,
      ])
    #expect(messages("subscription { count }").count == 3)
    server.fail("No.", at: "a")
    #expect(messages("{ a }").count == 2)
    let refused = messages("{ b }")
    #expect(refused.count == 1)
    #expect(refused.first?.hasPrefix(#"{"id":"1","type":"error","payload":[{"#) == true)
  }

  @Test func anOperationThatTheClientHasEndedSendsNothing() {
    var session = WebSocketSession()
    _ = session.received(Self.start)
    _ = session.received(Self.subscribe("1"))
    _ = session.received(#"{"id":"1","type":"complete"}"#)
    let part = server.respond(to: FakeServerRequest("{ a }")).parts.first { _ in true }
    #expect(part.flatMap { session.next($0, of: "1") } == nil && session.complete("1") == nil)
  }
}
