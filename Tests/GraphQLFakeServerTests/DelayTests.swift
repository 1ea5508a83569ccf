import GraphQLFakeServer
import Testing

/// The time that a response takes.
@Suite struct DelayTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: """
        type Query { day: Int  color: Int  posts: [Post!]! }
        type Mutation { updatePost(id: ID!): Post }
        type Post { id: ID! title: String! text: String }
        """)
  }

  /// Returns the delay of a response in one part.
  private func delay(_ query: String) -> Duration? {
    server.respond(to: FakeServerRequest(query)).part(at: 0)?.delay
  }

  @Test func aResponseTakesAsLongAsItsSlowestField() {
    server.delay(.seconds(2), at: "day")
    server.delay(.seconds(3), at: "Post.title")
    #expect(delay("{ day posts { title } }") == .seconds(3))
    #expect(delay("{ color }") == .zero)
  }

  /// Spec: 6.2.2, "Mutation": the root selection set is executed serially.
  @Test func aMutationTakesAsLongAsItsRootFieldsInARow() {
    server.delay(.seconds(1), at: "a")
    server.delay(.seconds(2), at: "a.title")
    server.delay(.seconds(3), at: "b.text")
    server.fail("No.", at: "c")
    server.delay(.seconds(4), at: "c")
    let query = """
      mutation {
        a: updatePost(id: 1) { title }
        b: updatePost(id: 2) { text }
        c: updatePost(id: 3) { id }
      }
      """
    #expect(delay(query) == .seconds(9))
  }
}
