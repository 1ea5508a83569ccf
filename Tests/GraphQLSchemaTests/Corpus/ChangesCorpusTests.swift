import CorpusSupport
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Compares the changes between schemas with those that the reference implementation finds.
@Suite(.readsCorpus) struct ChangesCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      struct Change: Decodable, Hashable {
        var type: String
        var description: String
      }

      var id: String
      var fn: String
      var old: String
      var new: String
      var result: [Change]
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test func findsTheChangesThatTheReferenceFinds() throws {
    let file = try Corpus.load("schema_changes.json", as: File.self)
    var tally = CorpusTally("schema_changes.json", knownDifferences: KnownDifferences.reasons)
    for item in file.cases {
      let schemas = [item.old, item.new].map { Schema.build([.sdl($0, file.schemas[$0] ?? "")]) }
      let changes = schemas[1].schema.changes(since: schemas[0].schema).filter { change in
        switch item.fn {
        case "findBreakingChanges": change.criticality == .breaking
        case "findDangerousChanges": change.criticality == .dangerous
        default: true
        }
      }
      let found = changes.map { "\($0.kind.rawValue) \($0.message)" }.sorted()
      let expected = item.result.map { "\($0.type) \($0.description)" }.sorted()
      tally.add(item.id, found == expected, "expected \(expected)\nfound    \(found)")
    }
    tally.finish()
  }
}
