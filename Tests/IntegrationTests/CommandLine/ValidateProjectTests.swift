import Foundation
import Testing

/// `apollo-cli validate` with a configuration: what generating code would check.
@Suite(.timeLimit(.minutes(10)))
struct ValidateProjectTests {
  private func configuration(_ severities: String = "{}") -> String {
    """
    {
      "schemaNamespace": "API",
      "input": {"schemaSearchPaths": ["schema/*.graphqls"], "operationSearchPaths": ["ops/*.graphql"]},
      "output": {"schemaTypes": {"path": "out", "moduleType": {"other": {}}}},
      "ruleSeverities": \(severities)
    }
    """
  }

  private func files(
    _ schema: String, _ operations: String, _ severities: String = "{}"
  ) -> [String: String] {
    [
      "apollo-codegen-config.json": configuration(severities), "schema/s.graphqls": schema,
      "ops/o.graphql": operations,
    ]
  }

  @Test func theProjectIsCheckedWhenNothingIsNamed() async throws {
    try await withFiles(files("type Query { a: Int }", "query A { b }")) { project in
      let outcome = try await project.apollo("validate", "--format", "xcode")
      #expect(outcome.status == 1)
      #expect(
        outcome.output
          == #"ops/o.graphql:1:11: error: Cannot query field "b" on type "Query". Did you mean "a"? [FieldsOnCorrectType]"#
          + "\n")
    }
  }

  @Test func aProjectElsewhereIsCheckedAndMended() async throws {
    let files = files("type Query { name: Int }", "query A { nmae }")
    try await withFiles(Dictionary(uniqueKeysWithValues: files.map { ("p/\($0)", $1) })) {
      project in
      let path = "p/apollo-codegen-config.json"
      let found = try await project.apollo("validate", "--path", path, "--format", "xcode")
      #expect(found.output.hasPrefix("p/ops/o.graphql:1:11: error: "), "\(found)")
      let fixed = try await project.apollo("validate", "--path", path, "--fix")
      #expect(fixed.status == 0, "\(fixed)")
      #expect(try project.text(of: "p/ops/o.graphql") == "query A { name }")
    }
  }

  @Test func clientDirectivesAndUnusedFragmentsAreNoProblem() async throws {
    let files = files(
      "type Query @typePolicy(keyFields: \"a\") { a: Int }",
      "query A { a } fragment F on Query @import(module: \"M\") { a }")
    let outcome = try await withFiles(files) { try await $0.apollo("validate") }
    #expect(outcome.status == 0, "\(outcome)")
  }

  // MARK: - Severities

  /// Schemas with one kind of fault each, with an operation that uses the rest of them.
  static let faults: [(rule: String, schema: String)] = [
    ("UniqueFieldDefinitionNames", "type Query { a: Int a: Int }"),
    ("UniqueTypeNames", "type Query { a: Int } enum E { A } enum E { B }"),
    ("UniqueEnumValueNames", "type Query { a: Int e: E } enum E { A A }"),
    ("UniqueArgumentDefinitionNames", "type Query { a(b: Int, b: Int): Int }"),
    ("UniqueDirectiveNames", "type Query { a: Int } directive @d on FIELD directive @d on QUERY"),
    ("UniqueOperationTypes", "schema { query: Query query: Query } type Query { a: Int }"),
    (
      "LoneSchemaDefinition",
      "schema { query: Query } schema { mutation: M } type Query { a: Int } type M { b: Int }"
    ),
    ("KnownTypeNames", "type Query { a: Int b: Nope c(d: Nope): Int }"),
    ("KnownDirectives", "type Query @nope { a: Int }"),
    ("KnownArgumentNamesOnDirectives", "type Query { a: Int b: Int @deprecated(why: \"x\") }"),
    ("ProvidedRequiredArgumentsOnDirectives", "type Query { a: Int } scalar S @specifiedBy"),
    (
      "ValuesOfCorrectTypeOnDirectives", "type Query { a: Int b: Int @deprecated(reason: 1) }"
    ),
    (
      "UniqueArgumentNames",
      "type Query { a: Int b: Int @deprecated(reason: \"x\", reason: \"y\") }"
    ),
    ("UniqueDirectivesPerLocation", "type Query { a: Int b: Int @deprecated @deprecated }"),
    ("UniqueInputFieldNames", "type Query { a(i: I = {x: 1, x: 2}): Int } input I { x: Int }"),
    ("PossibleTypeExtensions", "type Query { a: Int } extend type Nope { b: Int }"),
    ("ReservedNames", "type Query { a: Int __b: Int }"),
    ("DirectiveArguments", "type Query { a: Int } directive @d(q: Query) on FIELD"),
    ("DirectiveCycles", "type Query { a: Int } directive @d(x: Int @d) on ARGUMENT_DEFINITION"),
    ("OutputFields", "type Query { a: Int i: I } input I { x: Int }"),
    (
      "InterfaceImplementations",
      "type Query implements N { a: Int } interface N { a: String b: Int }"
    ),
    (
      "DeprecatedImplementations",
      "type Query implements N { a: Int @deprecated } interface N { a: Int }"
    ),
    ("UnionMembers", "type Query { a: Int u: U } union U = Query | Query | Int"),
    ("EnumValues", "type Query { a: Int e: E } enum E"),
    ("InputFields", "type Query { a(i: I): Int } input I { q: Query }"),
    ("OneOfInputObjects", "type Query { a(i: I): Int } input I @oneOf { x: Int! y: Int = 1 }"),
    ("InputObjectCycles", "type Query { a(i: I): Int } input I { i: I! }"),
    ("RequiredDeprecations", "type Query { a(b: Int): Int c(d: Int! @deprecated): Int }"),
    ("DefaultValues", "type Query { a(e: E = \"A\"): Int } enum E { A }"),
    ("DefaultValueCycles", "type Query { a(i: I): Int } input I { i: I = {} }"),
    ("RootOperationTypes", "schema { query: Query mutation: Query } type Query { a: Int }"),
  ]

  @Test(arguments: faults)
  func everyRuleOfSchemasCanBeRelaxedInTheConfiguration(
    _ fault: (rule: String, schema: String)
  ) async throws {
    for (severity, code) in [("error", Int32(1)), ("warning", 0), ("off", 0)] {
      let files = files(fault.schema, "query A { a }", "{\"\(fault.rule)\": \"\(severity)\"}")
      try await withFiles(files) { project in
        let checked = try await project.apollo("validate", "--format", "xcode")
        #expect(checked.status == code, "\(severity): \(checked)")
        let isReported = checked.output.contains("[\(fault.rule)]")
        #expect(isReported == (severity != "off"), "\(severity): \(checked)")
        let generated = try await project.apollo("generate")
        #expect(generated.status == code, "\(severity): \(generated)")
      }
    }
  }

  @Test(arguments: faults)
  func everyRuleOfSchemasCanBeRelaxedByAFlag(
    _ fault: (rule: String, schema: String)
  ) async throws {
    try await withFiles(["s.graphqls": fault.schema]) { project in
      for (arguments, code) in [
        ([], Int32(1)), (["--severity", "\(fault.rule)=warning"], 0),
        (["--severity", "\(fault.rule)=off"], 0),
      ] {
        let outcome = try await project.apollo(
          ["validate", "--specification", "-s", "s.graphqls", "-"] + arguments, input: "{ a }")
        #expect(outcome.status == code, "\(arguments): \(outcome)")
        guard code == 0 else { continue }
        let printed = try await project.apollo(["schema", "print", "s.graphqls"] + arguments)
        #expect(printed.status == 0 && printed.output.contains("a"), "\(arguments): \(printed)")
      }
    }
  }

  @Test func flagsWinOverTheConfiguration() async throws {
    let files = files(
      "type Query { a: Int a: Int }", "query A { a }", "{\"UniqueFieldDefinitionNames\": \"off\"}")
    let outcome = try await withFiles(files) {
      try await $0.apollo("validate", "--severity", "UniqueFieldDefinitionNames=error")
    }
    #expect(outcome.status == 1)
  }

  @Test(arguments: [
    ("{\"UniqueFieldName\": \"off\"}", "ruleSeverities.UniqueFieldName: There is no rule"),
    ("{\"KnownTypeNames\": \"no\"}", "Use one of 'error', 'warning', 'off'."),
    ("[]", "ruleSeverities: Expected an object, found an array."),
    (
      "{\"FieldsOnCorrectType\": \"warning\"}",
      "ruleSeverities.FieldsOnCorrectType: This rule cannot be relaxed"
    ),
  ])
  func severitiesThatMeanNothingAreRefused(_ severities: String, message: String) async throws {
    let files = files("type Query { a: Int }", "query A { a }", severities)
    let outcome = try await withFiles(files) { try await $0.apollo("generate") }
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
