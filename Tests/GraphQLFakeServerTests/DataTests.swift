import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

/// Schemas of several kinds, whose responses are valid and agree with each other.
@Suite struct DataTests {
  // MARK: Lists in parts

  @Test func pagesOfAnInputObjectAreThoseOfOneList() throws {
    let server = try FakeServer(
      schema: """
        type Query { users(paging: Paging, role: String): [User!]! page(paging: Paging): Users! }
        input Paging { offset: Int limit: Int }
        type Users { nodes: [User!]! total: Int! key: String! }
        type User { id: ID! }
        """)
    let all = try server.data("{ users(paging: { limit: 20 }) { id } }")["users"]?.arrayValue ?? []
    #expect(all.count == 20)
    #expect(
      try server.data("{ users(paging: { offset: 10, limit: 10 }) { id } }")["users"]?.arrayValue
        == Array(all[10...]))
    #expect(
      try server.data(#"{ users(paging: { limit: 20 }, role: "x") { id } }"#)["users"]?.arrayValue
        != all)
    let pages = try server.data(
      "{ a: page(paging: { limit: 5 }) { nodes { id } key } b: page(paging: { offset: 5, limit: 5 }) { nodes { id } key } both: page(paging: { limit: 10 }) { nodes { id } } }"
    )
    #expect(pages["a"]?["key"] == pages["b"]?["key"])
    let parts = ["a", "b"].flatMap { pages[$0]?["nodes"]?.arrayValue ?? [] }
    #expect(parts == pages["both"]?["nodes"]?.arrayValue && parts.count == 10)
  }

  /// Scalars such as `Long` have numbers of 64 bits.
  @Test(arguments: [
    ("offset: 9223372036854775807", 0), ("page: 9223372036854775807", 0),
    ("page: -9223372036854775808", 3),
  ])
  func aPageWithAnyNumberIsAPartOfTheList(argument: String, count: Int) throws {
    let server = try FakeServer(
      schema: """
        type Query { users(after: String, limit: Long, offset: Long, page: Long): [User!]! }
        type User { id: ID! }
        scalar Long
        """)
    let users = try server.data(#"{ users(after: "cursor-1", limit: 3, \#(argument)) { id } }"#)
    #expect(users["users"]?.arrayValue?.count == count)
  }

  @Test func firstAndLastBothCount() throws {
    let server = try FakeServer(
      schema: """
        type Query { users(first: Int, last: Int): Users! }
        type Users { nodes: [User!]! totalCount: Int! }
        type User { id: ID! }
        """)
    func ids(_ arguments: String) throws -> [JSONValue] {
      try server.data("{ users(\(arguments)) { nodes { id } } }")["users"]?["nodes"]?.arrayValue
        ?? []
    }
    #expect(try ids("first: 5, last: 2") == Array(ids("first: 5")[3...]))
  }

  @Test func pagesByNumberFollowEachOtherWithoutALength() throws {
    let server = try FakeServer(
      schema: """
        type Query { users(page: Int): [User!]! found(page: Int): Users! }
        type Users { nodes: [User!]! totalCount: Int! hasMore: Boolean! }
        type User { id: ID! }
        """)
    func users(_ page: Int) throws -> [JSONValue] {
      try server.data("{ users(page: \(page)) { id } }")["users"]?.arrayValue ?? []
    }
    let (first, second) = (try users(1), try users(2))
    #expect(first.count == 3 && second.count == 3)
    #expect(Set(first).isDisjoint(with: second))
    let (last, none) = (try users(34), try users(35))
    #expect(last.count == 1 && none.isEmpty)
    let found = try server.data("{ found(page: 34) { nodes { id } hasMore } }")["found"]
    #expect(found?["nodes"]?.arrayValue?.count == 1 && found?["hasMore"] == false)
  }

  @Test func datesAreNoCursorsOfAList() throws {
    let server = try FakeServer(
      schema:
        "type Query { messages(after: String, limit: Int): [Message!]! } type Message { id: ID! }")
    let found = try server.data(#"{ messages(after: "2026-01-01", limit: 4) { id } }"#)
    #expect(found["messages"]?.arrayValue?.count == 4)
  }

  @Test func aFullResponseHasNoNextPage() throws {
    let server = try FakeServer(
      schema: """
        type Query { users(first: Int): Users! }
        type Users { nodes: [User!]! pageInfo: PageInfo! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }
        type User { id: ID! friends(first: Int): Users! }
        """, options: FakeServerOptions(objectLimit: 20))
    let users =
      try server.data(
        "{ users(first: 30) { nodes { friends(first: 3) { nodes { id } pageInfo { hasNextPage endCursor } } } } }"
      )["users"]?["nodes"]?.arrayValue ?? []
    #expect(users.count == 30)
    #expect(
      users.last?["friends"] == [
        "nodes": [], "pageInfo": ["hasNextPage": false, "endCursor": nil],
      ])
  }

  @Test func noObjectIsTwiceInAList() throws {
    for scalar in ["ID", "Int", "ObjectID", "Snowflake", "UUID", "Long"] {
      let server = try FakeServer(
        schema: """
          \(["ID", "Int"].contains(scalar) ? "" : "scalar \(scalar)")
          type Query { users(limit: Int!): [User!]! }
          type User { id: \(scalar)! }
          """, options: FakeServerOptions(totalCount: 3_000))
      let users = try server.data("{ users(limit: 3000) { id } }")["users"]?.arrayValue ?? []
      #expect(users.count == 3_000 && Set(users).count == 3_000, "\(scalar)")
    }
  }

  // MARK: Types

  @Test func twoListsOfAPageHaveTheirTypes() throws {
    let server = try FakeServer(
      schema: """
        type Query { page: Page! }
        type Page { total: Int! results: [Result!]! entries: [Entry!]! edges: [Edge!]! }
        type Edge { cursor: String! node: Entry! }
        type Result { id: ID! }
        type Entry { id: ID! text: String! }
        """)
    let page = try server.data(
      "{ page { results { __typename } entries { __typename text } edges { node { text } } } }")[
        "page"]
    #expect(page?["results"]?[0]?["__typename"] == "Result")
    #expect(page?["entries"]?[0]?["__typename"] == "Entry")
    #expect(page?["entries"]?[0]?["text"]?.stringValue != nil)
  }

  @Test func anArgumentIsAValueOfTheObjectThatHasSuchAField() throws {
    let server = try FakeServer(
      schema: """
        type Query { find(code: Int!): Thing!  both(code: Int!): Node }
        union Thing = B | A | C
        interface Node { name: String! }
        type A implements Node { id: ID! code: Int! name: String! }
        type B implements Node { id: ID! code: String! name: String! }
        type C { id: ID! code: Int! }
        """)
    for code in 0..<20 {
      let found = try server.data(
        "query($c: Int!) { find(code: $c) { __typename ... on A { code } ... on C { code } ... on B { text: code } } }",
        ["c": .int(Int64(code))])["find"]
      #expect(["A", "C"].contains(found?["__typename"]))
      #expect(found?["code"] == .int(Int64(code)))
    }
  }

  @Test func aTypeThatLacksAFieldOfItsInterfaceFails() throws {
    let server = try FakeServer(
      schema: """
        type Query { node: Node }
        interface Node { id: ID! }
        type User implements Node { name: String }
        """)
    let response = try server.response("{ node { id } }")
    #expect(response["data"] == ["node": nil])
    #expect(
      response["errors"]?[0]?["message"]
        == "'User' has no field 'id', which its interface has. Add it to the schema.")
    #expect(response["errors"]?[0]?["path"] == ["node", "id"])
  }

  @Test func aRoleThatDoesNotHaveTheTypeOfItsFieldIsAnError() throws {
    let server = try FakeServer(
      schema: """
        type Query { page: Page! }
        type Page { nodes: [User!]! pageInfo: PageInfo! }
        type PageInfo { hasNextPage: Boolean! hasMore: String endCursor: Cursor }
        type User { id: ID! }
        enum Cursor { A }
        """)
    let response = try server.response("{ page { pageInfo { hasMore endCursor } } }")
    #expect(
      response["data"] == ["page": ["pageInfo": ["hasMore": nil, "endCursor": nil]]])
    #expect(response["errors"]?.arrayValue?.count == 2)
  }

  @Test(arguments: ["ObjectID", "ObjectId", "GlobalID"])
  func aScalarThatIsAnIdentifierTakesTheKey(scalar: String) throws {
    let server = try FakeServer(
      schema: """
        scalar \(scalar)
        type Query { user(id: \(scalar)!): User  users: [User!]! }
        type User { id: \(scalar)! other: \(scalar)! }
        """)
    #expect(try server.data(#"{ user(id: "64ab") { id } }"#) == ["user": ["id": "64ab"]])
    let users = try server.data("{ users { id other } }")["users"]
    #expect(users?[0]?["id"]?.stringValue != nil && users?[0]?["other"]?.stringValue != nil)
  }

  @Test(arguments: [
    ("JSON", "object"), ("JSONObject", "object"), ("jsonb", "object"), ("StringMap", "object"),
    ("Bitmap", "string"), ("Longitude", "string"), ("Sometimes", "string"), ("Long", "int"),
    ("BigInt", "string"), ("DateTime", "date"), ("timestamptz", "date"), ("LocalDate", "date"),
    ("UpdateToken", "string"), ("AWSURL", "url"),
  ])
  func theNameOfAScalarSuggestsItsForm(name: String, form: String) throws {
    let server = try FakeServer(schema: "scalar \(name)  type Query { value: \(name)! }")
    let value = try server.data("{ value }")["value"] ?? .null
    let found =
      switch value {
      case .object: "object"
      case .int: "int"
      case .string(let text) where text.prefixMatch(of: /\d{4}-\d\d-\d\d/) != nil: "date"
      case .string(let text) where text.hasPrefix("https://"): "url"
      case .string: "string"
      default: "\(value)"
      }
    #expect(found == form, "\(value)")
  }

  @Test func aKeyHasOneTypeInAnyOrderOfRequests() throws {
    let schema = """
      type Query { node(id: ID!): Node  actor(id: ID!): Actor }
      interface Node { id: ID! }
      interface Actor { id: ID! }
      type User implements Node & Actor { id: ID! }
      type Bot implements Node & Actor { id: ID! }
      type Post implements Node { id: ID! }
      """
    let (first, second) = try (FakeServer(schema: schema), FakeServer(schema: schema))
    for key in 0..<30 {
      let variables: [String: JSONValue] = ["id": .string("key \(key)")]
      let node = "query($id: ID!) { node(id: $id) { __typename } }"
      let actor = "query($id: ID!) { actor(id: $id) { __typename } }"
      let (a, b) = try (first.data(node, variables), first.data(actor, variables))
      let (d, c) = try (second.data(actor, variables), second.data(node, variables))
      #expect(a == c && b == d)
      if a["node"]?["__typename"] != "Post" {
        #expect(a["node"] == b["actor"])
      }
    }
  }

  // MARK: Limits

  @Test func aResponseThatWouldGrowWithoutEndIsAnError() throws {
    let server = try FakeServer(
      schema: "type Query { t: T } type T { self: T n: Int }",
      options: FakeServerOptions(objectLimit: 20))
    let fragments = (0..<30).map {
      "fragment F\($0) on T { a: self { ...F\($0 + 1) } b: self { ...F\($0 + 1) } }"
    }
    let messages = try server.messages(
      "{ t { ...F0 } } fragment F30 on T { n } " + fragments.joined(separator: " "))
    #expect(messages.first == "The response has too many objects. Select fewer levels.")
    #expect(messages.count < 1_000)
  }

  @Test func introspectionThatWouldGrowWithoutEndIsRefused() throws {
    let server = try FakeServer(schema: "type Query { a: Int }")
    let messages = try server.messages(
      "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }")
    #expect(messages.count == 1)
  }

  // MARK: Input

  /// Spec: 3.5.2, "Float", input coercion.
  @Test func aFloatHasOneValueInEveryForm() throws {
    let server = try FakeServer(
      schema: """
        type Query { user(id: Float!): User  near(x: Float): Place! }
        type User { id: Float! name: String! }
        type Place { name: String! }
        """)
    let user = try server.data("{ user(id: 7) { id name } }")
    #expect(user["user"]?["id"] == 7)
    let place = try server.data("{ near(x: 2) { name } }")
    for number: JSONValue in [.int(7), .double(7), .decimal("7.0")] {
      let query = "query($id: Float!) { user(id: $id) { id name } }"
      #expect(try server.data(query, ["id": number]) == user)
    }
    #expect(try server.data("{ user(id: 7.0) { id name } }") == user)
    #expect(try server.data("{ near(x: 2.0) { name } }") == place)
    #expect(try server.data("query($x: Float) { near(x: $x) { name } }", ["x": 2.0]) == place)
  }

  @Test func aNumberInADocumentKeepsItsDigits() throws {
    let server = try FakeServer(
      schema: """
        scalar Long
        type Query { user(id: ID!): User }
        type Mutation { updateUser(id: ID!, points: Long): User }
        type User { id: ID! points: Long }
        """)
    for points in ["12345678901234567890", "0.12345678901234567890"] {
      let response = server.respond(
        to: FakeServerRequest("mutation { updateUser(id: 7, points: \(points)) { points } }"))
      #expect(response.text == #"{"data":{"updateUser":{"points":\#(points)}}}"#)
    }
  }

  @Test(
    arguments: [
      ("Int", "x"), ("Int", 1.5), ("Int", 3_000_000_000), ("Float", "1"), ("Boolean", 1),
      ("String", 1), ("ID", true), ("[Int]", ["x"]), ("Color", "BLUE"), ("Color", 1),
    ] as [(String, JSONValue)])
  func aVariableOfAnotherTypeIsAnError(type: String, value: JSONValue) throws {
    let server = try FakeServer(
      schema: "enum Color { RED } type Query { field(a: \(type)): Int  needs(a: \(type)!): Int }")
    for query in ["query($a: \(type)) { field(a: $a) }", "query($a: \(type)!) { needs(a: $a) }"] {
      let messages = try server.messages(query, ["a": value])
      #expect(messages.count == 1 && messages[0].hasPrefix("Variable '$a' has an invalid value"))
    }
  }

  /// Spec: 6.3.2, "Field Collection": neither variable has the value `true`.
  @Test func aNullIncludesNothingAndSkipsNothing() throws {
    let server = try FakeServer(schema: "type Query { a: Int  b: Int }")
    server.set(1, at: "b")
    let query = "query($x: Boolean = true) { a @include(if: $x)  b @skip(if: $x) }"
    #expect(try server.data(query, ["x": nil]) == ["b": 1])
  }

  @Test func aNullWithinAnArgumentIsChecked() throws {
    let server = try FakeServer(
      schema: """
        type Query { sum(of: [Int!]): Int  find(by: By): Int }
        input By { name: String! = "x" tags: [String] }
        """)
    #expect(
      try server.messages("query($x: Int) { sum(of: [1, $x]) }").first
        == "Variable \"$x\" of type \"Int\" used in position expecting type \"Int!\".")
    #expect(
      try server.messages("query($x: Int = 1) { sum(of: [1, $x]) }", ["x": nil]) == [
        "The argument 'of' has an invalid value at 'of[1]': null is no 'Int!'."
      ])
    #expect(
      try server.messages(#"query($x: String = "a") { find(by: { name: $x }) }"#, ["x": nil]) == [
        "The argument 'by' has an invalid value at 'by.name': null is no 'String!'."
      ])
    #expect(try server.messages("query($x: Int = 1) { sum(of: [1, $x]) }") == [])
    #expect(try server.messages("query($x: String) { find(by: { tags: [$x] }) }", ["x": nil]) == [])
  }
}
