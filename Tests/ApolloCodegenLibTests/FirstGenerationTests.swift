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

  private static let shadowing = """
    type Query { e: [Result], c: Character_, f(i: URLRequest, a: Actor, d: Data): Unit, tasks: [Task], s: Duration }
    enum Result { A } enum Character_ { A } input URLRequest { a: Int } input Actor { a: Int }
    input Data { a: Int }
    enum Unit { A } scalar Duration
    type Task { a: Tag, issue: Issue } enum Tag { A } type Issue { a: Int } type Fine { a: Int }
    """

  /// Types of each kind, of Swift's library, concurrency, Foundation and swift-testing.
  @Test func typesThatHideOrClashWithOthersAreReportedOnce() throws {
    let output = """
      "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
        "testMocks": { "absolute": { "path": "mocks" } } }
      """
    let project = try GeneratedProject(
      schema: Self.shadowing,
      operations: """
        query Q($i: URLRequest, $a: Actor, $d: Data) {
          e c f(i: $i, a: $a, d: $d) s tasks { a issue { a } ...Timer }
        }
        fragment Timer on Task { a }
        """, configuration: output)
    func message(_ start: String) -> String? {
      project.report.diagnostics.filter { $0.rule == "ShadowedNames" }.map(\.message)
        .first { $0.hasPrefix("The \(start) ") }
    }
    #expect(
      message("enum 'Result'") == """
        The enum 'Result' becomes 'Result', which hides Swift's type of that name in files that see \
        it. Rename it in the configuration, such as "customTypeNames": { "Result": "ResultType" } in \
        'options.schemaCustomization', or say 'Swift.Result' there ('_Concurrency.Result' for \
        concurrency).
        """)
    #expect(message("input 'Actor'")?.contains("\"Actor\": \"ActorInput\"") == true)
    #expect(message("scalar 'Duration'")?.contains("hides Swift's type") == true)
    for start in ["input 'URLRequest'", "input 'Data'", "enum 'Unit'", "fragment 'Timer'"] {
      #expect(message(start)?.contains("also a type of Foundation") == true, "\(start)")
    }
    #expect(message("fragment 'Timer'")?.contains("Rename it, or say 'API.Timer'.") == true)
    #expect(message("mock of 'Task'")?.contains("tests that import the mocks") == true)
    for start in ["enum 'Tag'", "mock of 'Issue'"] {
      #expect(message(start)?.contains("also a type of swift-testing") == true, "\(start)")
    }
    #expect(message("mock of 'Issue'")?.contains("or say 'Testing.Issue' there.") == true)
    #expect(project.report.diagnostics.filter { $0.rule == "ShadowedNames" }.count == 10)
    let again = try project.generateAgain(members: output)
    #expect(!again.diagnostics.contains { $0.rule == "ShadowedNames" })
  }

  @Test func fragmentsInModulesOfTheProgramAreQualifiedByTheLibrary() throws {
    let project = try GeneratedProject(
      schema: "type Query { a: Int } enum Unused { A }",
      operations:
        "fragment URL on Query { a } fragment Task on Query { a } query Q { ...URL ...Task }",
      configuration: """
        "output": { "operations": { "absolute": { "path": "ops" } },
          "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } }
        """)
    let messages = project.report.diagnostics.filter { $0.rule == "ShadowedNames" }.map(\.message)
    #expect(
      messages == [
        """
        The fragment 'URL' becomes 'URL', which hides Foundation's type of that name in its module. \
        Rename it, or say 'Foundation.URL' there.
        """,
        """
        The fragment 'Task' becomes 'Task', which hides Swift's type of that name in files that see \
        it. Rename it, or say 'Swift.Task' there ('_Concurrency.Task' for concurrency).
        """,
      ])
  }

  @Test func filesOfScalarsThatAreGoneAreNamed() throws {
    let project = try GeneratedProject(
      schema: "type Query { a: Money, b: Day } scalar Money scalar Day",
      operations: "query Q { a b }")
    try project.folder.write("enum Formats {}", to: "out/Schema/CustomScalars/Formats.swift")
    #expect(try project.generateAgain().diagnostics.isEmpty)
    try project.folder.write("type Query { a: Money } scalar Money", to: "schema.graphqls")
    try project.folder.write("query Q { a }", to: "operations.graphql")
    let report = try project.generateAgain()
    #expect(
      report.diagnostics.map(\.message) == [
        """
        'out/Schema/CustomScalars/Day.swift' declares a custom scalar that no operation uses any \
        more. The generator does not change your files: remove it if nothing else needs it.
        """
      ])
    #expect(report.diagnostics.map(\.rule) == ["OrphanedScalars"])
  }

  @Test(arguments: [
    (#"guard let id = object["id"] as? String else { return nil }"#, true),
    (#"return (object["id"] as! String?).map { CacheKeyInfo(id: $0) }"#, true),
    (#"// Apollo iOS: object["id"] as? String"#, false),
    (#"return object["id"]?.stringValue.map { CacheKeyInfo(id: $0) }"#, false),
    (#"return try? CacheKeyInfo(jsonValue: object["id"])"#, false),
  ])
  func castsOfAnObjectsValuesAreReported(line: String, isReported: Bool) throws {
    let project = try GeneratedProject(schema: "type Query { a: Int }", operations: "query Q { a }")
    try project.folder.write(
      "import ApolloAPI\n  \(line)\n", to: "out/Schema/SchemaConfiguration.swift")
    let messages = try project.generateAgain().diagnostics.filter { $0.rule == "KeyCasts" }
      .map(\.message)
    #expect(messages.count == (isReported ? 1 : 0), "\(messages)")
    #expect(
      messages.allSatisfy {
        $0.hasPrefix("'out/Schema/SchemaConfiguration.swift:2' casts a value of an object")
      })
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
