import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

/// The rules by which a test fixes, fails and delays fields.
@Suite struct RuleTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: """
        type Query { hero(id: ID): Character  posts(limit: Int = 3): [Post!]!  tags: [String]! n: Int }
        type Subscription { ticked: Int! }
        interface Character { id: ID! name: String! }
        type Human implements Character { id: ID! name: String! height: Float }
        type Post { id: ID! title: String! next: Post }
        """)
  }

  /// A step of a test: a rule, or a query with the data and errors that it gives.
  enum Step: Sendable {
    case set(JSONValue, String)
    case fail(String, String, times: Int?)
    case hero(JSONValue, [String])
  }

  @Test(
    arguments: [
      // A value after a failure, and the other way round.
      [
        .fail("x", "hero", times: nil), .set(["name": "Luke"], "hero"), .hero(["name": "Luke"], []),
      ],
      [.set(["name": "Luke"], "hero"), .fail("x", "hero", times: nil), .hero(nil, ["x"])],
      // A member of a later object after a path, and the other way round.
      [.set("Han", "hero.name"), .set(["name": "Luke"], "hero"), .hero(["name": "Luke"], [])],
      [.set(["name": "Luke"], "hero"), .set("Han", "hero.name"), .hero(["name": "Han"], [])],
      [
        .fail("x", "hero.name", times: nil), .set(["name": "Luke"], "hero"),
        .hero(["name": "Luke"], []),
      ],
      // A failure that ends.
      [
        .set("Han", "hero.name"), .fail("x", "hero", times: 2), .hero(nil, ["x"]),
        .hero(nil, ["x"]),
        .hero(["name": "Han"], []),
      ],
      [.fail("x", "hero", times: 0), .set("Han", "hero.name"), .hero(["name": "Han"], [])],
      // A field of an interface.
      [.set("Leia", "Character.name"), .hero(["name": "Leia"], [])],
      [.set("Leia", "Character.name"), .set("Han", "Human.name"), .hero(["name": "Han"], [])],
    ] as [[Step]])
  func theLastRuleForAFieldCounts(steps: [Step]) throws {
    for step in steps {
      switch step {
      case .set(let value, let path): server.set(value, at: path)
      case .fail(let message, let path, let times): server.fail(message, times: times, at: path)
      case .hero(let data, let messages):
        let response = try server.response("{ hero { name } }")
        #expect(response["data"]?["hero"] == data)
        let found = response["errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue }
        #expect(found ?? [] == messages)
      }
    }
  }

  @Test func aFailureCountsTheFieldsThatFail() throws {
    server.fail("No.", times: 1, at: "Character.name")
    server.set(["name": "Luke"], at: "hero")
    let query = "{ hero { name } other: hero(id: 7) { name } }"
    let first = try server.response(query)
    #expect(first["data"] == ["hero": ["name": "Luke"], "other": nil])
    #expect(first["errors"]?[0]?["message"] == "No.")
    #expect(try server.data(query)["other"]?["name"]?.stringValue != nil)
  }

  @Test func anErrorHasItsExtensions() throws {
    server.fail("Log in.", extensions: ["code": "UNAUTHENTICATED"], at: "hero")
    server.fail("No.", extensions: ["retry": true], at: "posts.1")
    let errors = try server.response("{ hero { name } posts { id } }")["errors"]?.arrayValue ?? []
    #expect(
      errors.map { $0["extensions"] } == [["code": "UNAUTHENTICATED"], ["retry": true]])
  }

  @Test func aRuleWithoutEffectIsNamed() throws {
    server.set("x", at: "hero.nam")
    server.set("Luke", at: "Character.name")
    server.fail("x", at: "Humann.name")
    server.delay(.seconds(1), at: "heroes")
    server.sendEvents(after: [], at: "ticked")
    server.sendEvents(after: [], at: "tick")
    #expect(server.unusedRules.count == 6)
    _ = try server.data("{ hero { name } }")
    _ = server.respond(to: FakeServerRequest("subscription { ticked }"))
    #expect(server.unusedRules == ["hero.nam", "Humann.name", "heroes", "tick"])
    server.removeRules()
    #expect(server.unusedRules.isEmpty)
  }

  @Test func elementsOfListsOfScalarsHaveRules() throws {
    server.set("first", at: "tags.0")
    server.fail("No tag.", at: "tags.1")
    let response = try server.response("{ tags }")
    #expect(response["data"]?["tags"]?[0] == "first" && response["data"]?["tags"]?[1] == .null)
    #expect(response["data"]?["tags"]?[2]?.stringValue != nil)
    #expect(response["errors"]?[0]?["path"] == ["tags", 1])
    server.set(["a", nil, "c"], at: "tags")
    server.set("z", at: "tags.*")
    #expect(try server.data("{ tags }") == ["tags": ["z", "z", "z"]])
  }

  @Test func aLaterRuleForTheListCountsMoreThanThoseForItsElements() throws {
    server.set("first", at: "tags.0")
    server.fail("No tag.", at: "tags.1")
    server.set(["a", "b"], at: "tags")
    #expect(try server.data("{ tags }") == ["tags": ["a", "b"]])
    server.set("z", at: "tags.1")
    #expect(try server.data("{ tags }") == ["tags": ["a", "z"]])
  }

  @Test func elementsOfAStreamOfScalarsArriveOneByOne() throws {
    server.set(["a", "b", "c"], at: "tags")
    server.delay(.seconds(1), at: "tags.1")
    server.set("z", at: "tags.2")
    let parts = Array(
      server.respond(
        to: FakeServerRequest("{ tags @stream(initialCount: 1) }"), acceptsParts: true
      ).parts)
    #expect(
      parts.map(\.text) == [
        #"{"data":{"tags":["a"]},"hasNext":true}"#,
        #"{"incremental":[{"path":["tags",1],"items":["b"]}],"hasNext":true}"#,
        #"{"incremental":[{"path":["tags",2],"items":["z"]}],"hasNext":false}"#,
      ])
    #expect(parts.map(\.delay) == [.zero, .seconds(1), .zero])
  }

  @Test func elementsOfAStreamHaveRules() throws {
    server.delay(.seconds(2), at: "posts.1")
    server.set("Hi", at: "posts.1.title")
    server.fail("Lost.", at: "posts.2")
    let response = server.respond(
      to: FakeServerRequest("{ posts @stream { title } }"), acceptsParts: true)
    let parts = Array(response.parts)
    #expect(parts.map(\.delay) == [.zero, .zero, .seconds(2), .zero])
    #expect(parts[2].text.contains(#""items":[{"title":"Hi"}]"#))
    #expect(parts[3].text.contains(#""items":null,"errors":[{"message":"Lost.""#))
  }

  @Test func aFixedKeyNamesTheObject() throws {
    let known = try server.data("{ hero(id: 7) { id name } }")["hero"]
    server.set(["id": "7"], at: "hero")
    #expect(try server.data("{ hero { id name } }")["hero"] == known && known?["id"] == "7")
  }

  @Test func aMemberIsAFieldAndNoAliasOfAnother() throws {
    server.set(["name": "Luke"], at: "hero")
    #expect(
      try server.data("{ hero(id: 7) { name: id title: name } }")["hero"] == [
        "name": "7", "title": "Luke",
      ])
    server.set(["title": "Han"], at: "hero")
    #expect(try server.data("{ hero { title: name } }")["hero"] == ["title": "Han"])
  }

  @Test func anIdentifierIsATextInAResponse() throws {
    server.set(7, at: "hero.id")
    #expect(try server.data("{ hero { id } }")["hero"] == ["id": "7"])
  }
}
