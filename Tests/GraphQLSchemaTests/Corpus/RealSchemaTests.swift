import CorpusSupport
import Foundation
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Builds the published schemas of the corpus.
@Suite(.readsCorpus) struct RealSchemaTests {
  struct File: Decodable {
    struct Project: Decodable {
      var name: String
      var schema_file: String
      var sdl_errors: [CorpusError]
      var schema_errors: [CorpusError]
    }

    var projects: [Project]
  }

  @Test func agreesWithTheReferenceAboutPublishedSchemas() throws {
    let file = try Corpus.load("real/index.json", as: File.self)
    var tally = CorpusTally("real schemas", knownDifferences: KnownDifferences.reasons)
    for project in file.projects {
      let text = try Corpus.text("real/\(project.name)/schema.graphql")
      let result = Schema.build([.sdl("sdl", text)])
      let expected = project.sdl_errors + project.schema_errors
      let isFromJSON = project.schema_file.hasPrefix("schema.json")
      var found = result.findings(hasRule: false)
      // The reference read JSON here, and its locations refer to strings inside the JSON.
      if isFromJSON { found = found.map(\.withoutLocations) }
      tally.add(
        project.name, found: found,
        expected: isFromJSON ? expected.map(\.withoutLocations) : expected)
    }
    tally.finish(equalMessages: 0.95)
  }

  @Test func readsTheSameSchemaFromSDLAndFromJSON() throws {
    let file = try Corpus.load("real/index.json", as: File.self)
    for project in file.projects where project.schema_file.hasPrefix("schema.json") {
      let json = try Corpus.text("real/\(project.name)/schema.json")
      let sdl = try Corpus.text("real/\(project.name)/schema.graphql")
      let result = Schema.build([.introspection(Source(name: "schema.json", text: json))])
      #expect(result.schema.printed() == sdl.trimmingCharacters(in: .newlines), "\(project.name)")
    }
  }

  @Test func aSchemaWithOnlyWarningsIsUsable() throws {
    let file = try Corpus.load("real/index.json", as: File.self)
    for project in file.projects where !(project.sdl_errors + project.schema_errors).isEmpty {
      let text = try Corpus.text("real/\(project.name)/schema.graphql")
      let strict = Schema.build([.sdl("sdl", text)])
      #expect(!strict.isUsable)
      let rules = strict.diagnostics.map { ($0.rule, RuleSeverity.warning) }
      let options = SchemaOptions(severities: Dictionary(rules) { $1 })
      #expect(Schema.build([.sdl("sdl", text)], options: options).isUsable)
    }
  }
}
