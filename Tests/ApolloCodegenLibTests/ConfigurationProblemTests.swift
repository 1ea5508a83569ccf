import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// Problems that make a configuration unusable, and keys without an effect.
@Suite struct ConfigurationProblemTests {
  private func configuration(_ members: String) throws -> ApolloCodegenConfiguration {
    let output =
      members.contains("\"output\"")
      ? "" : #", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }"#
    return try ApolloCodegenConfiguration(
      json: "{ \"schemaNamespace\": \"API\"\(output), \(members) }")
  }

  private func output(_ members: String, path: String = "out") -> String {
    #""output": { "schemaTypes": { "path": "\#(path)", "moduleType": { "other": {} } } \#(members) }"#
  }

  @Test func rejectsUnusableFolders() throws {
    let rows: [(members: String, path: String)] = [
      (output("", path: ""), "output.schemaTypes.path"),
      (output("", path: "/"), "output.schemaTypes.path"),
      (output("", path: "/tmp/.."), "output.schemaTypes.path"),
      (output("", path: "~/out"), "output.schemaTypes.path"),
      (output("", path: "$HOME/out"), "output.schemaTypes.path"),
      (output("", path: "Sources/*/out"), "output.schemaTypes.path"),
      (
        output(#", "operations": { "absolute": { "path": "//" } }"#),
        "output.operations.absolute.path"
      ),
      (
        output(#", "operations": { "relative": { "subpath": "~" } }"#),
        "output.operations.relative.subpath"
      ),
      (output(#", "testMocks": { "absolute": { "path": "" } }"#), "output.testMocks.absolute.path"),
      (#""operationManifest": { "path": "${OUT}/m.json" }"#, "operationManifest.path"),
      (#""input": { "schemaSearchPaths": ["GraphQL/**"] }"#, "input.schemaSearchPaths"),
      (#""input": { "operationSearchPaths": ["GraphQL/"] }"#, "input.operationSearchPaths"),
      (#""input": { "operationSearchPaths": ["a/!b.graphql"] }"#, "input.operationSearchPaths"),
      (#""input": { "schemaSearchPaths": ["!b.graphqls"] }"#, "input.schemaSearchPaths"),
      (#""input": { "schemaSearchPaths": [] }"#, "input.schemaSearchPaths"),
      (#""options": { "operationDocumentFormat": [] }"#, "options.operationDocumentFormat"),
    ]
    for row in rows {
      #expect(try configuration(row.members).problems.map(\.path) == [row.path], "\(row.members)")
    }
  }

  /// Mocks import the target.
  @Test(arguments: ["", " "])
  func rejectsATargetWithoutAName(_ name: String) throws {
    let target = #"{ "embeddedInTarget": { "name": "\#(name)" } }"#
    let problems = try configuration(
      #""output": { "schemaTypes": { "path": "out", "moduleType": \#(target) } }"#
    ).problems
    #expect(problems.map(\.path) == ["output.schemaTypes.moduleType.embeddedInTarget.name"])
    #expect(problems.map(\.message) == ["Missing. Give the name of the target."])
  }

  @Test(arguments: ["out", "./out", "../out", "a b/out", "/tmp/out", "out.d/x"])
  func acceptsOtherFolders(_ path: String) throws {
    #expect(try configuration(output("", path: path)).problems == [])
  }

  @Test(arguments: [
    (#""A": "B { static let evil = 1 }""#, "A"), (#""A": { "type": { "name": "1a" } }"#, "A"),
    (#""A": { "enum": { "cases": { "X": "x y" } } }"#, "A.X"),
    (#""A": { "inputObject": { "fields": { "x": "_" } } }"#, "A.x"),
  ])
  func rejectsInvalidCustomNames(_ member: String, _ place: String) throws {
    let options = #""options": { "schemaCustomization": { "customTypeNames": { \#(member) } } }"#
    #expect(
      try configuration(options).problems.map(\.path) == [
        "options.schemaCustomization.customTypeNames.\(place)"
      ])
  }

  @Test(arguments: [
    (
      #""additionalInflectionRules": [{ "uncountable": { "word": "x" } }, { "singularization": { "pluralRegex": "(", "replacementRegex": "" } }]"#,
      "options.additionalInflectionRules[1].singularization.pluralRegex"
    ),
    (
      #""additionalInflectionRules": [{ "pluralization": { "singularRegex": "[", "replacementRegex": "" } }]"#,
      "options.additionalInflectionRules[0].pluralization.singularRegex"
    ),
    (
      #""additionalCapitalizationRules": [{ "term": { "regex": "(" }, "strategy": "upper" }]"#,
      "options.additionalCapitalizationRules[0].term.regex"
    ),
  ])
  func reportsTheRuleWithAnInvalidExpression(_ option: String, _ path: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: "type Query { a: Int }", operations: "query Q { a }",
        configuration: "\"options\": { \(option) }")
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.problems.map(\.path) == [path])
  }

  @Test(arguments: [
    (
      #""options": { "markOperationDefinitionsAsFinal": true }"#,
      "options.markOperationDefinitionsAsFinal"
    ),
    (
      #""options": { "queryStringLiteralFormat": "multiline" }"#, "options.queryStringLiteralFormat"
    ),
    (
      #""options": { "requireNonOptionalMockFields": true }"#,
      "options.requireNonOptionalMockFields"
    ),
    (
      #""experimentalFeatures": { "clientControlledNullability": true }"#,
      "experimentalFeatures.clientControlledNullability"
    ),
  ])
  func warnsOfKeysWithoutEffect(_ member: String, _ path: String) throws {
    var warnings: [ConfigurationProblem] = []
    _ = try ApolloCodegenConfiguration(
      json: "{ \"schemaNamespace\": \"API\", \(output("")), \(member) }", warnings: &warnings)
    #expect(warnings.map(\.path) == [path])
    let harmless = member.replacing("true", with: "false").replacing(
      "multiline", with: "singleLine")
    _ = try ApolloCodegenConfiguration(
      json: "{ \"schemaNamespace\": \"API\", \(output("")), \(harmless) }", warnings: &warnings)
    #expect(warnings == [])
  }

  @Test func warnsOfCustomNamesForUnknownTypesAndMembers() throws {
    let project = try GeneratedProject(
      schema: "type Query { a: Colour } enum Colour { RED }", operations: "query Q { a }",
      configuration: """
        "options": { "schemaCustomization": { "customTypeNames": {
          "Color": "Paint", "Colour": { "enum": { "cases": { "RAD": "red" } } } } } }
        """)
    #expect(
      project.report.diagnostics.map(\.message) == [
        "The configuration names the type 'Color', which the schema does not have. Did you mean 'Colour'?",
        "The configuration names 'Colour.RAD', which the schema does not have. Did you mean 'RED'?",
      ])
  }
}
