import Testing

/// Names that would hide other names in generated code. They are changed, or the hidden names are
/// qualified.
@Suite struct HiddenNamesTests {
  private static let modelsInAFolder = """
    "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
      "operations": { "absolute": { "path": "models" } } }
    """

  private static let mocksInAFolder = """
    "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
      "testMocks": { "absolute": { "path": "mocks" } } }
    """

  @Test func variablesDoNotHideTheTypesOfLeavesAndFragments() throws {
    let project = try GeneratedProject(
      schema: "type Query { a(x: Int): Int, e: E } enum E { A }",
      operations: """
        query Q($E: Int, $Rest: Int, $in: Int) { b: a(x: $E) c: a(x: $Rest) d: a(x: $in) e ...Rest }
        fragment Rest on Query { a }
        """, configuration: #""options": { "conversionStrategies": { "inputObjects": "none" } }"#)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var E_: GraphQLNullable<Int>"))
    #expect(code.contains("var Rest_: GraphQLNullable<Int>"))
    #expect(code.contains("var `in`: GraphQLNullable<Int>"))
    #expect(code.contains("fragments: [Rest.self]") && code.contains("[GraphQLEnum<E>.self]"))
  }

  @Test func fieldsOfFragmentsDoNotHideFragments() throws {
    let project = try GeneratedProject(
      schema: "type Query { rest: Int, Rest: Int, class: Int }",
      operations:
        "fragment All on Query { rest Rest class ...Rest } fragment Rest on Query { rest }"
    )
    let code = try project.text(of: "out/Fragments/All.graphql.swift")
    #expect(code.contains("var rest: Int?") && code.contains("var Rest_: Int?"))
    #expect(code.contains("var `class`: Int?"))
  }

  @Test func constantsOfTypesDoNotHideTheSchema() throws {
    let project = try GeneratedProject(
      schema:
        "type Query { a: API, b: SchemaMetadata } type API { x: Int } type SchemaMetadata { x: Int }",
      operations: "query Q { a { x } b { x } }")
    #expect(
      project.files.filter { $0.contains("/Objects/") } == [
        "out/Schema/Objects/API_Object.graphql.swift", "out/Schema/Objects/Query.graphql.swift",
        "out/Schema/Objects/SchemaMetadata_Object.graphql.swift",
      ])
  }

  /// Without the module, `Codable` would be the enum, which is no protocol.
  @Test(arguments: [
    #"{ "embeddedInTarget": { "name": "Target" } }"#, #"{ "other": {} }"#,
  ])
  func typesOfTheSchemaDoNotHideTheConformancesOfModels(_ module: String) throws {
    let project = try GeneratedProject(
      schema: """
        type Query { codable: Codable, mirror: CustomReflectable }
        enum Codable { A } enum CustomReflectable { A }
        """,
      operations: "query Q { codable mirror }",
      configuration: """
        "output": { "schemaTypes": { "path": "out", "moduleType": \(module) } },
        "options": { "additionalConformances": ["Codable", "CustomReflectable"] }
        """)
    let code = try project.text(of: "out/Schema/SchemaMetadata.graphql.swift")
    #expect(code.contains("RootModelValue & Swift.Codable & Swift.CustomReflectable\n"), "\(code)")
    #expect(code.contains(".ModelValue & Swift.CustomReflectable\n"), "\(code)")
    #expect(!code.contains("& Codable") && !code.contains("& CustomReflectable"), "\(code)")
  }

  @Test func fragmentsOutsideOfTheSchemaAreNotHiddenByDataOfOperations() throws {
    let project = try GeneratedProject(
      schema: "type Query { x: Int }",
      operations: "query Q { ...Data } fragment Data on Query { x }",
      configuration: Self.modelsInAFolder)
    let code = try project.text(of: "models/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("fragments: [Data_Fragment.self]"))
  }

  @Test(arguments: [("API", "api"), ("aPI", "aPI")])
  func theStructOfAFieldDoesNotHideTheNamespace(_ key: String, _ property: String) throws {
    let project = try GeneratedProject(
      schema: "type Query { o: Query, list: [Query!]!, x: Int }",
      operations: "query Q { \(key): o { x } APIS: list { x } }")
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("struct API_SelectionSet:"), "\(code)")
    #expect(code.contains("var \(property): API_SelectionSet?"), "\(code)")
    #expect(code.contains("var apis: [APIS]"), "\(code)")
  }

  @Test func capitalizationRulesDoNotProduceKeywords() throws {
    let project = try GeneratedProject(
      schema: "type Query { in: Query, any: Query, x: Int }",
      operations: "fragment As on Query { in { x } any { x } }",
      configuration: """
        "options": { "additionalCapitalizationRules": [{ "term": { "regex": ".*" }, "strategy": "lower" }] }
        """)
    let code = try project.text(of: "out/Fragments/As_Fragment.graphql.swift")
    #expect(code.contains("struct As_Fragment:"))
    #expect(code.contains("struct in_SelectionSet:") && code.contains("struct any_SelectionSet:"))
  }

  @Test func escapesLabelsOnlyIfNecessary() throws {
    let project = try GeneratedProject(
      schema:
        "type Query { x(i: In): Int } input In { let: Int, var: Int, inout: Int, class: Int }",
      operations: "query Q($i: In = {let: 1, var: 2, inout: 3, class: 4}) { x(i: $i) }")
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("In(let: 1, var: 2, `inout`: 3, class: 4)"))
  }

  @Test func mocksQualifyNamesThatTheSchemaHas() throws {
    let project = try GeneratedProject(
      schema: """
        type Query {
          mock: Mock, sendable: Sendable, fields: MockFields, Field: Query, field: Query, MockField: Int, mockField: Int
        }
        enum Mock { A } type Sendable { x: Int } type MockFields { x: Int }
        """,
      operations:
        "query Q { mock sendable { x } fields { x } Field { mock } field { mock } MockField mockField }",
      configuration: Self.mocksInAFolder)
    let query = try project.text(of: "mocks/Query+Mock.graphql.swift")
    #expect(query.contains("extension ApolloTestSupport.Mock where O == Query"))
    #expect(
      query.contains(
        "let sendable = MockField<ApolloTestSupport.Mock<Sendable_Object>>(\"sendable\")"))
    #expect(query.contains("MockField<ApolloTestSupport.Mock<MockFields_Object>>(\"fields\")"))
    #expect(query.contains("let MockField_ = MockField<Int>(\"MockField\")"))
    #expect(query.contains("struct MockFields: Sendable"))
  }

  @Test func theFormatOfADeferredResponseDoesNotHideATypeOfTheSchema() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { hero(format: ResponseFormat): Hero }
        type Hero { format: ResponseFormat, bio: String }
        enum ResponseFormat { TEXT }
        """,
      operations: """
        query Q($format: ResponseFormat) { hero(format: $format) { format ... @defer { bio } } }
        """)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("typealias ResponseFormat = "), "\(code)")
    let type = "GraphQLEnum<API.ResponseFormat>"
    #expect(code.contains("var format: GraphQLNullable<\(type)>"), "\(code)")
    #expect(code.contains("var format: \(type)?"), "\(code)")
    #expect(code.contains("leaves: [\(type).self]"), "\(code)")
  }

  @Test func theFormatOfADeferredResponseDoesNotHideAFragment() throws {
    let project = try GeneratedProject(
      schema: "type Query { hero: Hero } type Hero { bio: String }",
      operations: """
        query Q { hero { ...ResponseFormat @defer } } fragment ResponseFormat on Hero { bio }
        """,
      configuration: Self.modelsInAFolder)
    let code = try project.text(of: "models/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("fragments: [ResponseFormat_Fragment.self]"), "\(code)")
  }

  /// Swift finds `hash(into:)` of mocks before it looks for a field.
  @Test func aFieldOfAMockCanBeCalledHash() throws {
    let project = try GeneratedProject(
      schema: "type Query { block: Block } type Block { hash: String!, size: Int }",
      operations: "query Q { block { hash size } }",
      configuration: Self.mocksInAFolder)
    let code = try project.text(of: "mocks/Block+Mock.graphql.swift")
    #expect(code.contains("var hash: String? {"), "\(code)")
    #expect(code.contains(#"self[dynamicMember: \Block.MockFields.hash] = newValue"#), "\(code)")
    #expect(!code.contains("var size"), "\(code)")
  }

  @Test func theGenericParameterOfMocksDoesNotHideAType() throws {
    let project = try GeneratedProject(
      schema: "type Query { o: O } type O { x: Int }", operations: "query Q { o { x } }",
      configuration: Self.mocksInAFolder)
    let mock = try project.text(of: "mocks/O_Object+Mock.graphql.swift")
    #expect(mock.contains("extension Mock where O == O_Object"), "\(mock)")
    let query = try project.text(of: "mocks/Query+Mock.graphql.swift")
    #expect(query.contains("o: Mock<O_Object>?"), "\(query)")
  }

  @Test func enumsWithOnlyDeprecatedValuesKeepThem() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { e: E, f: F }
        enum E { OLD @deprecated } enum F { OLD @deprecated, NEW }
        """, operations: "query Q { e f }",
      configuration: #""options": { "deprecatedEnumCases": "exclude" }"#)
    #expect(try project.text(of: "out/Schema/Enums/E.graphql.swift").contains("case old = \"OLD\""))
    #expect(try !project.text(of: "out/Schema/Enums/F.graphql.swift").contains("case old"))
  }
}
