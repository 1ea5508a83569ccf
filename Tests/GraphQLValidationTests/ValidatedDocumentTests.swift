import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite struct ValidatedDocumentTests {
  private func result(
    _ text: String, _ severities: [ValidationRule: RuleSeverity] = [:]
  ) -> ValidationResult {
    var document = Document(names: Schema.pets.names)
    #expect(document.parse(Source(name: "test", text: text)).isEmpty)
    return validate(
      document, against: .pets, configuration: ValidationConfiguration(severities: severities))
  }

  @Test func isCreatedForADocumentWithoutErrors() throws {
    let valid = try #require(result("{ dog { name } }").document)
    let operation = valid.document.operations[0]
    let type = try #require(valid.types.parentType(of: operation.selectionSet))
    #expect(valid.schema.name(of: type) == "Query")
    let names = valid.document.fields.indices.compactMap { index in
      valid.types.definition(of: Field.ID(rawValue: UInt32(index))).map {
        valid.schema.coordinate(of: $0)
      }
    }
    #expect(names.sorted() == ["Dog.name", "Query.dog"])
  }

  @Test func isNotCreatedForADocumentThatBreaksARule() {
    #expect(result("{ dog { nme } }").document == nil)
    #expect(result("{ dog { name } } fragment F on Dog { name }").document == nil)
  }

  @Test func isCreatedIfOnlyARelaxedRuleIsBroken() {
    let text = "{ dog { name } } fragment F on Dog { name }"
    let warned = result(text, [.noUnusedFragments: .warning])
    #expect(warned.document != nil)
    #expect(warned.diagnostics.map(\.severity) == [.warning])
    let silent = result(text, [.noUnusedFragments: .off])
    #expect(silent.document != nil)
    #expect(silent.diagnostics.isEmpty)
  }

  @Test func isNotCreatedIfARuleIsBrokenThatLaterStagesRelyOn() {
    let silent = result("{ dog { nme } }", [.fieldsOnCorrectType: .off])
    #expect(silent.document == nil)
    #expect(silent.diagnostics.isEmpty)
  }

  @Test func returnsTheFragmentsOfAnOperation() throws {
    let text = """
      { dog { ...A } }
      fragment C on Dog { name }
      fragment B on Dog { ...C }
      fragment A on Dog { ...B ...C }
      """
    let valid = try #require(result(text).document)
    let names = valid.fragments(usedBy: OperationDefinition.ID(rawValue: 0))
      .map { valid.document.spelling(valid.document[$0].name) }
    #expect(names == ["A", "B", "C"])
  }

  @Test func returnsTheSchemaElementsThatAnOperationUses() throws {
    let text = """
      query A($c: Color) { find(filter: {name: "a"}, color: $c) @tag(label: "x") { ...F } }
      fragment F on Pet { name }
      """
    let valid = try #require(result(text).document)
    let used = valid.coordinates(usedBy: OperationDefinition.ID(rawValue: 0))
    #expect(
      used == [
        "Query", "Query.find", "Query.find(filter:)", "Query.find(color:)", "Dog", "Pet",
        "Pet.name",
        "String", "Filter", "Filter.name", "Color", "Color.RED", "Color.GREEN", "Color.BLACK",
        "@tag",
        "@tag(label:)",
      ])
  }

  private static let manyDeprecated =
    "{ " + (0..<DiagnosticList.maximumCount + 5).map { "a\($0): old" }.joined(separator: " ")

  @Test func isCreatedDespiteAnyNumberOfWarnings() {
    let found = result(Self.manyDeprecated + " }", [.noDeprecated: .warning])
    #expect(found.document != nil)
    #expect(found.diagnostics.count == DiagnosticList.maximumCount + 1)
    #expect(found.diagnostics.count { $0.rule == .limit } == 1)
  }

  @Test func warningsDoNotHideAnError() {
    let found = result(Self.manyDeprecated + " zzz }", [.noDeprecated: .warning])
    #expect(found.document == nil)
    let errors = found.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.message) == ["Cannot query field \"zzz\" on type \"Query\"."])
  }

  @Test func errorsAreReportedUpToALimit() {
    let fields = (0..<2 * DiagnosticList.maximumCount).map { "zz\($0)" }
    let found = result("{ \(fields.joined(separator: " ")) }")
    #expect(found.document == nil)
    #expect(found.diagnostics.count == DiagnosticList.maximumCount + 1)
    #expect(found.diagnostics.contains(.tooMany))
  }

  @Test func diagnosticsAreInTheOrderOfTheText() {
    let text = "query A($a: Int) { zzz dog { nme @nope } } fragment F on Nope { x }"
    let starts = result(text).diagnostics.compactMap { $0.span?.start }
    #expect(starts == starts.sorted())
    #expect(starts.count == 6)
  }
}
