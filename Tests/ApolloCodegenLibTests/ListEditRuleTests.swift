import ApolloCodegenLib
import GraphQLSyntax
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
    type Item { id: ID! name: String related(ids: [ID!]): Item }
    directive @trace(ids: [ID!]) on MUTATION
    type Other { id: ID! edge: OtherEdge }
    extend type Mutation { other: OtherEdge sum: SumEdge keyed: ID node: Node }
    type SumEdge { cursor: Int! node: Item }
    type Region @typePolicy(keyFields: "id region") { id: ID! region: ID! }
    type Keyless { name: String }
    interface Node { id: ID! }
    interface Named { id: ID! name: String }
    type Both implements Node & Named { id: ID! name: String }
    type BothEdge { cursor: String node: Named }
    type PlainEdge { node: Item }
    type Unnamed implements Node { id: ID! }
    union Any = Both | Item
    extend type Mutation { both: Both named: Named any: [Any!] }
    interface AnyEdge { cursor: String node: Item }
    enum Position { FIRST }
    type PlaceEdge { cursor: Position node: Item }
    type CursorsEdge { cursor: [String] node: Item }
    scalar Cursor
    type CursorEdge { cursor: Cursor! node: Item }

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
      "'@prependNode' of 'item' names the edge type 'Item', which is no object type with a field 'node'. Name the type of the edges."
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
      "'@deleteRecord' of 'remove' is on an identifier without a type. Add 'typeName' with the type of the object."
    ),
    (
      #"mutation M { remove(id: 1) @deleteRecord(typeName: "Nothing") }"#,
      "'@deleteRecord' of 'remove' names the type 'Nothing', which is no object type. Name the type of the deleted objects."
    ),
    (
      #"mutation M { item @deleteRecord(typeName: "Item") { id } }"#,
      "'@deleteRecord' of 'item' has a 'typeName', but an object has a type. Remove 'typeName'."
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
    (
      "mutation M($l: [ID!]!) { add @appendEdge(connections: $l) { node { ...F } } } fragment F on Item { related(ids: $l) { id } }",
      "'$l' names lists of the cache and is not sent, but it is used here as well. Use another variable."
    ),
    (
      "mutation M($l: [ID!]!) @trace(ids: $l) { add @appendEdge(connections: $l) { node { id } } }",
      "'$l' names lists of the cache and is not sent, but it is used here as well. Use another variable."
    ),
    (
      "mutation M($l: [ID!]!, $t: String!) { item @appendNode(connections: $l, edgeTypeName: $t) { id } }",
      "'@appendNode' of 'item' has a variable as 'edgeTypeName', but the type is part of the operation. Write a string."
    ),
    (
      "mutation M($l: [ID!]!, $t: String!) { remove(id: 1) @deleteEdge(connections: $l, typeName: $t) }",
      "'@deleteEdge' of 'remove' has a variable as 'typeName', but the type is part of the operation. Write a string."
    ),
    (
      #"mutation M { keyed @deleteRecord(typeName: "Region") }"#,
      "'@deleteRecord' of 'keyed' names the type 'Region', which has the keys 'id' and 'region'. Put it on a field with the object."
    ),
    (
      #"mutation M { keyed @deleteRecord(typeName: "Keyless") }"#,
      "'@deleteRecord' of 'keyed' names the type 'Keyless', whose objects have no key. Name a key field with '@typePolicy'."
    ),
    (
      "mutation M($l: [ID!]!) { add @appendEdge(connections: $l) { cursor } }",
      "'@appendEdge' of 'add' needs an edge with its item, but 'node' is not selected. Select 'node'."
    ),
    (
      #"mutation M($l: [ID!]!) { item @appendNode(connections: $l, edgeTypeName: "SumEdge") { id } }"#,
      "'@appendNode' of 'item' names the edge type 'SumEdge', whose 'cursor' is no text, so that it cannot be empty. Use '@appendEdge' or '@prependEdge' with an edge of the server."
    ),
    (
      #"mutation M($l: [ID!]!) { item @prependNode(connections: $l, edgeTypeName: "PlaceEdge") { id } }"#,
      "'@prependNode' of 'item' names the edge type 'PlaceEdge', whose 'cursor' is no text, so that it cannot be empty. Use '@appendEdge' or '@prependEdge' with an edge of the server."
    ),
    (
      #"mutation M($l: [ID!]!) { item @appendNode(connections: $l, edgeTypeName: "CursorsEdge") { id } }"#,
      "'@appendNode' of 'item' names the edge type 'CursorsEdge', whose 'cursor' is no text, so that it cannot be empty. Use '@appendEdge' or '@prependEdge' with an edge of the server."
    ),
    (
      #"mutation M($l: [ID!]!) { item @appendNode(connections: $l, edgeTypeName: "AnyEdge") { id } }"#,
      "'@appendNode' of 'item' names the edge type 'AnyEdge', which is no object type with a field 'node'. Name the type of the edges. Did you mean 'Edge'?"
    ),
    (
      #"mutation M { add @appendEdge(connections: ["prodcts"]) { node { id } } }"#,
      "'@appendEdge' of 'add' names the list 'prodcts', which is no connection of the type of queries. Name a field with 'edges', or use a variable with the value of a 'ListID'. Did you mean 'products'?"
    ),
    (
      #"mutation M($l: [ID!]! = ["prodcts"]) { add @appendEdge(connections: $l) { node { id } } }"#,
      "'@appendEdge' of 'add' names the list 'prodcts', which is no connection of the type of queries. Name a field with 'edges', or use a variable with the value of a 'ListID'. Did you mean 'products'?"
    ),
    (
      "mutation M { add @appendEdge(connections: [1]) { node { id } } }",
      "'@appendEdge' of 'add' names the list 1, which is no name. Write the name of a field, or use a variable with the value of a 'ListID'."
    ),
    (
      #"mutation M { add @appendEdge(connections: ["__Featurd_connection"]) { node { id } } } query Q { products(first: 1) @connection(key: "Featured") { edges { node { id } } pageInfo { endCursor hasNextPage } } }"#,
      "'@appendEdge' of 'add' names the list '__Featurd_connection', but no field has a '@connection' with this key. Name the key of a '@connection'. Did you mean '__Featured_connection'?"
    ),
    (
      #"mutation M { add @appendEdge(connections: ["[1]"]) { node { id } } }"#,
      "'@appendEdge' of 'add' contains the text of a 'ListID', which may have another form in a later version. Use a variable with the value of a 'ListID'."
    ),
    (
      #"mutation M { remove(id: 1) @deleteEdge(connections: ["products"], typeName: "Other") }"#,
      "'@deleteEdge' of 'remove' names the list 'products', whose items are of the type 'Item' and not 'Other'. Name a list of such items."
    ),
  ])
  func reportsBadUses(document: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) { try project(document) }
    #expect(
      error?.messages.contains("error: \(problem) [CachePolicies]") == true,
      "\(error?.messages ?? "")")
  }

  /// The types of the field and of the nodes have object types in common. If the field can have
  /// other objects, those are left out at run time.
  @Test(arguments: [
    ("node", "BothEdge", #" nodeTypes: ["Both"]"#), ("both", "BothEdge", ""),
    ("named", "BothEdge", ""), ("item", "Edge", ""), ("item", "CursorEdge", ""),
    ("any", "BothEdge", #" nodeTypes: ["Both"]"#),
    ("any", "PlainEdge", #" nodeTypes: ["Item"]"#),
  ])
  func aNodeMayBeOfATypeThatOverlaps(field: String, edge: String, nodeTypes: String) throws {
    let code = try text(
      """
      mutation M($l: [ID!]!) {
        \(field) @appendNode(connections: $l, edgeTypeName: "\(edge)") { __typename }
      }
      """, "MMutation.graphql.swift"
    ).replacing("\\\"", with: "\"")
    #expect(
      code.contains(#"@appendNode(connections: $l edgeTypeName: "\#(edge)"\#(nodeTypes))"#),
      "\(code)")
  }

  /// Items of other types are left out, so that the selections for those in the list count.
  @Test(arguments: [
    ("any", "... on Item { name }", true), ("any", "... on Both { name }", false),
    ("any", "... on Item { id }", false), ("item", "name", true), ("item", "id", false),
  ])
  func warnsAboutItemsWithLessThanAListSelects(
    field: String, selections: String, isEnough: Bool
  ) throws {
    let project = try GeneratedProject(
      schema: Self.schema + #"extend type Query @typePolicy(connectionFields: "products")"#,
      operations: """
        query Q { products { edges { node { name } } pageInfo { endCursor hasNextPage } } }
        mutation M($l: [ID!]!) {
          \(field) @appendNode(connections: $l, edgeTypeName: "Edge") { \(selections) }
        }
        """)
    let found = project.report.diagnostics.filter { $0.rule == "MergedPages" }.map(\.message)
    let message =
      "'@appendNode' of '\(field)' inserts items without 'name', which the merged list 'products' "
      + "selects. It ends before the page of such an item. Select what is missing, or set the rule "
      + "'MergedPages' to 'off'."
    #expect(found == (isEnough ? [] : [message]))
  }

  /// Each occurrence of a field has its own directives, under its own conditions.
  @Test(arguments: [
    (
      "remove(id: 1) @include(if: $a) @deleteEdge(connections: $l, typeName: \"Item\") remove(id: 1)",
      ["@deleteEdge(connections: $l typeName: \"Item\" include: [$a])"], []
    ),
    (
      "remove(id: 1) @include(if: $a) @deleteEdge(connections: $l, typeName: \"Item\") remove(id: 1) @skip(if: $a)",
      [
        "@deleteEdge(connections: $l typeName: \"Item\") @include(if: $a)",
        "remove(id: 1) ID @skip(if: $a)",
      ],
      ["include: ["]
    ),
    (
      "item @include(if: $a) @deleteRecord(connections: $l) { id } item { id }",
      ["@deleteRecord(connections: $l include: [$a])"], []
    ),
  ])
  func conditionsApplyToTheDirectivesOfTheirOccurrence(
    selections: String, present: [String], absent: [String]
  ) throws {
    let code = try text(
      "mutation M($a: Boolean!, $l: [ID!]!) { \(selections) other { node { id } } }",
      "MMutation.graphql.swift"
    ).replacing("\\\"", with: "\"")
    for text in present { #expect(code.contains(text), "\(code)") }
    for text in absent { #expect(!code.contains(text), "\(code)") }
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
