import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

/// Mutations of the kinds that schemas have.
@Suite struct MutationTests {
  @Test func aResultWithoutAKeyShowsItsArguments() throws {
    let server = try FakeServer(
      schema: """
        enum Theme { LIGHT DARK }
        type Query { settings: Settings! }
        type Mutation { updateSettings(theme: Theme, notifications: Boolean): Settings! }
        type Settings { theme: Theme! notifications: Boolean! name: String! }
        """)
    let name = try server.data("{ settings { name } }")["settings"]?["name"]
    for (theme, isOn) in [("DARK", false), ("LIGHT", true), ("DARK", true)] {
      let expected: JSONValue = ["theme": .string(theme), "notifications": .bool(isOn)]
      #expect(
        try server.data(
          "mutation { updateSettings(theme: \(theme), notifications: \(isOn)) { theme notifications } }"
        )["updateSettings"] == expected)
      #expect(try server.data("{ settings { theme notifications } }")["settings"] == expected)
    }
    #expect(try server.data("{ settings { name } }")["settings"]?["name"] == name)
  }

  @Test func aPayloadShowsItsArguments() throws {
    let server = try FakeServer(
      schema: """
        type Query { a: Int }
        type Mutation { setFlag(on: Boolean!, text: String): FlagPayload! }
        type FlagPayload { on: Boolean! text: String ok: Boolean! }
        """)
    #expect(
      try server.data(#"mutation { setFlag(on: false, text: "x") { on text ok } }"#)["setFlag"]
        == ["on": false, "text": "x", "ok": true])
  }

  @Test func aChangeWithoutAKeyConcernsTheViewer() throws {
    let server = try FakeServer(
      schema: """
        type Query { first(n: Int!): User  viewer: User  user(id: ID!): User }
        type Mutation { updateProfile(name: String!): User! setTheme(theme: String!): ThemePayload }
        type ThemePayload { viewer: User theme: String }
        type User { id: ID! name: String! theme: String }
        """)
    let changed = try server.data(#"mutation { updateProfile(name: "Neo") { id name } }"#)
    #expect(try server.data("{ viewer { id name } }")["viewer"] == changed["updateProfile"])
    _ = try server.data(#"mutation { setTheme(theme: "dark") { theme } }"#)
    #expect(
      try server.data("{ viewer { name theme } }")["viewer"] == ["name": "Neo", "theme": "dark"])
  }

  @Test func anObjectThatIsCreatedAgainHasNothingOfTheDeletedOne() throws {
    let server = try FakeServer(
      schema: """
        type Query { post(id: ID!): Post  note(id: ID!): Note }
        type Mutation {
          createNote(id: ID!, postId: ID!, text: String, author: String): Note!
          deleteNote(id: ID!): Boolean!
        }
        type Post { id: ID! notes: [Note!]! }
        type Note { id: ID! text: String! author: String! }
        """)
    func hasNote(_ post: Int) throws -> Bool {
      let notes = try server.data("{ post(id: \(post)) { notes { id } } }")["post"]?["notes"]
      return notes?.arrayValue?.contains { $0["id"] == "7" } == true
    }
    let standard = try server.data("{ note(id: 7) { author } }")["note"]?["author"] ?? .null
    _ = try server.data(#"mutation { createNote(id: 7, postId: 1, author: "Ada") { id } }"#)
    #expect(try hasNote(1))
    _ = try server.data("mutation { deleteNote(id: 7) }")
    _ = try server.data(#"mutation { createNote(id: 7, postId: 2, text: "Hi") { id } }"#)
    #expect(
      try server.data("{ note(id: 7) { text author } }")["note"]
        == ["text": "Hi", "author": standard])
    let posts = try [1, 2].filter(hasNote)
    #expect(posts == [2])
  }

  @Test func anObjectThatIsCreatedAgainHasNoChildrenAndComesLast() throws {
    let server = try FakeServer(
      schema: """
        type Query { posts: [Post!]!  post(id: ID!): Post }
        type Mutation {
          createPost(id: ID!): Post!
          deletePost(id: ID!): Boolean!
          createNote(id: ID!, postId: ID!): Note!
        }
        type Post { id: ID! notes: [Note!]! }
        type Note { id: ID! }
        """)
    func noteIDs() throws -> [JSONValue] {
      try server.data("{ post(id: 1) { notes { id } } }")["post"]?["notes"]?.arrayValue ?? []
    }
    _ = try server.data("mutation { createPost(id: 1) { id } }")
    _ = try server.data("mutation { createPost(id: 2) { id } }")
    let standard = try noteIDs()
    _ = try server.data("mutation { createNote(id: 7, postId: 1) { id } }")
    #expect(try noteIDs() == standard + [["id": "7"]])
    _ = try server.data("mutation { deletePost(id: 1) }")
    _ = try server.data("mutation { createPost(id: 1) { id } }")
    #expect(try noteIDs() == standard)
    let posts = try server.data("{ posts { id } }")["posts"]?.arrayValue ?? []
    #expect(Array(posts.suffix(2)) == [["id": "2"], ["id": "1"]])
  }

  @Test func anIntegerKeyIsReturned() throws {
    let server = try FakeServer(
      schema: """
        type Query { user(id: Int!): User }
        type Mutation {
          deleteUser(id: Int!): Int!
          userDelete(id: Int!): DeletePayload!
          deleteUsers(ids: [Int!]!): [Int!]!
        }
        type DeletePayload { deletedUserId: Int! paid: String valid: String }
        type User { id: Int! name: String! }
        """)
    #expect(try server.data("mutation { deleteUser(id: 5) }") == ["deleteUser": 5])
    #expect(try server.data("{ user(id: 5) { id } }") == ["user": nil])
    let payload = try server.data("mutation { userDelete(id: 6) { deletedUserId paid valid } }")[
      "userDelete"]
    #expect(payload?["deletedUserId"] == 6 && payload?["paid"] != "6" && payload?["valid"] != "6")
    #expect(try server.data("mutation { deleteUsers(ids: [7, 8]) }") == ["deleteUsers": [7, 8]])
    #expect(try server.data("{ user(id: 8) { id } }") == ["user": nil])
  }

  /// Mutations, and the number of objects that they create.
  @Test(arguments: [
    (#"createUser(name: "a") { id }"#, 1), (#"addUser(name: "a") { id }"#, 1),
    (#"insert_users(objects: [{ name: "a" }, { name: "b" }]) { id name }"#, 2),
    (#"createUsers(input: [{ name: "a" }, { name: "b" }, { name: "c" }]) { id name }"#, 3),
    (#"registerAccount(name: "a") { id }"#, 1), (#"postponeUser(id: 1) { id }"#, 0),
    (#"newsletterUnsubscribe(id: 1) { id }"#, 0), (#"addressUpdate(id: 1) { id }"#, 0),
    (#"addUserToTeam(userId: 1, teamId: 2) { name }"#, 0), (#"addStar(userId: 1) { id }"#, 0),
    (#"sendReset(userId: 1) { id }"#, 0),
  ])
  func onlyVerbsThatCreateCreate(mutation: String, count: Int) throws {
    let server = try FakeServer(
      schema: """
        type Query { users(limit: Int): [User!]! teams(limit: Int): [Team!]! }
        type Mutation {
          createUser(name: String): User!
          addUser(name: String): User!
          insert_users(objects: [UserInput!]!): [User!]!
          createUsers(input: [UserInput!]!): [User!]!
          registerAccount(name: String): User!
          postponeUser(id: ID!): User!
          newsletterUnsubscribe(id: ID!): User!
          addressUpdate(id: ID!): User!
          addUserToTeam(userId: ID!, teamId: ID!): Team!
          addStar(userId: ID!): User!
          sendReset(userId: ID!): User!
        }
        input UserInput { name: String! }
        type User { id: ID! name: String! }
        type Team { id: ID! name: String! }
        """)
    let result = try server.data("mutation { result: \(mutation) }")["result"]
    let users = try server.data("{ users(limit: 1000) { id name } }")["users"]?.arrayValue ?? []
    #expect(users.count == 100 + count)
    #expect(try server.data("{ teams(limit: 1000) { id } }")["teams"]?.arrayValue?.count == 100)
    if let created = result?.arrayValue {
      #expect(created.count == count && Array(users.suffix(count)) == created)
    }
  }
}
