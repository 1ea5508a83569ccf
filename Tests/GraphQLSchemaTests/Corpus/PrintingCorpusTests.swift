import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Compares printed schemas with those of the reference implementations.
@Suite(.readsCorpus) struct PrintingCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var sdl: String
      var extensions: [String]?
      var printed: String
      var printed_v17: String?
      var printed_sorted: String?
    }

    var cases: [Case]
  }

  @Test func printsSchemasAsTheReferenceDoes() throws {
    let file = try Corpus.load("schema_print.json", as: File.self)
    var tally = CorpusTally("schema_print.json", knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let extensions = (item.extensions ?? []).map { SchemaInput.sdl("extension", $0) }
      let schema = Schema.build(
        extensions.isEmpty ? [] : [.sdl("sdl", item.sdl)],
        extendedBy: extensions.isEmpty ? [.sdl("sdl", item.sdl)] : extensions,
        options: SchemaOptions()
      ).schema
      let printed = schema.printed()
      tally.add(
        item.id, [item.printed, item.printed_v17].contains(printed),
        "expected\n\(item.printed_v17 ?? item.printed)\nfound\n\(printed)")
      guard let sorted = item.printed_sorted else { continue }
      // The corpus contains schemas that version 16 of the reference implementation sorted.
      let found = schema.printed(order: .name, style: .version16)
      tally.add("\(item.id)/sorted", sorted == found, "expected\n\(sorted)\nfound\n\(found)")
    }
    tally.finish()
  }
}
