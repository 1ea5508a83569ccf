import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates documents that use or concern features added after September 2025.
@Suite(.readsCorpus) struct ExperimentalCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var schema: String
      var document: String
      var all_errors: [CorpusError]?
      var sept2025_syntax_error: CorpusError?
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  /// The newer syntax is rejected. The other documents are validated by the rules of September
  /// 2025.
  @Test func reportsNewerFeaturesAsUnknown() throws {
    let name = "validation_experimental.json"
    let file = try Corpus.load(name, as: File.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    for item in file.cases {
      let sdl = file.schemas[item.schema] ?? ""
      let schema = Schema.build([.sdl(Source(name: "schema", text: sdl))]).schema
      let found = errors(in: item.document, against: schema, ValidationConfiguration())
      if let error = item.sept2025_syntax_error {
        let expected = CorpusError(
          rule: "Syntax", message: error.message, locations: error.locations)
        tally.add(item.id, found: Array(found.prefix(1)), expected: [expected])
      } else if let expected = item.all_errors {
        tally.add(item.id, found: found, expected: expected)
      }
    }
    tally.finish(equalMessages: 0.95)
  }
}
