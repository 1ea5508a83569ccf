import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

@Suite struct HTTPExchangeTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: """
        type Query { a: Int! user: User list: [Int!]! }
        type User { id: ID! name: String! }
        type Mutation { change(a: Int): Int }
        type Subscription { count: Int! }
        """, options: FakeServerOptions(eventCount: 2))
    server.set(1, at: "a")
    server.set(2, at: "count")
  }

  private func post(_ body: String, accept: String = "", type: String = "application/json")
    -> HTTPExchange
  {
    HTTPExchange(
      .init(method: "POST", accept: accept, contentType: type, body: Array(body.utf8)), server)
  }

  private func header(_ name: String, _ exchange: HTTPExchange) -> String? {
    exchange.headers.first { $0.name == name }?.value
  }

  /// The whole body.
  private func body(_ exchange: HTTPExchange) -> String {
    exchange.prologue
      + exchange.response.parts.map(exchange.frame).joined(separator: "") + exchange.epilogue
  }

  @Test(arguments: [
    ("", 200, "application/json; charset=utf-8"),
    ("application/json", 200, "application/json; charset=utf-8"),
    (
      "application/graphql-response+json, application/json;q=0.9", 200,
      "application/graphql-response+json; charset=utf-8"
    ),
  ])
  func theTypeIsTheOneThatIsAccepted(_ accept: String, _ status: Int, _ type: String) {
    let exchange = post(#"{"query":"query A { a }","operationName":"A"}"#, accept: accept)
    #expect(exchange.status == status && header("Content-Type", exchange) == type)
    #expect(body(exchange) == #"{"data":{"a":1}}"#)
    #expect(exchange.operationName == "A")
  }

  @Test func aRequestThatIsNotExecutedHasAStatusInTheNewType() {
    let query = #"{"query":"{ nothing }"}"#
    #expect(post(query).status == 200)
    #expect(post(query, accept: "application/graphql-response+json").status == 400)
  }

  @Test func aQueryCanBeSentByGET() {
    func get(_ parameters: (String, String)...) -> HTTPExchange {
      HTTPExchange(
        .init(method: "GET", parameters: parameters.map { (name: $0.0, value: $0.1) }), server)
    }
    let exchange = get(
      ("query", "query($x: Boolean!) { a @include(if: $x) }"), ("variables", #"{"x":true}"#))
    #expect(exchange.status == 200 && body(exchange) == #"{"data":{"a":1}}"#)
    #expect(get(("query", "{ a }"), ("variables", "{")).status == 400)
    #expect(get().status == 400)
    let mutation = get(("query", "mutation { change }"))
    #expect(mutation.status == 405 && header("Allow", mutation) == "POST")
  }

  @Test func otherRequestsAreRefused() {
    #expect(post("{").status == 400)
    #expect(post("[]").status == 400)
    #expect(post("{}").status == 400)
    #expect(post("a", type: "multipart/form-data; boundary=a").status == 415)
    #expect(HTTPExchange(.init(method: "DELETE"), server).status == 405)
    #expect(post(#"{"query":"subscription { count }"}"#).status == 406)
  }

  @Test func aHashWithoutTextIsNotSupported() {
    let exchange = post(#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}"#)
    #expect(exchange.status == 200 && body(exchange).contains("PERSISTED_QUERY_NOT_SUPPORTED"))
  }

  @Test func partsAreMultipart() {
    let query = #"{"query":"{ user { id ... @defer { name } } }"}"#
    let exchange = post(query, accept: "multipart/mixed;deferSpec=20220824, application/json")
    #expect(
      header("Content-Type", exchange) == #"multipart/mixed; boundary="-"; deferSpec=20220824"#)
    let parts = exchange.response.parts.map(\.text)
    let type = "Content-Type: application/json; charset=utf-8\r\n\r\n"
    #expect(parts.count == 2)
    #expect(
      body(exchange)
        == "---\r\n\(type)\(parts[0])\r\n---\r\n\(type)\(parts[1])\r\n-----\r\n")
    #expect(post(query).framing == .whole)
  }

  @Test func eventsAreServerSentEventsOrParts() {
    let query = #"{"query":"subscription { count }"}"#
    let event = #"{"data":{"count":2}}"#
    let stream = post(query, accept: "text/event-stream")
    #expect(
      body(stream)
        == "event: next\ndata: \(event)\n\nevent: next\ndata: \(event)\n\nevent: complete\ndata: \n\n"
    )
    let multipart = post(query, accept: "multipart/mixed;subscriptionSpec=1.0, application/json")
    let type = "Content-Type: application/json; charset=utf-8\r\n\r\n"
    #expect(
      body(multipart)
        == "---\r\n\(type){\"payload\":\(event)}\r\n---\r\n\(type){\"payload\":\(event)}\r\n-----\r\n"
    )
  }

  /// RFC 2046, section 5.1.1: the two hyphens of the last delimiter are on its line.
  @Test func aSubscriptionWithoutEventsEndsItsBody() {
    server.sendEvents(after: [], at: "count")
    let query = #"{"query":"subscription { count }"}"#
    let multipart = post(query, accept: "multipart/mixed;subscriptionSpec=1.0, application/json")
    #expect(body(multipart) == "-----\r\n")
    let stream = post(query, accept: "text/event-stream")
    #expect(body(stream) == "event: complete\ndata: \n\n")
  }

  // MARK: Rules

  @Test func rulesAreReadFromJSON() throws {
    let rules = try FakeServerRules(
      Array(
        #"{"values":{"a":5,"User":null},"errors":{"user":"No."},"delays":{"a":1500},"scalars":{"Day":["x"]}}"#
          .utf8))
    rules.apply(to: server)
    let response = server.respond(to: FakeServerRequest("{ a user { id } }"))
    #expect(response.text.hasPrefix(#"{"data":{"a":5,"user":null},"errors":[{"message":"No.""#))
    #expect(response.part(at: 0)?.delay == .milliseconds(1_500))
    #expect(rules.scalars == ["Day": ["x"]])
  }

  @Test func theMostSpecificOfSeveralRulesCounts() throws {
    let server = try FakeServer(
      schema: """
        type Query { me: Person  you: Person }
        type Person { id: ID! name: String friends: [Person!]! }
        """)
    let rules = """
      {
        "values": { "Person.name": "Someone", "me.name": "Luke", "me.friends.0.name": "Han" },
        "errors": { "me.friends.name": "No." }
      }
      """
    try FakeServerRules(Array(rules.utf8)).apply(to: server)
    let response = try server.response("{ me { name friends { name } } you { name } }")
    #expect(
      response["data"] == [
        "me": ["name": "Luke", "friends": [["name": "Han"], ["name": nil], ["name": nil]]],
        "you": ["name": "Someone"],
      ])
  }

  @Test(arguments: [
    ("[]", "The rules are no JSON object."),
    (#"{"values":[]}"#, "'values' has no object with a rule for each path."),
    (#"{"errors":{"a":1}}"#, "The error of 'a' is no text, and no object with a 'message'."),
    (#"{"delays":{"a":-1}}"#, "The delay of 'a' is no time in milliseconds."),
    (
      #"{"events":{"a":[1,"x"]}}"#, "The events of 'a' are no list of times in milliseconds."
    ),
    (#"{"scalars":{"A":[]}}"#, "The values of the scalar 'A' are no list."),
    (#"{"value":{"a":1}}"#, "'value' is none of values, errors, delays, events and scalars."),
  ])
  func aMistakeInTheRulesIsNamed(_ json: String, _ problem: String) {
    let error = #expect(throws: FakeServerRules.Problem.self) {
      try FakeServerRules(Array(json.utf8))
    }
    #expect(error?.description == problem)
  }
}
