import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// Lists whose pages the cache merges: their declarations in schemas and documents.
@Suite struct ListPolicyTests {
  private static let types = """
    type Query {
      products(category: String, first: Int, after: String): Products
      items(category: String, offset: Int, limit: Int): [Item]
      users(page: Int, size: Int): [Item!]!
      item(id: ID!): Item
    }
    type Products { edges: [Edge] pageInfo: PageInfo! }
    type Edge { cursor: String node: Item }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Item { id: ID! name: String }

    """

  private func project(_ schema: String, _ operations: String) throws -> GeneratedProject {
    try GeneratedProject(schema: Self.types + schema, operations: operations)
  }

  private func text(of project: GeneratedProject, _ suffix: String) throws -> String {
    try project.text(of: try #require(project.files.first { $0.hasSuffix(suffix) }))
  }

  @Test func theMetadataHasThePoliciesOfLists() throws {
    let project = try project(
      """
      extend type Query @typePolicy(connectionFields: "products")
        @fieldPolicy(forField: "products", keyArgs: "category")
        @fieldPolicy(forField: "items", paginationArgs: "offset, limit")
        @fieldPolicy(forField: "users", paginationArgs: "page size", keyArgs: "")
        @fieldPolicy(forField: "item", keyArgs: "id")
      """, "query Q { products { edges { cursor } } }")
    let metadata = try text(of: project, "SchemaMetadata.graphql.swift")
    #expect(
      metadata.contains(
        "type Query; field item(id); list items(offset offset limit); list products(connection); "
          + "filter products(category); list users(page page size); filter users()"),
      "\(metadata)")
  }

  @Test func aConnectionOfADocumentIsNotSent() throws {
    let project = try project(
      "",
      #"query Q { products(first: 2) @connection(key: "Featured", filters: ["category"]) { pageInfo { endCursor } } }"#
    )
    let query = try text(of: project, "QQuery.graphql.swift")
    #expect(query.contains("query Q { products(first: 2) { __typename pageInfo"))
    #expect(query.contains(#" @connection(key: "Featured" filters: ["category"])"#), "\(query)")
  }

  /// A directive with another meaning is the server's.
  @Test func aConnectionOfTheServerIsSent() throws {
    let project = try project(
      "directive @connection(name: String) on FIELD",
      #"query Q { products @connection(name: "x") { pageInfo { endCursor } } }"#)
    let query = try text(of: project, "QQuery.graphql.swift")
    #expect(query.contains(#"products @connection(name: "x") {"#), "\(query)")
    #expect(!query.contains("filters"))
  }

  @Test(arguments: [
    (
      #"extend type Query @typePolicy(connectionFields: "product")"#,
      "'@typePolicy' of 'Query' names the connection 'product', which 'Query' does not have. Name fields of the type."
    ),
    (
      #"extend type Query @typePolicy(connectionFields: "items")"#,
      "'@typePolicy' of 'Query' names the connection 'items', whose type has no 'pageInfo'. Name fields that are connections, or use '@fieldPolicy' with 'paginationArgs:'."
    ),
    (
      "extend type Query @typePolicy",
      "'@typePolicy' of 'Query' says nothing. Add 'keyFields:' or 'connectionFields:'."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "items", paginationArgs: "skip limit")"#,
      "'@fieldPolicy' of 'Query' names the argument 'skip', which the field 'items' does not have. Name arguments of the field."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "item", paginationArgs: "id")"#,
      "'@fieldPolicy' of 'Query' is for the field 'item', which is no list of objects. Name a field whose pages are lists."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "users", paginationArgs: "page")"#,
      "'@fieldPolicy' of 'Query' names the number of a page of 'users' without the argument with its size. Name that one, too: 'paginationArgs: \"page size\"'."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "item")"#,
      "'@fieldPolicy' of 'Query' names no argument. Add 'keyArgs:' with those that tell the objects apart, or 'paginationArgs:' with those that select a page."
    ),
  ])
  func reportsProblemsOfSchemas(schema: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try project(schema, "query Q { item(id: 1) { name } }")
    }
    #expect(
      error?.messages.contains("error: \(problem) [CachePolicies]") == true,
      "\(error?.messages ?? "")")
  }

  @Test(arguments: [
    (
      #"query Q { item(id: 1) @connection(key: "x") { name } }"#,
      "'item' is no connection: its type has no 'pageInfo'. Remove '@connection'."
    ),
    (
      #"query Q { products @connection(filters: ["size"]) { pageInfo { endCursor } } }"#,
      "'@connection' names the filter 'size', which is no argument of 'products'. Name arguments of the field."
    ),
    (
      "query Q($key: String) { products @connection(key: $key) { pageInfo { endCursor } } }",
      "'@connection' of 'products' has a variable, but names of lists are fixed. Write a string."
    ),
  ])
  func reportsProblemsOfDocuments(document: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) { try project("", document) }
    #expect(
      error?.messages.contains("error: \(problem) [CachePolicies]") == true,
      "\(error?.messages ?? "")")
  }

  // MARK: - Selections of pages

  private static let lack =
    "This page of the merged list 'products' is kept apart from the others, because it lacks "
  private static let advice = "Select what is missing, or set the rule 'MergedPages' to 'off'."

  @Test(
    arguments: [
      ("{ products { edges { node { id } } pageInfo { endCursor hasNextPage } } }", nil),
      ("{ products { pageInfo { endCursor } } }", nil),
      ("{ items { id } }", nil),
      (
        "{ products { edges { node { id } } ...P } } fragment P on Products { pageInfo { ...I } } "
          + "fragment I on PageInfo { ... { endCursor } hasNextPage }", nil
      ),
      (
        "{ products { edges { node { id } } } }",
        "\(lack)'pageInfo { endCursor hasNextPage }'. \(advice)"
      ),
      (
        "{ products { edges { node { id } } pageInfo { endCursor } } }",
        "\(lack)'pageInfo { endCursor hasNextPage }'. \(advice)"
      ),
      (
        "{ products { edges { cursor } pageInfo { endCursor } } }",
        "\(lack)'edges { node }' and 'pageInfo { endCursor hasNextPage }'. \(advice)"
      ),
      (
        "query Q { items { id } } fragment F on Query { products { edges { node { id } } } }",
        "\(lack)'pageInfo { endCursor hasNextPage }'. \(advice)"
      ),
    ] as [(String, String?)])
  func warnsAboutPagesThatAreNotWhole(operations: String, message: String?) throws {
    let project = try project(
      #"extend type Query @typePolicy(connectionFields: "products")"#,
      operations.hasPrefix("query") ? operations : "query Q " + operations)
    let found = project.report.diagnostics.filter { $0.rule == "MergedPages" }
    #expect(found.map(\.message) == (message.map { [$0] } ?? []))
    #expect(found.allSatisfy { $0.severity == .warning })
  }
}
