import Apollo
import ApolloFakeServer
import Foundation

// The examples in the documentation of `ApolloFakeServer` and `GraphQLFakeServer`, word for word,
// so that the compiler checks them. `DocumentationExamplesTests` compares the two.

private func makeATransport() throws {
  let server = try FakeServer(schemaFiles: [URL(fileURLWithPath: "GraphQL/schema.graphqls")])
  server.set("Luke", at: "hero.name")
  let apollo = ApolloClient(networkTransport: FakeServerTransport(server))
  _ = apollo
}

private func failAField(_ server: FakeServer) {
  server.fail("Log in.", extensions: ["code": "UNAUTHENTICATED"], times: 1, at: "viewer")
}

private func makeAServer() throws {
  let server = try FakeServer(
    schema: "type Query { hero(id: ID!): Hero } type Hero { id: ID! name: String! }")
  server.set("Luke", at: "hero.name")
  let request = FakeServerRequest("{ hero(id: 7) { id name } }")
  print(server.respond(to: request).text)  // {"data":{"hero":{"id":"7","name":"Luke"}}}
}
