import GraphQLFakeServer
import Testing

import enum ApolloAPI.JSONValue

/// Introspection of the schema of a fake server.
@Suite struct IntrospectionTests {
  private let server: FakeServer

  init() throws {
    server = try FakeServer(
      schema: """
        type Query { hero(id: ID, name: String @deprecated): Color  old: Int @deprecated }
        enum Color { RED OLD @deprecated }
        """)
  }

  @Test func theSchemaIsIntrospected() throws {
    let found = try server.data(
      """
      {
        __typename
        __schema { queryType { name fields { name } } }
        __type(name: "Color") {
          kind
          enumValues { name }
          all: enumValues(includeDeprecated: true) { name isDeprecated }
        }
      }
      """)
    #expect(found["__typename"] == "Query")
    #expect(found["__schema"]?["queryType"]?["fields"]?[0]?["name"] == "hero")
    #expect(found["__type"]?["enumValues"] == [["name": "RED"]])
    #expect(found["__type"]?["all"]?.arrayValue?.count == 2)
    #expect(try server.data(#"{ __type(name: "Nothing") { name } }"#) == ["__type": nil])
  }

  /// Spec: 4.2, "Schema Introspection", `includeDeprecated`. Servers of earlier editions accept a
  /// null, which is not `true`.
  @Test(arguments: [(true, 2), (false, 1), (nil, 1)] as [(JSONValue, Int)])
  func deprecatedElementsAreIncludedIfTheArgumentIsTrue(value: JSONValue, count: Int) throws {
    let found = try server.data(
      """
      query($all: Boolean) {
        color: __type(name: "Color") { enumValues(includeDeprecated: $all) { name } }
        query: __type(name: "Query") {
          fields(includeDeprecated: $all) { args(includeDeprecated: $all) { name } }
        }
      }
      """, ["all": value])
    #expect(found["color"]?["enumValues"]?.arrayValue?.count == count)
    let fields = found["query"]?["fields"]?.arrayValue
    #expect(fields?.count == count)
    #expect(fields?.first?["args"]?.arrayValue?.count == count)
  }

  @Test func introspectionIsNotDeferred() {
    let request = FakeServerRequest("{ __schema { ... @defer { queryType { name } } } }")
    let parts = server.respond(to: request, acceptsParts: true).parts.map(\.text)
    #expect(parts == [#"{"data":{"__schema":{"queryType":{"name":"Query"}}}}"#])
  }
}
