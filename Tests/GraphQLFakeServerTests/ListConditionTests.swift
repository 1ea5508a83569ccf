import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

/// Lists whose arguments say what the objects have.
@Suite struct ListConditionTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: """
        enum State { OPEN CLOSED DRAFT OLD @deprecated }
        interface Item { id: ID! state: State! }
        type Issue implements Item {
          id: ID! state: State! isLocked: Boolean! title: String! score: Int author: User
          label(name: String): String labels: [String!]!
        }
        type Change implements Item { id: ID! state: State! }
        type User { id: ID! name: String! issues(state: State, first: Int): Issues! }
        type Issues { nodes: [Issue!]! edges: [IssueEdge!]! totalCount: Int! pageInfo: PageInfo! }
        type IssueEdge { node: Issue! cursor: String! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }
        type Note { state: State! text: String! }
        input Where { state: StateTest isLocked: Test author: Key q: String }
        input StateTest { eq: State in: [State!] not: State }
        input Test { _eq: Boolean }
        input Key { id: IDTest }
        input IDTest { eq: ID in: [ID!] }
        type Query {
          issues(
            state: State, states: [State!], stateIn: [State!], isLocked: Boolean, title: String, score: Int,
            authorId: ID, authorIds: [ID!], author_id: ID, author: ID, where: Where, filter: Where, ids: [ID!], id: ID,
            label: String, labels: [String!], limit: Int, offset: Int, search: String
          ): [Issue!]!
          page(states: [State!], first: Int, after: String): Issues!
          drafts(state: State = DRAFT, limit: Int): [Issue!]!
          items(state: State, limit: Int): [Item!]!
          notes(state: State, limit: Int): [Note!]!
          user(id: ID!): User
          issue(id: ID!): Issue
        }
        type Mutation {
          createIssue(state: State!, title: String, authorId: ID): Issue!
          updateIssue(id: ID!, state: State!): Issue!
          deleteIssue(id: ID!): Issue
        }
        """)
  }

  private let fields = "id state isLocked title score author { id }"

  private func issues(_ arguments: String) throws -> [JSONValue] {
    try server.data("{ issues(\(arguments)) { \(fields) } }")["issues"]?.arrayValue ?? []
  }

  @Test(arguments: [
    ("state: OPEN", ["OPEN"]), ("states: [OPEN]", ["OPEN"]), ("stateIn: [CLOSED]", ["CLOSED"]),
    ("states: [OPEN, DRAFT]", ["OPEN", "DRAFT"]), ("where: { state: { eq: CLOSED } }", ["CLOSED"]),
    ("filter: { state: { in: [OPEN, CLOSED] } }", ["OPEN", "CLOSED"]),
    // None of the objects has it by itself.
    ("state: OLD", ["OLD"]),
    ("state: OPEN, search: \"x\"", ["OPEN"]),
  ])
  func objectsHaveOneOfTheValues(arguments: String, states: [JSONValue]) throws {
    let found = try issues("\(arguments), limit: 30")
    #expect(found.count == 30)
    #expect(Set(found.compactMap { $0["state"] }) == Set(states))
    #expect(Set(found.compactMap { $0["id"] }).count == 30)
    // Each object is the same elsewhere.
    for issue in found.prefix(3) {
      let id = try #require(issue["id"]?.stringValue)
      #expect(try server.data("{ issue(id: \"\(id)\") { \(fields) } }")["issue"] == issue)
    }
  }

  @Test func severalConditionsHoldTogether() throws {
    let found = try issues(
      #"state: OPEN, where: { isLocked: { _eq: true } }, title: "Lost", authorId: "7", limit: 5"#)
    #expect(found.count == 5)
    for issue in found {
      #expect(issue["state"] == "OPEN" && issue["isLocked"] == true && issue["title"] == "Lost")
      #expect(issue["author"] == ["id": "7"])
    }
    let common = try issues("state: OPEN, isLocked: false, limit: 50")
    #expect(common.count == 50)
    #expect(common.allSatisfy { $0["state"] == "OPEN" && $0["isLocked"] == false })
  }

  @Test(arguments: [
    #"authorId: "7""#, #"author_id: "7""#, #"author: "7""#, #"authorIds: ["7"]"#,
    #"where: { author: { id: { eq: "7" } } }"#, #"where: { author: { id: { in: ["7"] } } }"#,
  ])
  func objectsLeadToTheObjectWithAKey(arguments: String) throws {
    let found = try issues(arguments)
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0["author"] == ["id": "7"] }, "\(found)")
  }

  @Test func aKeyOfTheObjectsThemselvesNamesThem() throws {
    #expect(try issues(#"ids: ["a", "b"]"#).map { $0["id"] } == ["a", "b"])
    #expect(try issues(#"id: "a""#).map { $0["id"] } == ["a"])
  }

  @Test(arguments: [
    // Other fields, ranges, and fields with arguments or of lists say nothing that is obeyed.
    #"search: "x""#, "where: { state: { not: OPEN } }", #"label: "x""#, #"labels: ["x"]"#,
    #"where: { q: "x" }"#,
  ])
  func otherArgumentsAreNoConditions(arguments: String) throws {
    let found = try issues("\(arguments), limit: 50")
    #expect(found.count == 50)
    #expect(Set(found.compactMap { $0["state"] }).count == 3)
  }

  @Test func pagesOfAListWithConditionsFollowEachOther() throws {
    let whole = try server.data(
      "{ page(states: [OPEN], first: 20) { totalCount nodes { id state } } }")
    let first = try server.data(
      "{ page(states: [OPEN], first: 8) { nodes { id state } pageInfo { endCursor hasNextPage } } }"
    )
    let cursor = try #require(first["page"]?["pageInfo"]?["endCursor"]?.stringValue)
    let second = try server.data(
      "{ page(states: [OPEN], first: 12, after: \"\(cursor)\") { nodes { id state } } }")
    let nodes = [first, second].flatMap { $0["page"]?["nodes"]?.arrayValue ?? [] }
    #expect(nodes == whole["page"]?["nodes"]?.arrayValue && nodes.count == 20)
    #expect(nodes.allSatisfy { $0["state"] == "OPEN" })
    #expect(whole["page"]?["totalCount"] == 100)
    #expect(
      try issues("state: OPEN, limit: 10, offset: 10")
        == Array(issues("state: OPEN, limit: 20")[10...]))
  }

  @Test func defaultsAndListsOfObjectsAreObeyedToo() throws {
    let drafts = try server.data("{ drafts(limit: 20) { state } }")["drafts"]?.arrayValue
    #expect(drafts == Array(repeating: ["state": "DRAFT"], count: 20))
    let items = try server.data("{ items(state: CLOSED, limit: 20) { __typename state } }")["items"]
    #expect(Set(items?.arrayValue?.compactMap { $0["state"] } ?? []) == ["CLOSED"])
    #expect(Set(items?.arrayValue?.compactMap { $0["__typename"] } ?? []).count == 2)
    let user = try server.data(
      #"{ user(id: "7") { issues(state: OPEN, first: 9) { edges { node { state } } } } }"#)
    let edges = user["user"]?["issues"]?["edges"]?.arrayValue ?? []
    #expect(edges == Array(repeating: ["node": ["state": "OPEN"]], count: 9))
    // Objects without a key.
    for state in ["OPEN", "CLOSED", "OLD"] {
      let notes = try server.data("{ notes(state: \(state), limit: 9) { state text } }")["notes"]
      #expect(notes?.arrayValue?.map { $0["state"] } == Array(repeating: .string(state), count: 9))
    }
  }

  @Test func mutationsMoveObjectsFromListToList() throws {
    let before = try issues("state: OPEN, limit: 5")
    let id = try #require(before.first?["id"]?.stringValue)
    _ = try server.data("mutation { updateIssue(id: \"\(id)\", state: CLOSED) { id } }")
    let after = try issues("state: OPEN, limit: 200")
    #expect(!after.contains { $0["id"]?.stringValue == id })
    #expect(after.map { $0["id"] }.prefix(4) == before.map { $0["id"] }.dropFirst().prefix(4))

    let created = try server.data(
      #"mutation { createIssue(state: DRAFT, title: "New", authorId: "7") { id } }"#)
    let new = created["createIssue"]?["id"]
    #expect(try issues("state: DRAFT, limit: 200").contains { $0["id"] == new })
    #expect(try issues(#"authorId: "7", limit: 200"#).contains { $0["id"] == new })
    #expect(try !issues("state: OPEN, limit: 200").contains { $0["id"] == new })
    #expect(try !issues(#"authorId: "8", limit: 200"#).contains { $0["id"] == new })

    let made = try #require(try issues(#"authorId: "9""#).first?["id"]?.stringValue)
    _ = try server.data("mutation { deleteIssue(id: \"\(made)\") { id } }")
    #expect(try !issues(#"authorId: "9", limit: 200"#).contains { $0["id"]?.stringValue == made })
  }

  @Test func anotherServerHasTheSameLists() throws {
    let arguments = #"state: OPEN, authorId: "7", limit: 9"#
    let other = try ListConditionTests()
    _ = try other.issues("state: OPEN, limit: 9")
    #expect(try issues(arguments) == other.issues(arguments))
    #expect(try issues("state: OPEN, limit: 9") == other.issues("state: OPEN, limit: 9"))
  }
}
