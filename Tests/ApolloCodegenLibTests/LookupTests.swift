import ApolloCodegenLib
import Testing

/// The fields that find objects, in the metadata of a schema.
@Suite struct LookupTests {
  /// A schema, and what its metadata says about the query root.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fields: String
    var policies = ""
    var line: String
  }

  static let cases = [
    Case(
      testDescription: "a node", fields: "node(id: ID!): Node",
      line: "type Query; lookup node(id ID!) Node id"),
    Case(
      testDescription: "further arguments that may be left out",
      fields: "node(id: ID!, locale: String, fresh: Boolean! = true): Node!",
      line: "type Query; lookup node(id ID!) Node id"),
    Case(
      testDescription: "a further argument that is required",
      fields: "node(id: ID!, locale: String!): Node", line: "type Query"),
    Case(
      testDescription: "an identifier that is optional", fields: "node(id: ID): Node",
      line: "type Query"),
    Case(
      testDescription: "an identifier of another type", fields: "node(id: Int!): Node",
      line: "type Query"),
    Case(testDescription: "another type", fields: "node(id: ID!): Item", line: "type Query"),
    Case(testDescription: "a list", fields: "node(id: ID!): [Node]", line: "type Query"),
    Case(testDescription: "no argument", fields: "node: Node", line: "type Query"),
    Case(testDescription: "another name", fields: "entity(id: ID!): Node", line: "type Query"),
    Case(
      testDescription: "a policy", fields: "entity(id: ID!): Node node(id: ID!): Node",
      policies: #"@fieldPolicy(forField: "entity", keyArgs: "id")"#,
      line: "type Query; field entity(id); lookup entity(id ID!) Node id; "
        + "lookup node(id ID!) Node id"),
    Case(
      testDescription: "a policy for another key field", fields: "product(sku: String): Product",
      policies: #"@fieldPolicy(forField: "product", keyArgs: "sku")"#,
      line: "type Query; field product(sku); lookup product(sku String) Product code"),
    Case(
      testDescription: "policies of two arguments, of lists and of other types",
      fields: "a(id: ID!, b: ID): Item b(ids: [ID!]): [Item] c(code: Int!): Product "
        + "d(input: Input): Item e(id: ID!): Pair",
      policies: #"@fieldPolicy(forField: "a", keyArgs: "id b") "#
        + #"@fieldPolicy(forField: "b", keyArgs: "ids") "#
        + #"@fieldPolicy(forField: "c", keyArgs: "code") "#
        + #"@fieldPolicy(forField: "d", keyArgs: "input.id") "#
        + #"@fieldPolicy(forField: "e", keyArgs: "id")"#,
      line: "type Query; field a(id, b); field b(ids); field c(code); field d(input.id); "
        + "field e(id)"
    ),
  ]

  @Test(arguments: cases) func theQueryRootHasLookups(example: Case) throws {
    let project = try GeneratedProject(
      schema: """
        type Query { \(example.fields) item: Item }
        interface Node { id: ID! }
        type Item implements Node { id: ID! }
        type Product @typePolicy(keyFields: "code") { code: String! }
        type Pair @typePolicy(keyFields: "id other") { id: ID! other: ID! }
        input Input { id: ID }
        \(example.policies.isEmpty ? "" : "extend type Query \(example.policies)")
        """,
      operations: "query Q { item { id } }")
    let file = try #require(project.files.first { $0.hasSuffix("SchemaMetadata.graphql.swift") })
    let lines = try project.text(of: file).split(separator: "\n")
      .map { $0.drop { $0 == " " } }
    #expect(lines.contains { $0 == example.line }, "\(lines)")
  }

  /// Only the root of queries finds objects.
  @Test func otherTypesHaveNoLookups() throws {
    let project = try GeneratedProject(
      schema: """
        schema { query: Root }
        type Root { viewer: Viewer node(id: ID!): Node }
        type Viewer { node(id: ID!): Node }
        interface Node { id: ID! }
        """,
      operations: "query Q { viewer { node(id: 1) { id } } }")
    let file = try #require(project.files.first { $0.hasSuffix("SchemaMetadata.graphql.swift") })
    let lines = try project.text(of: file).split(separator: "\n")
      .map { $0.drop { $0 == " " } }
    #expect(lines.contains("type Root; lookup node(id ID!) Node id; root"))
    #expect(lines.contains("type Viewer"))
  }
}
