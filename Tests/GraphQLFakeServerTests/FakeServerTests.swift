import GraphQLFakeServer
import SmallStack
import Testing

import enum ApolloAPI.JSONValue

@Suite struct FakeServerTests {
  private static let schema = """
    type Query {
      hero(id: ID): Character
      user(id: ID, login: String): User
      users(first: Int, after: String, last: Int, before: String): UserConnection!
      posts(limit: Int = 5, offset: Int): [Post!]!
      node(id: ID!): Node
      nodes(ids: [ID!]!): [Node]!
      find(by: UserBy!): User
      stats: Stats!
      grid: [[Int!]!]!
      cell: [[Cell]]
      search(text: String!): [SearchResult!]!
      day: Day
      color: Color!
    }
    type Mutation {
      createUser(input: CreateUser!): CreateUserPayload!
      updateUser(id: ID!, name: String, address: AddressInput, role: Role): User
      deleteUser(id: ID!): Boolean!
      addPost(title: String!, authorId: ID!): Post!
    }
    type Subscription { postAdded: Post! counter(to: Int!): Int! }
    interface Node { id: ID! }
    interface Character { id: ID! name: String! friends: [Character!]! }
    type Human implements Character { id: ID! name: String! height: Float friends: [Character!]! }
    type Droid implements Character { id: ID! name: String! model: String friends: [Character!]! }
    type User implements Node {
      id: ID! login: String! name: String! email: String role: Role! address: Address!
      posts: [Post!]! age: Int tags: [String!]!
    }
    type Address { street: String! city: String }
    type Post implements Node { id: ID! title: String! author: User! createdAt: DateTime! }
    union SearchResult = User | Post
    type UserConnection { edges: [UserEdge!]! nodes: [User!]! pageInfo: PageInfo! totalCount: Int! }
    type UserEdge { cursor: String! node: User! }
    type PageInfo {
      hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String
    }
    type Stats { users: Int! ratio: Float! ok: Boolean }
    type Cell { x: Int! }
    input CreateUser { id: ID name: String! role: Role tags: [String!] clientMutationId: String }
    input AddressInput { street: String! city: String }
    input UserBy @oneOf { id: ID login: String }
    type CreateUserPayload {
      user: User userEdge: UserEdge errors: [String!]! clientMutationId: String success: Boolean!
    }
    enum Role { ADMIN EDITOR GUEST }
    enum Color { RED OLD @deprecated }
    scalar DateTime
    scalar Day
    """

  private let server: FakeServer

  init() throws { server = try FakeServer(schema: Self.schema) }

  private func data(
    _ query: String, _ variables: [String: JSONValue] = [:], of server: FakeServer? = nil
  ) throws -> JSONValue {
    let response = (server ?? self.server)
      .respond(to: FakeServerRequest(query, variables: variables))
    let value = try JSONValue(jsonBytes: Array(response.text.utf8))
    #expect(value["errors"] == nil, "\(response.text)")
    return value["data"] ?? .null
  }

  private func errors(
    _ query: String, _ variables: [String: JSONValue] = [:]
  ) throws -> [String] {
    let text = server.respond(to: FakeServerRequest(query, variables: variables)).text
    let value = try JSONValue(jsonBytes: Array(text.utf8))
    return value["errors"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
  }

  // MARK: Values

  @Test func theSameObjectHasTheSameValuesInEveryQuery() throws {
    let user = try data(
      #"{ user(id: "User-7") { login name email role age address { street } } }"#)["user"]
    let node = try data(
      #"{ node(id: "User-7") { ... on User { login name email role age address { street } } } }"#)[
        "node"]
    #expect(user != nil && user == node)
    let again = try FakeServer(schema: Self.schema)
    #expect(
      try data(
        #"{ user(id: "User-7") { login name email role age address { street } } }"#, of: again)[
          "user"] == user)
  }

  @Test func anotherSeedHasOtherValues() throws {
    let other = try FakeServer(schema: Self.schema, options: FakeServerOptions(seed: 2))
    let query = "{ posts { id title createdAt author { login name } } }"
    #expect(try data(query) != data(query, of: other))
  }

  @Test func aKeyIsThatOfTheArgument() throws {
    #expect(try data(#"{ user(id: "abc") { id } }"#) == ["user": ["id": "abc"]])
    #expect(try data("{ hero(id: 12) { id } }") == ["hero": ["id": "12"]])
    #expect(
      try data(#"{ nodes(ids: ["User-1", "Post-2"]) { __typename id } }"#) == [
        "nodes": [
          ["__typename": "User", "id": "User-1"], ["__typename": "Post", "id": "Post-2"],
        ]
      ])
  }

  @Test func anArgumentThatIsAFieldFindsTheObjectWithIt() throws {
    let found = try data(#"{ user(login: "neo") { id login name } }"#)["user"]
    #expect(found?["login"] == "neo")
    let id = try #require(found?["id"]?.stringValue)
    #expect(
      try data("query($id: ID!) { user(id: $id) { id login name } }", ["id": .string(id)])["user"]
        == found)
  }

  @Test func objectsReferToEachOtherConsistently() throws {
    let post = try data("{ posts(limit: 1) { author { id name } } }")["posts"]?[0]?["author"]
    let id = try #require(post?["id"]?.stringValue)
    let user = try data("query($id: ID!) { user(id: $id) { id name } }", ["id": .string(id)])
    #expect(user["user"] == post)
  }

  @Test func everyTypenameIsAPossibleOne() throws {
    let found = try data(
      #"{ search(text: "a") { __typename } hero { __typename friends { __typename } } }"#)
    #expect(found["search"]?.arrayValue?.count == 3)
    for item in found["search"]?.arrayValue ?? [] {
      #expect(["User", "Post"].contains(item["__typename"]))
    }
    #expect(["Human", "Droid"].contains(found["hero"]?["__typename"]))
  }

  @Test func scalarsHaveTheirForms() throws {
    let found = try data(
      "{ day color grid posts { createdAt } user { email role tags } cell { x } }")
    #expect(found["day"]?.stringValue?.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
    #expect(found["color"] == "RED")
    #expect(
      found["posts"]?[0]?["createdAt"]?.stringValue?.wholeMatch(
        of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    #expect(found["user"]?["email"]?.stringValue?.hasSuffix("@example.com") == true)
    #expect(found["grid"]?.arrayValue?.count == 3 && found["grid"]?[0]?.arrayValue?.count == 3)
    #expect(found["cell"]?[2]?[2]?["x"]?.intValue != nil)
  }

  @Test func aProgramGivesTheValuesOfItsScalars() throws {
    let options = FakeServerOptions(scalarValues: ["Day": ["today"], "DateTime": [12]])
    let server = try FakeServer(schema: Self.schema, options: options)
    #expect(
      try data("{ day posts(limit: 1) { createdAt } }", of: server) == [
        "day": "today", "posts": [["createdAt": 12]],
      ])
  }

  @Test func nullableFieldsAreNullAsOftenAsAsked() throws {
    let server = try FakeServer(schema: Self.schema, options: FakeServerOptions(nullShare: 1))
    #expect(try data("{ user { id } day stats { users ok } }", of: server)["user"] == .null)
    #expect(try data("{ stats { ok } }", of: server) == ["stats": ["ok": nil]])
    let half = try FakeServer(schema: Self.schema, options: FakeServerOptions(nullShare: 0.5))
    let ages = try data("{ users(first: 100) { nodes { age } } }", of: half)["users"]?["nodes"]
    let count = (ages?.arrayValue ?? []).count { $0["age"]?.isNull == true }
    #expect((30...70).contains(count), "\(count)")
  }

  private static let golden: JSONValue = [
    "user": [
      "login": "hollow-river", "name": "Bright island", "email": "amber.summit@example.com",
      "role": "GUEST", "age": 23, "tags": ["Keen ember", "Deep island", "Silver pebble"],
      "address": ["city": "Deep lantern"],
    ],
    "stats": ["ratio": 177.11],
  ]

  /// The values of all versions, platforms and processes: tests of programs contain them.
  @Test func valuesStayTheSame() throws {
    #expect(
      try data(
        "{ user(id: 7) { login name email role age tags address { city } } stats { ratio } }")
        == Self.golden)
  }

  // MARK: Lists

  @Test func aListIsAsLongAsItIsRequested() throws {
    #expect(try data("{ posts { id } }")["posts"]?.arrayValue?.count == 5)
    for count in [0, 1, 50, 100] {
      #expect(
        try data("query($n: Int) { posts(limit: $n) { id } }", ["n": .int(Int64(count))])["posts"]?
          .arrayValue?.count == count)
    }
    #expect(
      try data("{ users(first: 7) { edges { node { id } } nodes { id } } }")["users"]?["edges"]?
        .arrayValue?.count == 7)
  }

  @Test func pagesFollowEachOther() throws {
    let all = try data("{ posts(limit: 100) { id } }")["posts"]?.arrayValue ?? []
    #expect(Set(all).count == 100)
    #expect(
      try data("{ posts(limit: 10, offset: 95) { id } }")["posts"]?.arrayValue == Array(all[95...]))

    let users =
      try data("{ users(first: 100) { nodes { id } } }")["users"]?["nodes"]?.arrayValue ?? []
    var found: [JSONValue] = []
    var cursor: JSONValue = .null
    repeat {
      let page = try data(
        "query($after: String) { users(first: 30, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }",
        ["after": cursor])["users"]
      let edges = page?["edges"]?.arrayValue ?? []
      #expect(page?["pageInfo"]?["hasPreviousPage"] == .bool(!found.isEmpty))
      #expect(page?["pageInfo"]?["startCursor"] == edges.first?["cursor"])
      #expect(page?["pageInfo"]?["endCursor"] == edges.last?["cursor"])
      #expect(page?["totalCount"] == 100)
      found += edges.compactMap { $0["node"] }
      cursor =
        page?["pageInfo"]?["hasNextPage"] == true ? page?["pageInfo"]?["endCursor"] ?? .null : .null
    } while !cursor.isNull
    #expect(found == users && users.count == 100)
  }

  @Test func pagesGoBackwardsToo() throws {
    let page = try data(
      "{ users(last: 2) { edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor } } }"
    )["users"]
    #expect(
      page?["pageInfo"]?["hasNextPage"] == false && page?["pageInfo"]?["hasPreviousPage"] == true)
    let before = try data(
      "query($c: String) { users(last: 2, before: $c) { edges { cursor } pageInfo { hasNextPage } } }",
      ["c": page?["pageInfo"]?["startCursor"] ?? .null])["users"]
    #expect(before?["edges"] == [["cursor": "cursor-96"], ["cursor": "cursor-97"]])
    #expect(before?["pageInfo"]?["hasNextPage"] == true)
  }

  @Test func aWrongCursorOrNumberIsAnError() throws {
    #expect(
      try errors(#"{ users(after: "x") { nodes { id } } }"#) == [
        #"'after' is "x", which is no cursor of this server. Take one from a response."#
      ])
    #expect(
      try errors("{ posts(limit: -1) { id } }") == [
        "'limit' is -1. Give a number that is not negative."
      ])
  }

  @Test func aDeepQueryFitsASmallStackAndADeeperOneIsRefused() throws {
    func query(_ depth: Int) -> String {
      "{ hero \(String(repeating: "{ friends ", count: depth))\(String(repeating: "{ name }", count: 1))\(String(repeating: " }", count: depth)) }"
    }
    let fragments = (0..<200).map { "fragment F\($0) on Character { friends { ...F\($0 + 1) } }" }
    let chain =
      "{ hero { ...F0 } } " + fragments.joined(separator: " ")
      + " fragment F200 on Character { name }"
    for (text, problem) in [
      (query(50), nil), (query(500), "Nested more than 60 levels"), (chain, "nested too deeply"),
    ] {
      let server = server
      let response = try runOnThread(withStack: 512 << 10) {
        server.respond(to: FakeServerRequest(text)).text
      }
      let hasErrors = response.contains(#""errors""#)
      #expect(hasErrors == (problem != nil))
      #expect(problem.map(response.contains) ?? true)
    }
  }

  // MARK: Input

  @Test func inputIsChecked() throws {
    let query = "query($by: UserBy!) { find(by: $by) { id login } }"
    #expect(try data(query, ["by": ["login": "neo"]])["find"]?["login"] == "neo")
    #expect(
      try errors(query, ["by": ["login": "neo", "id": "1"]]) == [
        "Variable '$by' has an invalid value at 'by': 'UserBy' needs exactly one field with a value that is not null."
      ])
    #expect(
      try errors(query, ["by": ["name": "neo"]]) == [
        "Variable '$by' has an invalid value at 'by.name': 'UserBy' has no such field."
      ])
    #expect(
      try errors(query, ["by": nil]) == [
        "Variable '$by' has an invalid value at 'by': null is no 'UserBy!'."
      ])
    #expect(try errors(query) == ["Variable '$by' of the type 'UserBy!' has no value."])
    #expect(try errors("{ nothing }") == [#"Cannot query field "nothing" on type "Query"."#])
    #expect(try errors("{ hero { name }").count == 1)
    #expect(
      try errors("query A { day } query B { day }") == [
        "The request has several operations. Name one in 'operationName'."
      ])
  }

  // MARK: Mutations

  @Test func aMutationStoresWhatItIsGiven() throws {
    let changed = try data(
      #"mutation { updateUser(id: "User-3", name: "Neo", role: ADMIN, address: { street: "Main" }) { id name role address { street } } }"#
    )
    #expect(
      changed["updateUser"] == [
        "id": "User-3", "name": "Neo", "role": "ADMIN", "address": ["street": "Main"],
      ])
    #expect(
      try data(#"{ user(id: "User-3") { id name role address { street } } }"#)["user"]
        == changed["updateUser"])
    server.reset()
    #expect(try data(#"{ user(id: "User-3") { name } }"#)["user"]?["name"] != "Neo")
  }

  @Test func theMembersOfAnInnerObjectAreNotThoseOfTheOuterOne() throws {
    let server = try FakeServer(
      schema: """
        type Query { user(id: ID!): User }
        type Mutation { updateUser(id: ID!, company: CompanyInput!): User }
        input CompanyInput { name: String! }
        type User { id: ID! name: String! company: Company! }
        type Company { name: String! }
        """)
    let before = try data("{ user(id: 1) { name } }", of: server)["user"]?["name"]
    let changed = try data(
      #"mutation { updateUser(id: 1, company: { name: "Zion" }) { name company { name } } }"#,
      of: server)["updateUser"]
    #expect(changed?["company"]?["name"] == "Zion" && changed?["name"] == before)
  }

  @Test func aCreatedObjectIsFoundByItsKeyAndInLists() throws {
    let created = try data(
      #"mutation { createUser(input: { name: "Trinity", tags: ["a"], clientMutationId: "m1" }) { user { id name tags } userEdge { node { id } } errors clientMutationId success } }"#
    )["createUser"]
    #expect(
      created?["clientMutationId"] == "m1" && created?["success"] == true
        && created?["errors"] == [])
    #expect(created?["user"]?["name"] == "Trinity" && created?["user"]?["tags"] == ["a"])
    let id = try #require(created?["user"]?["id"]?.stringValue)
    #expect(created?["userEdge"]?["node"]?["id"]?.stringValue == id)
    #expect(
      try data("query($id: ID!) { node(id: $id) { ... on User { name } } }", ["id": .string(id)])
        == ["node": ["name": "Trinity"]])
    let last = try data("{ users(last: 1) { nodes { id name } totalCount } }")["users"]
    #expect(last?["nodes"]?[0]?["name"] == "Trinity" && last?["totalCount"] == 101)
  }

  @Test func aDeletedObjectIsGone() throws {
    let first =
      try data("{ users(first: 1) { nodes { id } } }")["users"]?["nodes"]?[0]?["id"] ?? .null
    #expect(
      try data("mutation($id: ID!) { deleteUser(id: $id) }", ["id": first]) == ["deleteUser": true])
    #expect(try data("query($id: ID!) { user(id: $id) { id } }", ["id": first]) == ["user": nil])
    let left = try data("{ users(first: 100) { nodes { id } totalCount } }")["users"]
    #expect(
      left?["totalCount"] == 99 && left?["nodes"]?.arrayValue?.contains(["id": first]) == false)
  }

  /// A cursor is a place between objects: those around it can be deleted, and its own too.
  @Test(arguments: [[0], [2], [0, 1, 2], [1, 4], [3], []])
  func aPageFollowsThePreviousOneAfterDeletions(_ deleted: [Int]) throws {
    let all = try data("{ users(first: 9) { nodes { id } } }")["users"]?["nodes"]?.arrayValue ?? []
    let page = try data("{ users(first: 3) { pageInfo { endCursor } } }")["users"]
    let cursor = page?["pageInfo"]?["endCursor"] ?? .null
    for index in deleted {
      _ = try data("mutation($id: ID!) { deleteUser(id: $id) }", ["id": all[index]["id"] ?? .null])
    }
    let next = try data(
      "query($c: String) { users(first: 2, after: $c) { nodes { id } pageInfo { startCursor } } }",
      ["c": cursor])["users"]
    let rest = all.indices.dropFirst(3).filter { !deleted.contains($0) }.map { all[$0] }
    #expect(next?["nodes"] == .array(Array(rest.prefix(2))))
    let previous = try data(
      "query($c: String) { users(last: 2, before: $c) { nodes { id } } }",
      ["c": next?["pageInfo"]?["startCursor"] ?? .null])["users"]
    let before = all.indices.prefix(3).filter { !deleted.contains($0) }.map { all[$0] }
    #expect(previous?["nodes"] == .array(Array(before.suffix(2))))
  }

  @Test func aPageFollowsACreatedObjectThatWasDeleted() throws {
    _ = try data(#"mutation { createUser(input: { name: "Neo" }) { user { id } } }"#)
    let neo = try data("{ users(last: 1) { nodes { id } pageInfo { endCursor } } }")["users"]
    _ = try data(#"mutation { createUser(input: { name: "Trinity" }) { user { id } } }"#)
    _ = try data(
      "mutation($id: ID!) { deleteUser(id: $id) }", ["id": neo?["nodes"]?[0]?["id"] ?? .null])
    let next = try data(
      "query($c: String) { users(first: 9, after: $c) { nodes { name } } }",
      ["c": neo?["pageInfo"]?["endCursor"] ?? .null])["users"]
    #expect(next?["nodes"] == [["name": "Trinity"]])
  }

  private static let shop = """
    type Query { cart(id: ID!): Cart  item(id: ID!): Item }
    type Mutation {
      updateCart(id: ID!, note: String!): Cart!
      removeItemFromCart(cartId: ID!, itemId: ID!): Cart!
      undeleteCart(id: ID!): Cart!
      cartDelete(id: ID!): Boolean!
      deleteItems(ids: [ID!]!): [Item!]!
      deleteItem: Item
    }
    type Cart { id: ID! note: String items: [Item!]! total: Int! }
    type Item { id: ID! name: String! }
    """

  @Test func anObjectWithAListAndACountIsFoundByItsKey() throws {
    let server = try FakeServer(schema: Self.shop)
    #expect(try data("{ cart(id: 7) { id } }", of: server) == ["cart": ["id": "7"]])
    _ = try data(#"mutation { updateCart(id: 7, note: "soon") { id } }"#, of: server)
    #expect(try data("{ cart(id: 7) { note } }", of: server) == ["cart": ["note": "soon"]])
  }

  @Test func whatIsDeletedIsNamedByTheMutation() throws {
    let server = try FakeServer(schema: Self.shop)
    let carts = "{ cart(id: 7) { id } }"
    for mutation in ["removeItemFromCart(cartId: 7, itemId: 3)", "undeleteCart(id: 7)"] {
      #expect(
        try data("mutation { cart: \(mutation) { id } }", of: server) == ["cart": ["id": "7"]])
      #expect(try data(carts, of: server) == ["cart": ["id": "7"]])
    }
    _ = try data("mutation { cartDelete(id: 7) }", of: server)
    #expect(try data(carts, of: server) == ["cart": nil])
    _ = try data("mutation { deleteItems(ids: [1, 2]) { id } }", of: server)
    _ = try data("mutation { deleteItem { id } }", of: server)
    #expect(
      try data("{ a: item(id: 1) { id } b: item(id: 2) { id } c: item(id: 3) { id } }", of: server)
        == ["a": nil, "b": nil, "c": ["id": "3"]])
  }

  @Test func aDefaultThatContainsItselfIsAnErrorOfTheSchema() {
    #expect(throws: FakeServerError.self) {
      try FakeServer(schema: "input A { a: A = {} }  type Query { f(a: A = {}): Int }")
    }
  }

  @Test func lengthsAreNeverNegative() {
    var options = FakeServerOptions()
    options.listLength = -1
    options.totalCount = -1
    #expect(options.listLength == 0 && options.totalCount == 0)
  }

  @Test func aReferenceIsSeenFromBothSides() throws {
    let post = try data(
      #"mutation { addPost(title: "Hi", authorId: "User-9") { id title author { id } } }"#)[
        "addPost"]
    #expect(post?["author"]?["id"] == "User-9" && post?["title"] == "Hi")
    let posts = try data(#"{ user(id: "User-9") { posts { id title } } }"#)["user"]?["posts"]
    #expect(posts?.arrayValue?.last?["id"] == post?["id"])
  }

  // MARK: Rules

  @Test func valuesAreFixedByPath() throws {
    server.set("Luke", at: "hero.name")
    server.set([["name": "Han"], [:]], at: "hero.friends")
    server.set("C-3PO", at: "hero.friends.1.name")
    server.set("everybody@example.com", at: "User.email")
    server.set(["__typename": "Droid", "model": "R2"], at: "hero")
    #expect(
      try data(
        "{ hero { __typename name friends { name } ... on Droid { model } } user { email } }") == [
          "hero": [
            "__typename": "Droid", "name": "Luke", "friends": [["name": "Han"], ["name": "C-3PO"]],
            "model": "R2",
          ],
          "user": ["email": "everybody@example.com"],
        ])
    server.set(.null, at: "user")
    #expect(try data("{ user { id } }") == ["user": nil])
    server.removeRules()
    #expect(try data("{ hero { name } }")["hero"]?["name"] != "Luke")
  }

  @Test func aValueThatDoesNotFitFailsTheField() throws {
    server.set(5, at: "color")
    #expect(
      try errors("{ color }") == [
        "The value 5 is set for this field, whose type is 'Color!'. Set one of the type."
      ])
  }

  @Test func anErrorReachesTheNextNullableField() throws {
    server.fail("Not now.", at: "hero.friends.1.name")
    let text = server.respond(to: FakeServerRequest("{ day hero { id friends { name } } }")).text
    let value = try JSONValue(jsonBytes: Array(text.utf8))
    #expect(value["data"]?["hero"] == .null && value["data"]?["day"]?.stringValue != nil)
    #expect(
      value["errors"] == [
        [
          "message": "Not now.", "locations": [["line": 1, "column": 27]],
          "path": ["hero", "friends", 1, "name"],
        ]
      ])
    server.fail("Broken.", at: "color")
    let all = try JSONValue(
      jsonBytes: Array(server.respond(to: FakeServerRequest("{ day color }")).text.utf8))
    #expect(all["data"] == .null)
  }

  // MARK: Parts

  @Test func deferredFragmentsArriveLater() throws {
    server.delay(.seconds(1), at: "user.email")
    let request = FakeServerRequest(
      #"{ user(id: 1) { id ... @defer(label: "a") { email ... @defer { role } } } }"#)
    #expect(server.respond(to: request).kind == .whole)
    let response = server.respond(to: request, acceptsParts: true)
    let parts = Array(response.parts)
    #expect(response.kind == .parts && parts.count == 3)
    #expect(parts[0].text == #"{"data":{"user":{"id":"1"}},"hasNext":true}"#)
    #expect(
      parts[1].text.hasPrefix(#"{"incremental":[{"path":["user"],"label":"a","data":{"email":""#))
    #expect(parts.map(\.delay) == [.zero, .seconds(1), .zero])
    #expect(parts[2].text.hasSuffix(#""hasNext":false}"#))
  }

  @Test func streamedListsArriveItemByItem() throws {
    let response = server.respond(
      to: FakeServerRequest("{ posts(limit: 3) @stream(initialCount: 1) { id } }"),
      acceptsParts: true)
    let ids =
      try data("{ posts(limit: 3) { id } }")["posts"]?.arrayValue?.compactMap {
        $0["id"]?.stringValue
      } ?? []
    #expect(
      response.parts.map(\.text) == [
        #"{"data":{"posts":[{"id":"\#(ids[0])"}]},"hasNext":true}"#,
        #"{"incremental":[{"path":["posts",1],"items":[{"id":"\#(ids[1])"}]}],"hasNext":true}"#,
        #"{"incremental":[{"path":["posts",2],"items":[{"id":"\#(ids[2])"}]}],"hasNext":false}"#,
      ])
  }

  @Test func anErrorInADeferredFragmentStaysThere() throws {
    server.fail("No.", at: "user.name")
    let parts = server.respond(
      to: FakeServerRequest("{ user(id: 1) { id ... @defer { name } ... @defer { login } } }"),
      acceptsParts: true
    ).parts.map(\.text)
    #expect(parts.count == 3)
    #expect(parts[1].contains(#""data":null,"errors":[{"message":"No.""#))
    #expect(parts[2].contains(#""login""#))
  }

  // MARK: Subscriptions

  @Test func aSubscriptionHasEvents() throws {
    let options = FakeServerOptions(eventCount: 4, eventInterval: .seconds(2))
    let server = try FakeServer(schema: Self.schema, options: options)
    let response = server.respond(to: FakeServerRequest("subscription { postAdded { id } }"))
    #expect(response.kind == .events)
    let parts = Array(response.parts)
    #expect(parts.count == 4 && parts.allSatisfy { $0.delay == .seconds(2) })
    #expect(Set(parts.map(\.text)).count > 1)
    let endless = try FakeServer(schema: Self.schema, options: FakeServerOptions(eventCount: nil))
    #expect(
      endless.respond(to: FakeServerRequest("subscription { postAdded { id } }")).part(at: 10_000)
        != nil)
  }

  @Test func aTestDecidesWhenEventsAreSent() throws {
    server.sendEvents(after: [.zero, .seconds(5)], at: "added")
    let scripted = server.respond(
      to: FakeServerRequest(
        "subscription { ...F } fragment F on Subscription { added: postAdded { id } }"))
    #expect(scripted.parts.map(\.delay) == [.zero, .seconds(5)])
    let other = server.respond(to: FakeServerRequest("subscription { postAdded { id } }"))
    #expect(Array(other.parts).count == 3)
  }

  // MARK: Schemas

  @Test func aSchemaWithErrorsIsRejected() {
    let error = #expect(throws: FakeServerError.self) {
      try FakeServer(schema: "type Query { a: Nothing }")
    }
    #expect(error?.description.contains("Nothing") == true)
  }
}
