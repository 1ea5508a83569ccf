import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates the examples and counterexamples in the specification's section on validation.
@Suite(.readsCorpus) struct SpecificationExampleTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var text: String
      var rule: String?
      var schema: String?
      var all_errors: [CorpusError]?
    }

    var cases: [Case]
  }

  @Test func reportsTheErrorsOfTheReferenceInTheExamples() throws {
    let file = try Corpus.load("spec_examples.json", as: File.self)
    var tally = CorpusTally("spec_examples.json", knownDifferences: CorpusDeviations.reasons)
    for item in file.cases {
      guard let sdl = item.schema, let expected = item.all_errors else { continue }
      let schema = Schema.build([.sdl(Source(name: "schema", text: sdl))]).schema
      tally.add(
        item.id, found: errors(in: item.text, against: schema, ValidationConfiguration()),
        expected: expected)
    }
    tally.finish(equalMessages: 0.95)
  }
}
