import ApolloCodegenLib
import Testing

/// Names that would be equal in Swift. They are changed with a warning, or reported if that is not
/// possible. `Fixtures/Collisions` shows and runs the generated code.
@Suite struct NameCollisionTests {
  @Test func warnsOfChangedNames() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { color: Color, set(where: Where): Int, value: Int, VALUE: Int }
        enum Color { DARK_RED, dark_red, LIGHT }
        input Where { self: Int }
        """,
      operations: """
        query Colors($where: Where, $a_b: Int, $aB: Int) {
          color
          value VALUE
          a: set(where: $where) b: set(where: {self: $a_b}) c: set(where: {self: $aB})
        }
        fragment Color on Query { color }
        """)
    #expect(
      project.warnings == """
        operations.graphql:6:10: warning: 'Color' is called 'Color_Fragment' in Swift, because 'Color' is taken. \
        Rename one of the two. [UniqueSwiftNames]
        schema.graphqls:2:14: warning: 'Color.DARK_RED' is called 'DARK_RED' in Swift, because 'darkRed' is taken. \
        Choose names with 'options.schemaCustomization.customTypeNames'. [UniqueSwiftNames]
        schema.graphqls:2:24: warning: 'Color.dark_red' is called 'dark_red' in Swift, because 'darkRed' is taken. \
        Choose names with 'options.schemaCustomization.customTypeNames'. [UniqueSwiftNames]
        schema.graphqls:3:15: warning: 'Where.self' is called 'self_' in Swift, because 'self' is taken. \
        Choose names with 'options.schemaCustomization.customTypeNames'. [UniqueSwiftNames]
        operations.graphql:1:29: warning: The variable 'a_b' is called 'a_b' in Swift, because 'aB' is taken. \
        Rename one of the variables. [UniqueSwiftNames]
        operations.graphql:3:9: warning: The field 'VALUE' is called 'VALUE' in Swift, because 'value' is taken. \
        Choose another name with an alias. [UniqueSwiftNames]

        """)
  }

  @Test func doesNotWarnOfChangedNamesOfStructs() throws {
    let project = try GeneratedProject(
      schema: "type Query { node: Node, nodes: [Node] } type Node { id: ID }",
      operations: "query Nodes { node { id } nodes { id } }")
    #expect(project.warnings == "")
    let code = try project.text(of: "out/Operations/Queries/NodesQuery.graphql.swift")
    #expect(code.contains("var node: Node?"))
    #expect(code.contains("var nodes: [Nodes?]?"))
  }

  @Test(arguments: [
    (
      "query Q { fragments: a }",
      "operations.graphql:1:11: error: A field cannot be read as 'fragments' in Swift. "
        + "Use an alias: 'other: a'. [AllowedNames]"
    ),
    (
      "query Q { a } fragment API on Query { a }",
      """
      operations.graphql:1:24: error: 'API' would have the name of the namespace 'API' and hide it. \
      Rename it, or choose another 'schemaNamespace'. [NamespaceNotHidden]
      """
    ),
    (
      "query { a }",
      "operations.graphql:1:1: error: An operation without a name cannot become a type. Give it a name. "
        + "[NamedOperations]"
    ),
    (
      "query Q { o { __typename: a } }",
      """
      operations.graphql:1:15: error: '__typename' is added to what is sent, so nothing else can be called that. \
      Use another alias. [AddedFields]
      """
    ),
  ])
  func rejectsCollisionsWithoutAnAlternative(_ operations: String, _ message: String) throws {
    expectErrors(message) {
      try GeneratedProject(
        schema: """
          type Query { a: Int, o: Query, keyed: Keyed }
          type Keyed @typePolicy(keyFields: "id") { id: ID!, name: String }
          """, operations: operations)
    }
  }

  @Test func rejectsCustomNamesThatAreTaken() {
    expectErrors(
      """
      schema.graphqls:2:6: error: The configuration calls the type 'B' 'A', but that name is taken. \
      Choose another one in 'options.schemaCustomization.customTypeNames'. [UniqueSwiftNames]
      """
    ) {
      try GeneratedProject(
        schema: """
          type Query { a: A, b: B } enum C { X }
          enum B { X }
          enum A { X }
          """, operations: "query Q { a b }",
        configuration: """
          "options": { "schemaCustomization": { "customTypeNames": { "A": "A", "B": "A" } } }
          """)
    }
  }

  @Test(arguments: [
    #"{ hero { ...Slow @defer ... @defer(label: "slow") { name } } }"#,
    "{ hero { ...Slow @defer ..._slow } }",
    "{ hero { ... on Hero { ...Slow @defer ..._slow @defer } } }",
  ])
  func rejectsDeferredPartsWithTheSameName(_ selections: String) {
    let name = selections.contains("_slow") ? "_slow" : "slow"
    expectErrors(
      """
      operations.graphql:1:7: error: Two fragments of one object would be read as 'fragments.\(name)' in Swift, \
      or what is deferred would be stored so. Choose another label, or rename a fragment. [UniqueSwiftNames]
      """
    ) {
      try GeneratedProject(
        schema: "type Query { hero: Hero } type Hero { id: ID, name: String }",
        operations: """
          query Q \(selections)
          fragment Slow on Hero { id }
          fragment _slow on Hero { name }
          """)
    }
  }

  @Test func namesOfFilesDifferInMoreThanLetterCase() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { url: URL, Url: Url, uRL: uRL, dog: Dog } enum URL { A } enum Url { A } scalar uRL
        type Dog { id: ID }
        """, operations: "query Q { url Url uRL dog { ...Dog } } fragment Dog on Dog { id }")
    #expect(
      project.files.filter { !$0.contains("/Schema/Schema") } == [
        "out/Fragments/Dog.graphql.swift", "out/Operations/Queries/QQuery.graphql.swift",
        "out/Schema/CustomScalars/ID.swift", "out/Schema/CustomScalars/URL_Scalar.swift",
        "out/Schema/Enums/URL.enum.graphql.swift", "out/Schema/Enums/Url.enum_2.graphql.swift",
        "out/Schema/Objects/Dog.object.graphql.swift", "out/Schema/Objects/Query.graphql.swift",
      ])
  }

  @Test func shortensLongNamesOfFiles() throws {
    let name = String(repeating: "VeryLongName", count: 900)
    let project = try GeneratedProject(
      schema: "type Query { a: \(name) } enum \(name) { A }",
      operations: "query \(name) { a } fragment \(name)_ on Query { a }")
    let names = project.files.map(Path.name)
    #expect(names.allSatisfy { $0.utf8.count < 230 })
    #expect(names.count { $0.hasPrefix("VeryLongName") } == 3)
  }

  private func expectErrors(
    _ messages: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> GeneratedProject
  ) {
    let error = #expect(throws: GenerationError.self, sourceLocation: sourceLocation) {
      try body()
    }
    #expect(error?.messages == messages + "\n", sourceLocation: sourceLocation)
  }
}
