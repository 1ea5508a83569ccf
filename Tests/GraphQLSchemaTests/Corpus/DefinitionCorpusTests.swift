import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Compares the results of the rules for definitions with those of the reference implementation.
@Suite(.readsCorpus) struct DefinitionCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var rule: String
      var document: String
      var base: String?
      var base_extensions: [String]?
      var expected_errors: [CorpusError]
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  /// The rules that the reference implementation applies to definitions alone.
  static let rules: Set<Diagnostic.Rule> = [
    "LoneSchemaDefinition", "UniqueOperationTypes", "UniqueTypeNames", "UniqueEnumValueNames",
    "UniqueFieldDefinitionNames", "UniqueArgumentDefinitionNames", "UniqueDirectiveNames",
    "KnownTypeNames", "KnownDirectives", "UniqueDirectivesPerLocation", "PossibleTypeExtensions",
    "KnownArgumentNamesOnDirectives", "UniqueArgumentNames", "UniqueInputFieldNames",
    "ProvidedRequiredArgumentsOnDirectives",
  ]

  @Test func agreesWithTheReferenceAboutDefinitions() throws {
    let file = try Corpus.load("validation_sdl.json", as: File.self)
    var tally = CorpusTally("validation_sdl.json", knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let base = item.base.map { [file.schemas[$0] ?? ""] + (item.base_extensions ?? []) } ?? []
      let result = Schema.build(
        base.enumerated().map { .sdl("base\($0.offset)", $0.element) },
        extendedBy: [.sdl("sdl", item.document)], options: SchemaOptions())
      let found = result.findings(hasRule: true) {
        Self.rules.contains($0.rule) && (item.rule == "*" || item.rule == "\($0.rule.rawValue)Rule")
      }
      let expected = item.expected_errors.map { error in
        CorpusError(
          rule: error.rule.isEmpty ? item.rule : error.rule, message: error.message,
          locations: error.locations)
      }
      tally.add(item.id, found: found, expected: expected, context: item.document)
    }
    tally.finish(equalMessages: 0.95)
  }
}
