import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Compares the results of the rules for whole schemas with those of the reference implementations.
@Suite(.readsCorpus) struct SchemaValidityCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var sdl: String
      var extensions: [String]?
      var expected_errors: [CorpusError]
    }

    var cases: [Case]
  }

  @Test func agreesWithTheReferenceAboutSchemas() throws {
    let file = try Corpus.load("schema_validation.json", as: File.self)
    var tally = CorpusTally("schema_validation.json", knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let extensions = (item.extensions ?? []).enumerated().map {
        SchemaInput.sdl("ext\($0.offset)", $0.element)
      }
      let sdl = SchemaInput.sdl("sdl", item.sdl)
      let result =
        extensions.isEmpty
        ? Schema.build([sdl])
        : Schema.build([sdl], extendedBy: extensions, options: SchemaOptions())
      tally.add(
        item.id, found: result.findings(hasRule: false),
        expected: item.expected_errors, context: item.sdl)
    }
    tally.finish(equalMessages: 0.95)
  }

  private struct OtherFile: Decodable {
    struct Case: Decodable {
      struct Reference: Decodable {
        var sdl_errors: [CorpusError]?
        var schema_errors: [CorpusError]?
        var schema_exception: String?
      }

      var id: String
      var document: String
      var reference: Reference
    }

    var cases: [Case]
  }

  @Test(arguments: ["apollo_kotlin_schema_validation.json", "apollo_rs_validation.json"])
  func agreesWithTheReferenceAboutFixturesOfOtherTools(name: String) throws {
    let file = try Corpus.load(name, as: OtherFile.self)
    var tally = CorpusTally(name, knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let result = Schema.build([.sdl("sdl", item.document)])
      guard !result.diagnostics.contains(where: { $0.rule == .syntax }) else { continue }
      let found = result.findings(hasRule: true) { DefinitionCorpusTests.rules.contains($0.rule) }
      let expected = item.reference.sdl_errors ?? []
      tally.add(item.id, found: found, expected: expected, context: item.document)
      guard item.reference.schema_exception == nil else { continue }
      tally.add(
        "\(item.id)/schema",
        found: result.findings(hasRule: false) { !DefinitionCorpusTests.rules.contains($0.rule) },
        expected: item.reference.schema_errors ?? [],
        context: item.document)
    }
    // This reference words input object cycles and missing arguments differently from the reference
    // of the other files.
    tally.finish(equalMessages: 0.66)
  }
}
