import ApolloCodegenLib
import Testing

/// Directives of mutations and subscriptions that change lists of the cache.
@Suite struct ListEditRuleTests {
  private static let schema = """
    type Query { products(first: Int, after: String): Products item(id: ID!): Item }
    type Mutation { add(name: String): Edge item(name: String): Item remove(id: ID!): ID count: Float }
    type Subscription { added: Edge }
    type Products { edges: [Edge] pageInfo: PageInfo! }
    type Edge { cursor: String node: Item }
    type OtherEdge { cursor: String node: Other }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Item { id: ID! name: String }
    type Other { id: ID! edge: OtherEdge }
    extend type Mutation { other: OtherEdge }

    """

  private func project(_ operations: String) throws -> GeneratedProject {
    try GeneratedProject(schema: Self.schema, operations: operations)
  }

  private func text(_ operations: String, _ file: String) throws -> String {
    let project = try project(operations)
    return try project.text(of: try #require(project.files.first { $0.hasSuffix(file) }))
  }

  @Test(arguments: [
    ("add", "{ node { id } }", "appendEdge", "(connections: $lists)"),
    ("add", "{ node { id } }", "prependEdge", "(connections: $lists)"),
    ("item", "{ id }", "appendNode", #"(connections: $lists edgeTypeName: "Edge")"#),
    ("item", "{ id }", "prependNode", #"(connections: $lists edgeTypeName: "Edge")"#),
    ("item", "{ id }", "deleteEdge", "(connections: $lists)"),
    ("item", "{ id }", "deleteRecord", "(connections: $lists)"),
  ])
  func directivesAreOfTheClientAlone(
    field: String, selections: String, directive: String, arguments: String
  ) throws {
    let code = try text(
      """
      mutation M($name: String, $lists: [ID!]!) {
        \(field)(name: $name) @\(directive)\(arguments) \(selections)
      }
      """, "MMutation.graphql.swift")
    #expect(code.contains("mutation M($name: String) { \(field)(name: $name) {"), "\(code)")
    let literal = " @\(directive)\(arguments)"
    #expect(
      code.contains(literal) || code.contains(literal.replacing("\"", with: "\\\"")), "\(code)")
    #expect(code.contains("lists: [ID]"), "\(code)")
  }

  @Test func anOperationWithoutFurtherVariablesIsSentWithoutAny() throws {
    let code = try text(
      "subscription S($lists: [ID!]!) { added @appendEdge(connections: $lists) { node { id } } }",
      "SSubscription.graphql.swift")
    #expect(code.contains("subscription S { added {"), "\(code)")
  }

  @Test func aDocumentCanNameLists() throws {
    let code = try text(
      #"mutation M { remove(id: 1) @deleteRecord(connections: ["products"], typeName: "Item") }"#,
      "MMutation.graphql.swift")
    #expect(code.contains("mutation M { remove(id: 1) }"), "\(code)")
    #expect(code.contains("@deleteRecord(connections: ["), "\(code)")
  }

  @Test(arguments: [
    (
      "query Q($l: [ID!]!) { item(id: 1) @deleteEdge(connections: $l) { id } }",
      "'@deleteEdge' is in a query, but it belongs to the selections of a mutation or a subscription. Move it there."
    ),
    (
      "mutation M($l: [ID!]!) { add { ...F } } fragment F on Edge { node @deleteEdge(connections: $l) { id } }",
      "'@deleteEdge' is in a fragment, but it belongs to the selections of a mutation or a subscription. Move it there."
    ),
    (
      "mutation M($l: [ID!]!) { item @appendEdge(connections: $l) { id } }",
      "'@appendEdge' of 'item' needs an edge, but 'Item' has no field 'node' with an object. Use '@appendNode' for an item."
    ),
    (
      #"mutation M($l: [ID!]!) { item @prependNode(connections: $l, edgeTypeName: "Item") { id } }"#,
      "'@prependNode' of 'item' names the edge type 'Item', which is no type with a field 'node'. Name the type of the edges."
    ),
    (
      #"mutation M($l: [ID!]!) { item @appendNode(connections: $l, edgeTypeName: "OtherEdge") { id } }"#,
      "'@appendNode' of 'item' names the edge type 'OtherEdge', whose 'node' is of the type 'Other' and not 'Item'. Name the type of edges with such nodes."
    ),
    (
      #"mutation M($l: [ID!]!) { count @appendNode(connections: $l, edgeTypeName: "Edge") }"#,
      "'@appendNode' of 'count' needs an object, but 'Float' is none. Put it on a field with an object."
    ),
    (
      "mutation M($l: [ID!]!) { count @deleteEdge(connections: $l) }",
      "'@deleteEdge' of 'count' needs an object or an identifier, but 'Float' is neither. Put it on a field of type 'ID'."
    ),
    (
      "mutation M { remove(id: 1) @deleteRecord }",
      "'@deleteRecord' of 'remove' has an identifier, which says no type. Add 'typeName' with the type of the object."
    ),
    (
      #"mutation M { remove(id: 1) @deleteRecord(typeName: "Nothing") }"#,
      "'@deleteRecord' of 'remove' names the type 'Nothing', which is no object type. Name the type of the deleted objects."
    ),
    (
      #"mutation M { item @deleteRecord(typeName: "Item") { id } }"#,
      "'@deleteRecord' of 'item' has a 'typeName', but the object itself says its type. Remove 'typeName'."
    ),
    (
      #"mutation M { add @appendEdge(connections: ["item"]) { node { id } } }"#,
      "'@appendEdge' of 'add' names the list 'item', which is no connection of the type of queries. Name a field with 'edges', or use a variable with the value of a 'ListID'."
    ),
    (
      #"mutation M { other @appendEdge(connections: ["products"]) { node { id } } }"#,
      "'@appendEdge' of 'other' names the list 'products', whose edges are of the type 'Edge' and not 'OtherEdge'. Name a list of such edges."
    ),
    (
      "mutation M($l: ID!) { remove(id: $l) @deleteEdge(connections: [$l], typeName: \"Item\") }",
      "'$l' names lists of the cache and is not sent, but it is used here as well. Use another variable."
    ),
  ])
  func reportsBadUses(document: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) { try project(document) }
    #expect(
      error?.messages.contains("error: \(problem) [CachePolicies]") == true,
      "\(error?.messages ?? "")")
  }

  /// A directive with another meaning is the server's.
  @Test func aDirectiveOfTheServerIsSent() throws {
    let project = try GeneratedProject(
      schema: Self.schema + "directive @deleteRecord(reason: String) on FIELD",
      operations: #"mutation M { item @deleteRecord(reason: "x") { id } }"#)
    let file = try #require(project.files.first { $0.hasSuffix("MMutation.graphql.swift") })
    #expect(try project.text(of: file).contains(#"@deleteRecord(reason: "x")"#))
  }
}
