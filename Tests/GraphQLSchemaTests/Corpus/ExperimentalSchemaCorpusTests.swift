import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Builds schemas with features that were added after September 2025.
@Suite(.readsCorpus) struct ExperimentalSchemaCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var document: String?
      var sdl: String?
      var base: String?
      var note: String?
      var rule: String?
      var extensions: [String]?
      var expected_errors: [CorpusError]
    }

    var schemas: [String: String]?
    var cases: [Case]
  }

  @Test(arguments: ["validation_sdl_experimental.json", "schema_validation_experimental.json"])
  func rejectsNewerSyntax(name: String) throws {
    let file = try Corpus.load(name, as: File.self)
    var tally = CorpusTally(name, knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let base = item.base.flatMap { file.schemas?[$0] }.map { [SchemaInput.sdl("base", $0)] } ?? []
      let text = item.document ?? item.sdl ?? ""
      let result = Schema.build(
        base, extendedBy: [.sdl("sdl", text)], options: SchemaOptions())
      let hasNewerSyntax = item.note?.contains("syntax") ?? false
      if hasNewerSyntax, Set(result.diagnostics.map(\.rule)) == [.syntax] {
        tally.add(item.id, true, "")
      } else {
        tally.add(
          item.id, found: result.findings(hasRule: false), expected: item.expected_errors,
          context: text)
      }
    }
    tally.finish(equalMessages: 0.95)
  }

  /// The cases with directives on directive definitions have the verdicts of the reference
  /// implementation, which has the draft.
  @Test(arguments: ["validation_sdl_experimental.json", "schema_validation_experimental.json"])
  func acceptsDirectivesOnDirectivesWithTheOption(name: String) throws {
    let file = try Corpus.load(name, as: File.self)
    let options = SchemaOptions(parser: ParserOptions(allowsDirectivesOnDirectives: true))
    var tally = CorpusTally(name, knownDifferences: [:])
    for item in file.cases where item.note?.contains("syntax") ?? false {
      let text = item.document ?? item.sdl ?? ""
      guard !text.contains("FRAGMENT_VARIABLE_DEFINITION") else { continue }
      let base = item.base.flatMap { file.schemas?[$0] }.map { [SchemaInput.sdl("base", $0)] } ?? []
      let extensions = (item.extensions ?? []).map { SchemaInput.sdl("extension", $0) }
      let result =
        base.isEmpty
        ? Schema.build([.sdl("sdl", text)] + extensions, options: options)
        : Schema.build(base, extendedBy: [.sdl("sdl", text)], options: options)
      let rule = item.rule ?? "*"
      let found = result.findings(hasRule: rule == "*" && item.document != nil) { diagnostic in
        // The rules for definitions are those of this corpus, without the one for the query type.
        item.document == nil
          || (rule == "*"
            ? diagnostic.rule != "RootOperationTypes"
            : rule == "\(diagnostic.rule.rawValue)Rule")
      }
      let expected = item.expected_errors.map(Self.withNamesOfLocations)
      tally.add(item.id, found: found, expected: expected, context: text)
    }
    tally.finish(equalMessages: 1)
  }

  /// Returns the error with the names of locations as the specification and graphql-js write them.
  ///
  /// graphql-core 3.3, whose messages these cases have, writes "field definition" in place of
  /// `FIELD_DEFINITION`. Otherwise all messages have to be equal.
  private static func withNamesOfLocations(_ error: CorpusError) -> CorpusError {
    guard let range = error.message.firstRange(of: " may not be used on ") else { return error }
    let location = error.message[range.upperBound...].uppercased().replacing(" ", with: "_")
    return CorpusError(
      rule: error.rule, message: error.message[..<range.upperBound] + location,
      locations: error.locations)
  }
}
