import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The files that are written once and then belong to the user, and what is said about them.
@Suite struct FirstGenerationTests {
  // MARK: - The cache key

  @Test func objectsAreKeptUnderTheirIDWhereTypesHaveOne() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { a: A, id: ID }
        type A { id: ID!, b: B }
        type B { id(of: Int): ID!, name: String }
        """, operations: "query Q { a { id } }")
    let text = try project.text(of: "out/Schema/SchemaConfiguration.swift")
    #expect(text.contains("guard let id = object[\"id\"] else { return nil }"))
    #expect(text.contains("Of the 2 object types of the schema, 1 had a field `id`"))
  }

  @Test(arguments: [
    "type A { name: String }", "type A { id: [ID!]! }", "type A { id: C } type C { d: Int }",
  ])
  func objectsHaveNoKeyWhereNoTypeHasAnID(_ types: String) throws {
    let project = try GeneratedProject(
      schema: "type Query { a: A, name: String, id: ID! } \(types)", operations: "query Q { name }")
    let text = try project.text(of: "out/Schema/SchemaConfiguration.swift")
    #expect(!text.contains("guard"))
    #expect(text.contains("No object type of the schema had a field `id`"))
  }

  // MARK: - Custom scalars

  @Test(arguments: [
    ("DateTime", "Foundation.Date"), ("timestamptz", "Foundation.Date"),
    ("URL", "Foundation.URL"), ("URI", "Foundation.URL"), ("UUID", "Foundation.UUID"),
    ("Decimal", "Foundation.Decimal"), ("BigInt", "Foundation.Decimal"),
    ("JSON", "JSONValue"), ("JSONObject", "JSONValue"), ("Date", "String"), ("Money", "String"),
  ])
  func aScalarHasTheTypeThatItsNameSuggests(scalar: String, type: String) throws {
    let project = try self.project(scalar)
    let file = try #require(
      project.files.first { $0.contains("CustomScalars/") && !$0.hasSuffix("/ID.swift") })
    let text = try project.text(of: file)
    #expect(text.contains(" = \(type)\n"), "\(text)")
    let module = type.hasPrefix("Foundation.") ? "public import struct \(type)\n" : nil
    #expect(text.contains("Foundation") == (module != nil))
    if let module { #expect(text.hasPrefix(module)) }
  }

  @Test func aTypeThatHidesFoundationLeavesScalarsText() throws {
    let project = try GeneratedProject(
      schema: "type Query { a: UUID, b: Foundation } scalar UUID enum Foundation { A }",
      operations: "query Q { a b }")
    #expect(try project.text(of: "out/Schema/CustomScalars/UUID.swift").contains(" = String"))
  }

  @Test func aScalarThatIsAmbiguousWithFoundationIsReportedOnce() throws {
    let project = try self.project("Date")
    #expect(
      project.warnings == """
        schema.graphqls:1:31: warning: The scalar 'Date' becomes 'Date', which is also a type of \
        Foundation, so the name alone is ambiguous in files that import both modules. Rename it in \
        the configuration, such as "customTypeNames": { "Date": "LocalDate" } in \
        'options.schemaCustomization', or say 'API.Date'. [ShadowedNames]

        """)
    #expect(try project.generateAgain().diagnostics.isEmpty)
  }

  @Test(arguments: [
    // The type is Foundation's own.
    ("URL", ""), ("UUID", ""), ("Money", ""),
    ("Date", #""options": { "schemaCustomization": { "customTypeNames": { "Date": "Day" } } }"#),
    (
      "Date",
      #""output": { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } }"#
    ),
  ])
  func aScalarThatIsNotAmbiguousIsNotReported(scalar: String, configuration: String) throws {
    #expect(try project(scalar, configuration).report.diagnostics.isEmpty)
  }

  private func project(_ scalar: String, _ configuration: String = "") throws -> GeneratedProject {
    try GeneratedProject(
      schema: "type Query { a: \(scalar) } scalar \(scalar)", operations: "query Q { a }",
      configuration: configuration)
  }

  // MARK: - Empty files

  @Test(arguments: ["", "\n\n", "# Later.\n", "\u{FEFF} ,\t# one\r\n# two"])
  func aFileWithoutDefinitionsIsNoMistake(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("type Query { a: Int }", to: "schema.graphqls")
    try folder.write(text, to: "empty.graphqls")
    try folder.write("query Q { a }", to: "q.graphql")
    try folder.write(text, to: "empty.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    let report = try Generator(configuration, rootFolder: folder.path).generate()
    #expect(report.operationCount == 1 && report.diagnostics.isEmpty)
  }

  @Test(arguments: ["query", "{", "\"\"", "# a\nb", "\u{00A0}"])
  func aFileWithATokenIsNotEmpty(_ text: String) {
    #expect(!Source(name: "a.graphql", text: text).isBlank)
  }
}
