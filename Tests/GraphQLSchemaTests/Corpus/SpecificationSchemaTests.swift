import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Builds schemas from the type system definitions in the specification.
@Suite(.readsCorpus) struct SpecificationSchemaTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var kind: String
      var section: String
      var lang: String?
      var text: String
    }

    var cases: [Case]
  }

  /// The rules that counterexamples break, by their IDs.
  private static let brokenRules: [String: Diagnostic.Rule] = [
    "spec-8c7d041c80": "InterfaceImplementations",
    "spec-b7e6538f64": "InputObjectCycles",
    "spec-4648a58857": "InputObjectCycles",
    "spec-51a1081aad": "RequiredDeprecations",
  ]

  /// The rules that excerpts break, because other definitions are elsewhere in the specification.
  private static let excerptRules: Set<Diagnostic.Rule> = [
    "RootOperationTypes", "KnownTypeNames", "KnownDirectives", "PossibleTypeExtensions",
  ]

  @Test func acceptsExamplesAndRejectsCounterexamples() throws {
    let file = try Corpus.load("spec_examples.json", as: File.self)
    var tally = CorpusTally(
      "spec_examples.json, type systems", knownDifferences: KnownDifferences.reasons)
    for item in file.cases where item.lang == "graphql" {
      let (document, diagnostics) = Document.parsing(item.text)
      guard diagnostics.isEmpty, document.definitions.contains(where: { !$0.isExecutable }) else {
        continue
      }
      let options = SchemaOptions(
        severities: Dictionary(uniqueKeysWithValues: Self.excerptRules.map { ($0, .warning) }))
      let result = Schema.build([.sdl("example", item.text)], options: options)
      let found = Set(result.diagnostics.map(\.rule)).subtracting(Self.excerptRules)
      let expected: Set<Diagnostic.Rule> =
        item.kind == "counter-example" ? [Self.brokenRules[item.id] ?? "?"] : []
      tally.add(item.id, found == expected, "\(item.section): \(found) in \(item.text)")
    }
    tally.finish()
  }
}
