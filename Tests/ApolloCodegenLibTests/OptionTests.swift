import ApolloCodegenLib
import Testing

/// Every option of the configuration that changes generated code.
@Suite struct OptionTests {
  /// A project with something that each option affects.
  private static let schema = """
    "Where it begins."
    type Query {
      hero(episode: Episode = OLD_HOPE, where: Where): Character
      userId: ID
      url_path: String
      geese: [Bird!]
      gone: Int @deprecated(reason: "Nothing is left.")
    }
    interface Character { id: ID!, name: String }
    type Human implements Character { id: ID!, name: String }
    type Droid implements Character { id: ID!, name: String }
    type Keyed implements Character @typePolicy(keyFields: "id") { id: ID!, name: String }
    type Bird { id: ID! }
    enum Episode { NEW_HOPE, OLD_HOPE @deprecated }
    input Where { user_id: ID, first: Int = 1 }
    """

  private static let operations = """
    query Hero($episode: Episode = OLD_HOPE, $where: Where) {
      hero(episode: $episode, where: $where) { __typename id ...Name ... on Human { humanName: name } }
      userId url_path gone geese { id }
    }
    fragment Name on Character { name }
    """

  struct Row: CustomTestStringConvertible, Sendable {
    /// A member of `options`, or of the configuration if it begins with a quotation mark.
    var option: String
    var file: String
    var has: [String] = []
    var lacks: [String] = []

    var testDescription: String {
      "\(option) → \((has + lacks.map { "no \($0)" }).joined(separator: ", "))"
    }
  }

  private static let hero = "Operations/Queries/HeroQuery.graphql.swift"
  private static let episode = "Schema/Enums/Episode.graphql.swift"
  private static let filter = "Schema/InputObjects/Where.graphql.swift"
  private static let name = "Fragments/Name.graphql.swift"
  private static let metadata = "Schema/SchemaMetadata.graphql.swift"

  static let rows: [Row] = [
    // Defaults.
    Row(
      option: #""deprecatedEnumCases": "include""#, file: episode,
      has: ["case newHope = \"NEW_HOPE\"", "case oldHope = \"OLD_HOPE\""]),
    Row(
      option: #""schemaDocumentation": "include""#, file: "Schema/Objects/Query.graphql.swift",
      has: ["/// Where it begins."]),
    Row(
      option: #""warningsOnDeprecatedUsage": "include""#, file: hero,
      has: [#"@available(*, deprecated, message: "Nothing is left.")"#]),
    Row(
      option: #""operationDocumentFormat": ["definition"]"#, file: hero,
      has: ["definition: .init(", "var userId: ID?", "var url_path: String?", "struct Geese:"],
      lacks: ["operationIdentifier:"]),
    Row(option: #""reduceGeneratedSchemaTypes": false"#, file: metadata, has: ["type Droid"]),

    // Names.
    Row(
      option:
        #""additionalInflectionRules": [{ "irregular": { "singular": "goose", "plural": "geese" } }]"#,
      file: hero, has: ["var geese: [Goose]?", "struct Goose:"]),
    Row(
      option:
        #""additionalInflectionRules": [{ "singularization": { "pluralRegex": "(g)eese$", "replacementRegex": "$1oose" } }]"#,
      file: hero, has: ["struct Goose:"]),
    Row(
      option:
        #""additionalInflectionRules": [{ "singularization": { "singularRegex": "(g)eese$", "replacementRegex": "$1oose" } }]"#,
      file: hero, has: ["struct Goose:"]),
    Row(
      option:
        #""additionalInflectionRules": [{ "pluralization": { "replacementRegex": "$1s", "singularRegex": "(a)$" } }, { "uncountable": { "word": "geese" } }]"#,
      file: hero, has: ["struct Geese:"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "id" }, "strategy": "upper" }]"#,
      file: hero, has: ["var userID: ID?", "var id: ID {"], lacks: ["userId: ID?"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": { "_0": "id" } }, "strategy": { "replace": { "_0": "Key" } } }]"#,
      file: hero, has: ["var userKey: ID?"], lacks: ["userId: ID?"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "regex": "h..o" }, "strategy": { "replace": "HERO" } }]"#,
      file: hero, has: ["struct HEROQuery:", "var hero: HERO?"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "URL" }, "strategy": "upper" }], "conversionStrategies": { "fieldAccessors": "camelCase" }"#,
      file: hero, has: ["var urlPath: String?"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "hope" }, "strategy": { "lower": {} } }]"#,
      file: episode, has: ["case newhope = \"NEW_HOPE\""]),
    // Rules whose result is no name in Swift have no effect.
    Row(
      option:
        #""additionalInflectionRules": [{ "singularization": { "pluralRegex": "geese", "replacementRegex": "$1" } }]"#,
      file: hero, has: ["var geese: [Geese]?", "struct Geese:"]),
    Row(
      option:
        #""additionalInflectionRules": [{ "irregular": { "singular": "1 goose", "plural": "geese" } }]"#,
      file: hero, has: ["var geese: [Geese]?", "struct Geese:"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "hero" }, "strategy": { "replace": "" } }]"#,
      file: hero, has: ["struct HeroQuery:", "var hero: Hero?"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "id" }, "strategy": { "replace": "a b" } }]"#,
      file: hero, has: ["var userId: ID?", "var id: ID {"]),
    Row(
      option:
        #""additionalCapitalizationRules": [{ "term": { "string": "old" }, "strategy": { "replace": "1st" } }]"#,
      file: episode, has: ["case oldHope = \"OLD_HOPE\""]),
    Row(
      option: #""conversionStrategies": { "enumCases": "none" }"#, file: episode,
      has: ["case NEW_HOPE\n"]),
    Row(
      option: #""conversionStrategies": { "fieldAccessors": "camelCase" }"#, file: hero,
      has: ["var urlPath: String?"]),
    Row(
      option: #""conversionStrategies": { "inputObjects": "none" }"#, file: filter,
      has: ["var user_id: GraphQLNullable<ID>"]),
    Row(
      option: #""conversionStrategies": { "inputObjects": "camelCase" }"#, file: filter,
      has: ["var userId: GraphQLNullable<ID>"]),
    Row(
      option:
        #""schemaCustomization": { "customTypeNames": { "Episode": { "enum": { "name": "Film", "cases": { "NEW_HOPE": "fourth" } } } } }"#,
      file: "Schema/Enums/Film.graphql.swift",
      has: ["enum Film: String", "case fourth = \"NEW_HOPE\""]),
    Row(
      option:
        #""schemaCustomization": { "customTypeNames": { "Where": { "inputObject": { "name": "Filter", "fields": { "user_id": "owner" } } }, "Human": "Person" } }"#,
      file: "Schema/InputObjects/Filter.graphql.swift",
      has: ["struct Filter:", "var owner: GraphQLNullable<ID>", "\"user_id\": owner"]),

    // Omitted parts.
    Row(
      option: #""deprecatedEnumCases": "exclude""#, file: episode, has: ["newHope"],
      lacks: ["oldHope", "OLD_HOPE"]),
    Row(
      option: #""deprecatedEnumCases": "exclude""#, file: hero,
      has: [
        #"episode: GraphQLNullable<GraphQLEnum<Episode>> = .some(.init(rawValue: "OLD_HOPE"))"#
      ],
      lacks: [".oldHope"]),
    Row(
      option: #""schemaDocumentation": "exclude""#, file: "Schema/Objects/Query.graphql.swift",
      lacks: ["Where it begins."]),
    Row(option: #""warningsOnDeprecatedUsage": "exclude""#, file: hero, lacks: ["@available"]),
    Row(
      option: #""reduceGeneratedSchemaTypes": true"#, file: metadata,
      has: [
        "type Bird", "type Human", "type Keyed", "interface Character: Droid, Human, Keyed",
      ],
      lacks: ["type Droid"]),
    Row(
      option: #"!"experimentalFeatures": { "fieldMerging": [] }"#, file: hero,
      has: ["var humanName: String?"], lacks: ["var name: String?"]),
    Row(
      option: #"!"experimentalFeatures": { "fieldMerging": ["namedFragments"] }"#, file: hero,
      has: ["var name: String?"]),
    Row(
      option: #"!"experimentalFeatures": { "fieldMerging": ["all"] }"#, file: hero,
      has: ["var name: String?"]),
    Row(
      option: #""selectionSetInitializers": { "operations": true }"#, file: hero,
      has: ["self.init(__values:"]),
    Row(
      option: #""selectionSetInitializers": { "namedFragments": true }"#, file: name,
      has: ["self.init(__values:"]),
    Row(
      option: #""selectionSetInitializers": { "definitionsNamed": ["Name"] }"#, file: name,
      has: ["self.init(__values:"]),
    Row(
      option: #""selectionSetInitializers": { "definitionsNamed": ["Name"] }"#, file: hero,
      lacks: ["self.init(__values:"]),

    // Documents.
    Row(
      option: #""operationDocumentFormat": ["operationIdentifier"]"#, file: hero,
      has: ["operationIdentifier: \""], lacks: ["definition:"]),
    Row(
      option: #""operationDocumentFormat": ["operationId"]"#, file: name,
      has: [#"fragmentDefinition: String { "" }"#]),
    Row(
      option: #""operationDocumentFormat": ["definition", "operationIdentifier"]"#, file: hero,
      has: ["operationIdentifier: \"", "definition: .init("]),
    Row(
      option: #""apqs": "persistedOperationsOnly""#, file: hero, has: ["operationIdentifier: \""],
      lacks: ["definition:"]),
    Row(
      option: #"!"experimentalFeatures": { "legacySafelistingCompatibleOperations": true }"#,
      file: hero,
      has: ["{ __typename id ...Name ... on Human { __typename humanName: name } }"]),
    Row(
      option: #"!"experimentalFeatures": { "legacySafelistingCompatibleOperations": false }"#,
      file: hero, has: ["{ __typename id ...Name ... on Human { humanName: name } }"]),

    // The form of declarations.
    Row(
      option: #""markTypesNonisolated": true"#, file: hero, has: ["public nonisolated struct Hero"]),
    Row(option: #""markTypesNonisolated": false"#, file: hero, lacks: ["nonisolated"]),
    Row(
      option: #""additionalConformances": ["CustomReflectable", "Codable"]"#,
      file: "Schema/SchemaMetadata.graphql.swift",
      has: [
        "RootModelValue & Swift.Codable & Swift.CustomReflectable\n",
        ".ModelValue & Swift.CustomReflectable\n",
      ]),
    Row(
      option: #""cocoapodsCompatibleImportStatements": true"#, file: hero,
      has: ["public import Apollo\n"], lacks: ["import ApolloAPI"]),
    Row(
      option: #""appendSchemaTypeFilenameSuffix": true"#,
      file: "Schema/Enums/Episode.enum.graphql.swift", has: ["enum Episode"]),
  ]

  @Test(arguments: rows)
  func changesTheCode(_ row: Row) throws {
    let configuration =
      row.option.hasPrefix("!") ? String(row.option.dropFirst()) : #""options": { \#(row.option) }"#
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations, configuration: configuration)
    let name = row.option.contains("HERO") ? "Operations/Queries/HEROQuery.graphql.swift" : row.file
    let text = try project.text(of: "out/\(name)")
    for part in row.has { #expect(text.contains(part), "'\(part)' is not in:\n\(text)") }
    for part in row.lacks { #expect(!text.contains(part), "'\(part)' is in:\n\(text)") }
  }

  /// `Identifiable` requires a property with this name.
  @Test(arguments: [("Key", "key", false), ("ID", "id", true)])
  func aModelIsIdentifiableIfTheKeyIsCalledID(
    _ word: String, _ property: String, _ isIdentifiable: Bool
  ) throws {
    let project = try GeneratedProject(
      schema: #"type Query { hero: Hero } type Hero @typePolicy(keyFields: "id") { id: ID! }"#,
      operations: "query Q { hero { id ...Parts } } fragment Parts on Hero { id }",
      configuration: """
        "options": { "additionalCapitalizationRules": [
          { "term": { "string": "id" }, "strategy": { "replace": "\(word)" } }
        ] }
        """)
    for file in ["Operations/Queries/QQuery", "Fragments/Parts"] {
      let code = try project.text(of: "out/\(file).graphql.swift")
      #expect(code.contains("var \(property): ID {"), "\(code)")
      #expect(code.contains("Identifiable") == isIdentifiable, "\(code)")
    }
  }

  /// The types have the names that they have in Apollo iOS.
  @Test(arguments: [("idiomatic", "first_friend"), ("camelCase", "firstFriend")])
  func structsKeepTheSpellingOfResponseNames(_ strategy: String, _ property: String) throws {
    let project = try GeneratedProject(
      schema: "type Query { page: Page, pages: [Page!]! } type Page { title: String }",
      operations: """
        query Q { FAQ: page { title } URLS: pages { title } first_friend: page { title } }
        """,
      configuration: """
        "options": { "conversionStrategies": { "fieldAccessors": "\(strategy)" } }
        """)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var faq: FAQ?") && code.contains("struct FAQ:"), "\(code)")
    #expect(code.contains("var urls: [URL]") && code.contains("struct URL:"), "\(code)")
    #expect(
      code.contains("var \(property): First_friend?") && code.contains("struct First_friend:"),
      "\(code)")
  }

  /// No property has the name of such a field, so an alias can have it.
  @Test func modelsHaveAliasesForStructsOfFieldsInUpperCase() throws {
    let project = try GeneratedProject(
      schema: "type Query { page: Page } type Page { title: String }",
      operations: "query Q { ...Parts } fragment Parts on Query { FAQ: page { title } }")
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("typealias FAQ = Parts.FAQ"), "\(code)")
    #expect(code.contains("var faq: FAQ?"), "\(code)")
  }

  /// The type cases have the names that they have in Apollo iOS.
  @Test func typeCasesHaveTheCustomNamesOfTypes() throws {
    let project = try GeneratedProject(
      schema: Self.schema,
      operations: """
        query Hero($isKnown: Boolean!) {
          hero { ... on Human { name } ... on Droid @include(if: $isKnown) { name } ...Keys }
        }
        fragment Keys on Keyed { name }
        """,
      configuration: """
        "options": { "schemaCustomization": { "customTypeNames": {
          "Human": "Person", "Droid": { "type": { "name": "robot" } }, "Keyed": "Locked"
        } } }
        """)
    let code = try project.text(of: "out/\(Self.hero)")
    for name in ["Person", "robotIfIsKnown", "Locked"] {
      #expect(code.contains("var as\(name): As\(name)?"), "\(code)")
    }
    #expect(code.contains("...Human {"), "The literal has the names of the schema.")
  }

  // MARK: - Files

  @Test func removesFilesThatAreNoLongerGenerated() throws {
    for (option, remains) in [("true", false), ("false", true)] {
      let project = try GeneratedProject(
        schema: Self.schema, operations: Self.operations,
        configuration: #""options": { "pruneGeneratedFiles": \#(option) }"#)
      try project.folder.write("query Other { userId }", to: "operations.graphql")
      let report = try project.generateAgain(#""pruneGeneratedFiles": \#(option)"#)
      #expect(project.folder.exists("out/\(Self.hero)") == remains)
      #expect(report.summary.removed.isEmpty == remains)
    }
  }

  @Test func movesFilesOfTheUserToTheirNewNames() throws {
    let schema = "type Query { at: Date } scalar Date"
    let project = try GeneratedProject(schema: schema, operations: "query At { at }")
    try project.folder.write(
      "public typealias Date = Double", to: "out/Schema/CustomScalars/Date.swift")
    let suffixed = try project.generateAgain(#""appendSchemaTypeFilenameSuffix": true"#)
    let moved = "out/Schema/CustomScalars/Date.scalar.swift"
    #expect(try project.text(of: moved) == "public typealias Date = Double")
    #expect(!project.folder.exists("out/Schema/CustomScalars/Date.swift"))
    #expect(suffixed.summary.written.contains("\(project.folder.path)/\(moved)"))
    _ = try project.generateAgain()
    #expect(
      try project.text(of: "out/Schema/CustomScalars/Date.swift")
        == "public typealias Date = Double")
  }

  @Test func movesFilesOfTheUserWithTheSourcesOfTheModule() throws {
    let schema = "type Query { at: Date } scalar Date"
    let project = try GeneratedProject(schema: schema, operations: "query At { at }")
    let files = ["Schema/SchemaConfiguration.swift", "Schema/CustomScalars/Date.swift"]
    for file in files { try project.folder.write("// by hand", to: "out/\(file)") }
    for (type, folder, former) in [
      ("swiftPackage", "out/Sources", "out"), ("other", "out", "out/Sources"),
    ] {
      _ = try project.generateAgain(
        members: """
          "output": { "schemaTypes": { "path": "out", "moduleType": { "\(type)": {} } } }
          """)
      for file in files {
        #expect(try project.text(of: "\(folder)/\(file)") == "// by hand")
      }
      #expect(!project.folder.exists("\(former)/Schema"))
    }
  }

  @Test(arguments: [
    (
      #""operationManifest": { "path": "m.json", "generateManifestOnCodeGeneration": true }"#,
      "apollo-persisted-query-manifest"
    ),
    (
      #""operationManifest": { "path": "m", "version": "legacy", "generateManifestOnCodeGeneration": true }"#,
      "\"source\": \"query Hero"
    ),
  ])
  func writesTheManifest(_ option: String, _ part: String) throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations, configuration: option)
    #expect(try project.text(of: "m.json").contains(part))
    #expect(try project.generateAgain(members: option).summary.written == [])
  }

  @Test func writesTheManifestOnlyOnRequest() throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations,
      configuration: #""operationManifest": { "path": "m.json" }"#)
    #expect(!project.folder.exists("m.json"))
  }

  @Test func readsTheLegacyPathOfIdentifiers() throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations,
      configuration: """
        "output": { "schemaTypes": { "path": "out", "moduleType": "other" }, "operationIdentifiersPath": "ids.json" }
        """)
    #expect(try project.text(of: "ids.json").contains("\"name\": \"Hero\""))
  }

  @Test func warnsOfUnknownDefinitions() throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations,
      configuration:
        #""options": { "selectionSetInitializers": { "definitionsNamed": ["Hero", "Nam"] } }"#)
    #expect(
      project.warnings.contains(
        "The configuration names the operation or fragment 'Nam', which the project does not have. Did you mean 'Name'?"
      ),
      "\(project.warnings)")
    #expect(!project.warnings.contains("'Hero'"))
  }

  /// Projects of Apollo iOS have such a file.
  @Test func doesNotDeclareIDIfAFileDoes() throws {
    let project = try GeneratedProject(schema: Self.schema, operations: Self.operations)
    let place = "out/Schema/CustomScalars/ID.swift"
    #expect(try project.text(of: place).hasSuffix("\npublic typealias ID = ApolloAPI.ID\n"))
    try project.folder.write("public typealias ID = String\n", to: place)
    #expect(try project.generateAgain().summary.written.isEmpty)
    #expect(try project.text(of: place) == "public typealias ID = String\n")
    for file in project.files where file != place {
      #expect(try !project.text(of: file).contains("typealias ID"), "\(file)")
    }
  }

  @Test func initializersTakeTheObjectsInObjectsOfSeveralFragments() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { hero: Hero! }
        type Hero { friend: Hero! ship: Ship! }
        type Ship { id: ID! name: String! }
        """,
      operations: """
        query Q { hero { ...A ...B } }
        fragment A on Hero { friend { ship { id } } }
        fragment B on Hero { friend { ship { name } } }
        """,
      configuration: #""options": { "selectionSetInitializers": { "operations": true } }"#)
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("init(friend: Friend)"), "\(text)")
    #expect(text.contains("init(ship: Ship)"), "\(text)")
    #expect(text.contains("init(id: ID, name: String)"), "\(text)")
  }
}
