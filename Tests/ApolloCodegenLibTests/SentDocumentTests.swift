import ApolloAPI
import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// The documents that are sent are valid: with the fragments that they name, and with added fields
/// that conflict with no other.
@Suite struct SentDocumentTests {
  private func documents(
    _ schema: String, _ operations: String, options: String = ""
  ) throws -> [String: String] {
    let project = try GeneratedProject(
      schema: schema, operations: operations,
      configuration: """
        "operationManifest": { "path": "manifest", "generateManifestOnCodeGeneration": true }\(options)
        """)
    let manifest = try JSONValue(jsonBytes: Array(project.text(of: "manifest.json").utf8))
    return (manifest["operations"]?.arrayValue ?? []).reduce(into: [:]) { documents, operation in
      documents[operation["name"]?.stringValue ?? ""] = operation["body"]?.stringValue
    }
  }

  // MARK: - Excluded spreads

  private static let users = """
    type Query { user: User! }
    type User { id: ID! name: String! email: String! friend: User }
    """

  private static let fragments = """
    fragment Extra on User { name email }
    fragment Outer on User { id friend @skip(if: true) { ...Extra } }
    """

  @Test(arguments: [
    ("query Q { user { id ...Extra @skip(if: true) } }", ["Extra"]),
    ("query Q { user { id ...Extra @include(if: false) } }", ["Extra"]),
    ("query Q { user { id ... @include(if: false) { ...Extra } } }", ["Extra"]),
    ("query Q { user { id ... on User @skip(if: true) { ... { ...Extra } } } }", ["Extra"]),
    ("query Q { user { id friend @skip(if: true) { friend { ...Extra } } } }", ["Extra"]),
    ("query Q { user { id ...Outer } }", ["Extra", "Outer"]),
    ("query Q { user { id ...Outer @skip(if: true) } }", ["Extra", "Outer"]),
    (
      "query Q($a: Boolean = true) { user { id ...Extra @include(if: $a) @skip(if: $a) } }",
      ["Extra"]
    ),
    (
      "query Q($a: Boolean!) { user { id ... @include(if: $a) { ...Extra @skip(if: $a) } } }",
      ["Extra"]
    ),
    ("query Q { user { id ...Extra ...Extra @skip(if: true) } }", ["Extra"]),
  ])
  func aSpreadThatIsNeverIncludedIsSentWithItsFragment(
    _ operation: String, _ names: [String]
  ) throws {
    for options in [
      "", #", "experimentalFeatures": { "legacySafelistingCompatibleOperations": true }"#,
    ] {
      let sent =
        try documents(
          Self.users, operation + "\n" + Self.fragments, options: options)["Q"] ?? ""
      let found = sent.matches(of: #/fragment (\w+) on/#).map { String($0.1) }
      #expect(found == names, "\(sent)")
    }
  }

  @Test func aModuleOfAFragmentThatIsNeverIncludedIsImported() throws {
    let project = try GeneratedProject(
      schema: Self.users,
      operations: """
        query Q { user { id ...Extra @skip(if: true) } }
        fragment Extra on User @import(module: "Extras") { name }
        """)
    let file = try project.files.filter { $0.hasSuffix("QQuery.graphql.swift") }
      .map(project.text).first
    #expect(file?.contains("import Extras") == true && file?.contains("Extra.self") == true)
  }

  // MARK: - Key fields

  private static let things = """
    type Query { any: Any2 node: Node named: Named }
    union Any2 = Item | Other | Plain
    interface Node { id: ID name: String }
    interface Named { name: String }
    type Item implements Node & Named @typePolicy(keyFields: "id") { id: ID! name: String }
    type Other implements Named @typePolicy(keyFields: "id") { id: ID name: String }
    type Plain implements Named { id: Int name: String }
    """

  @Test(arguments: [
    (
      "query Q { any { ... on Item { name } ... on Other { name } } }",
      "query Q { any { __typename ... on Item { id name } ... on Other { otherId: id name } } }"
    ),
    (
      "query Q { any { ... on Plain { id } ... on Other { name } } }",
      "query Q { any { __typename ... on Plain { id } ... on Other { otherId: id name } } }"
    ),
    (
      "query Q { any { ... on Plain { id: name } ... on Other { name } } }",
      "query Q { any { __typename ... on Plain { id: name } ... on Other { otherId: id name } } }"
    ),
    (
      "query Q { any { ...I ...O } } fragment I on Item { name } fragment O on Other { name }",
      """
      query Q { any { __typename ...I ...O } }
      fragment I on Item { __typename id name }
      fragment O on Other { __typename otherId: id name }
      """
    ),
    // Every object of the interface has a key, under another name in each type.
    (
      "query Q { named { name } }",
      """
      query Q { named { __typename name ... on Item { id } ... on Other { otherId: id } } }
      """
    ),
    // The name is an alias of another field.
    (
      "query Q { any { ... on Item { id: name } } }",
      "query Q { any { __typename ... on Item { itemId: id id: name } } }"
    ),
    // The alias is no name of another field.
    (
      "query Q { any { ... on Plain { id otherId: name } ... on Other { name } } }",
      """
      query Q { any { __typename ... on Plain { id otherId: name } ... on Other { otherId_2: id name } } }
      """
    ),
    // The only key, or one that agrees, keeps its name.
    (
      "query Q { any { ... on Other { name } } }",
      "query Q { any { __typename ... on Other { id name } } }"
    ),
  ])
  func aKeyFieldThatConflictsHasAnAlias(_ operation: String, _ document: String) throws {
    #expect(try documents(Self.things, operation)["Q"] == document)
  }

  // MARK: - The root of a subscription

  private static let subscriptions =
    users
    + " interface Changes { user: User! } type Subscription implements Changes { user: User! }"

  @Test(arguments: [
    "", #", "experimentalFeatures": { "legacySafelistingCompatibleOperations": true }"#,
  ])
  func nothingIsAddedToFragmentsAtTheRootOfASubscription(_ options: String) throws {
    let sent = try documents(
      Self.subscriptions,
      """
      subscription S { ... on Subscription { ...Changed } ... on Changes { ... { user { name } } } }
      fragment Changed on Subscription { user { id } }
      """, options: options)
    #expect(
      sent["S"] == """
        subscription S { ... on Subscription { ...Changed } ... on Changes { ... { user { __typename name } } } }
        fragment Changed on Subscription { user { __typename id } }
        """, "\(sent)")
  }

  @Test func theModelOfAFragmentAtTheRootOfASubscriptionHasNoTypename() throws {
    let project = try GeneratedProject(
      schema: Self.subscriptions,
      operations: """
        subscription S { ...Changed }
        fragment Changed on Subscription { user { id } }
        """,
      configuration: #""options": { "selectionSetInitializers": { "namedFragments": true } }"#)
    let file = try #require(project.files.first { $0.hasSuffix("Changed.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("fragment Changed on Subscription { user { __typename id } }"))
    // Only the user has one.
    #expect(text.components(separatedBy: "var __typename: String").count == 2, "\(text)")
    #expect(text.contains("init(user: User)"), "\(text)")
  }

  /// Other objects than the root may need the name of their type.
  @Test func aFragmentOnAnInterfaceCannotBeAtTheRootOfASubscription() throws {
    let error = #expect(throws: GenerationError.self) {
      try documents(
        Self.subscriptions,
        "subscription S { ...Changed } fragment Changed on Changes { user { id } }")
    }
    #expect(
      error?.messages.contains("The field '__typename' is added there. [SingleFieldSubscriptions]")
        == true, "\(error?.messages ?? "nothing")")
  }

  // MARK: - Fields that servers refuse

  @Test func anAddedFieldThatServersRefuseIsAnErrorAtTheSelection() throws {
    let error = #expect(throws: GenerationError.self) {
      try documents(
        """
        type Query { things: [Thing!]! }
        type Thing @typePolicy(keyFields: "id") { id(format: Int!): ID! name: String }
        """,
        """
        query Q {
          things { name }
        }
        """)
    }
    #expect(
      error?.messages == """
        operations.graphql:2:3: error: The document of 'Q' would not be valid as it is sent: \
        Field "id" argument "format" of type "Int!" is required, but it was not provided. The field \
        'id' is added there. [ProvidedRequiredArguments]

        """, "\(error?.messages ?? "nothing")")
  }

  @Test func aVariableThatOnlyATypenameUsesIsUsedInLegacyDocumentsToo() throws {
    let sent = try documents(
      Self.users, "query Q($a: Boolean!) { user { __typename @include(if: $a) id } }",
      options: #", "experimentalFeatures": { "legacySafelistingCompatibleOperations": true }"#)
    #expect(
      sent["Q"]
        == "query Q($a: Boolean!) { user { __typename __typename @include(if: $a) id } }")
  }

  /// The runtime finds a key field by its name in the schema.
  @Test func theModelHasAPropertyForTheAlias() throws {
    let project = try GeneratedProject(
      schema: Self.things,
      operations: "query Q { any { ... on Item { name } ... on Other { name } } }")
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("otherId:id ID"))
    #expect(text.contains("var otherId: API.ID?") || text.contains("var otherId: ID?"))
  }

  private static let nodes = """
    type Query { nodes: [Node!]! things: [Thing!]! }
    interface Node { id: ID! name: String }
    interface Thing { label: String }
    type A implements Node & Thing @typePolicy(keyFields: "id") { id: ID! name: String label: String sku: Int }
    type B implements Node & Thing @typePolicy(keyFields: "id") { id: ID! name: String label: String }
    type C implements Thing @typePolicy(keyFields: "sku code") { sku: String! code: Int! label: String }
    type D implements Thing { label: String }
    """

  @Test(arguments: [
    ("query Q { nodes { name } }", "query Q { nodes { __typename id name } }"),
    ("query Q { nodes { name id } }", "query Q { nodes { __typename name id } }"),
    (
      "query Q($a: Boolean!) { nodes { name id @include(if: $a) } }",
      "query Q($a: Boolean!) { nodes { __typename id name id @include(if: $a) } }"
    ),
    (
      "query Q { things { label } }",
      """
      query Q { things { __typename label ... on A { id } ... on B { id } ... on C { sku code } } }
      """
    ),
    (
      "query Q { things { label ... on C { label } } }",
      """
      query Q { things { __typename label ... on C { sku code label } ... on A { id } ... on B { id } } }
      """
    ),
    (
      "query Q($c: Boolean!) { things { label ... on C @include(if: $c) { label } } }",
      """
      query Q($c: Boolean!) { things { __typename label ... on C @include(if: $c) { sku code label } \
      ... on A { id } ... on B { id } ... on C { sku code } } }
      """
    ),
    // The selections around have the keys already, and no object of theirs is a C.
    (
      "query Q { nodes { name ... on Thing { label } } }",
      "query Q { nodes { __typename id name ... on Thing { label } } }"
    ),
    // Nothing of the other objects is read.
    (
      "query Q { things { ... on A { label } } }",
      "query Q { things { __typename ... on A { id label } } }"
    ),
  ])
  func theKeysOfTheObjectsOfAnInterfaceAreSelected(
    _ operation: String, _ document: String
  ) throws {
    #expect(try documents(Self.nodes, operation)["Q"] == document)
  }

  @Test func aFragmentWithKeysAloneHasNoModel() throws {
    let project = try GeneratedProject(
      schema: Self.nodes, operations: "query Q { things { label } }")
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(!text.contains("AsC") && text.contains("...C {sku String! code Int!}"))
  }

  private static let nodesInParts = """
    directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    \(nodes)
    """

  /// A field that a model promises must be in every response that has the object, and a key that is
  /// sent must be read.
  @Test(arguments: [
    // Key fields inside of fragments that change nothing.
    ("query Q { things { ... { label } } }", "label String ...A {id ID!} ...B {id ID!} ...C {"),
    ("query Q { things { ... on Thing { label } } }", "...C {sku String! code Int!}}!]!"),
    // They are there under the condition alone.
    (
      "query Q($a: Boolean!) { things { __typename } things @include(if: $a) { label } }",
      "...C {sku String! code Int!}} @include(if: $a)}!]!"
    ),
    // They arrive with the deferred fragment.
    (
      "query Q { things { ... on C @defer { label } } }",
      "...C {+__typename sku String! code Int! label String} @defer(label: \"deferred\")}}!]!"
    ),
    (
      "query Q($a: Boolean!) { things { ... on C @include(if: $a) @defer { label } } }",
      "sku String! code Int! label String} @defer(label: \"deferred\")} @include(if: $a)}!]!"
    ),
  ])
  func keyFieldsAreReadWhereTheyAreSent(_ operation: String, _ selections: String) throws {
    let project = try GeneratedProject(
      schema: Self.nodesInParts, operations: operation)
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains(selections), "\(text)")
    #expect(text.components(separatedBy: "sku String!").count == 2, "\(text)")
  }

  /// The fragment that is not deferred has them too.
  @Test func keyFieldsOfADeferredFragmentAreAlsoThoseOfTheObject() throws {
    let project = try GeneratedProject(
      schema: Self.nodesInParts,
      operations: "query Q { things { label ... on C @defer { label } } }")
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.components(separatedBy: "sku String! code Int!").count == 3, "\(text)")
    #expect(text.contains("... on C { sku code }"), "\(text)")
  }

  // MARK: - Numbers

  @Test func aLongNumberIsWrittenAsADouble() throws {
    let project = try GeneratedProject(
      schema: "type Query { f(max: Float, min: Float): Int }",
      operations: """
        query Q($max: Float = 10000000000000000000, $min: Float = 1e999) { f(max: $max, min: $min) }
        """)
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("max: GraphQLNullable<Double> = 1e+19"))
    #expect(text.contains("min: GraphQLNullable<Double> = nil"))
  }
}
