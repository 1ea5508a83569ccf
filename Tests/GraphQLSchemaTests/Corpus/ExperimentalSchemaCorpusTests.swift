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
}
