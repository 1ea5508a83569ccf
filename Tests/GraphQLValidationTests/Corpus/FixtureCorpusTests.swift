import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates schemas with operations that were collected for other purposes.
@Suite(.readsCorpus) struct FixtureCorpusTests {
  private struct FixtureFile: Decodable {
    struct Document: Decodable {
      var file: String
      var text: String
    }

    struct Error: Decodable {
      struct Location: Decodable {
        var line: Int
        var column: Int
        var file: String
      }

      var rule: String
      var message: String
      var locations: [Location]
    }

    struct Reference: Decodable {
      var errors: [Error]?
      var sdl_errors: [String]?
      var schema_errors: [String]?
      var schema_exception: String?
    }

    struct Case: Decodable {
      var id: String
      var schema: String
      var documents: [Document]
      var valid: Bool
      var reference: Reference
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test func validatesTheFixturesOfOtherGenerators() throws {
    let name = "codegen_fixtures.json"
    let file = try Corpus.load(name, as: FixtureFile.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    var errors = CorpusTally("\(name), errors", knownDifferences: CorpusDeviations.reasons)
    for item in file.cases {
      let sdl = Source(name: "schema", text: file.schemas[item.schema] ?? "")
      let schema = Schema.build([.sdl(sdl)])
      var document = Document(names: schema.schema.names)
      var found = item.documents.flatMap {
        document.parse(Source(name: $0.file, text: $0.text))
      }
      if found.isEmpty { found = validate(document, against: schema.schema).diagnostics }
      tally.add(
        item.id, (schema.isUsable && found.isEmpty) == item.valid,
        "\(schema.diagnostics.map(\.message)) \(found.map(\.message))")
      guard let expected = item.reference.errors, item.reference.schema_exception == nil else {
        continue
      }
      var table = LocationTable(document.sources)
      errors.add(
        "\(item.id) (errors)", found: found.map { CorpusError($0, &table) },
        expected: expected.map { error in
          CorpusError(
            rule: error.rule, message: error.message,
            locations: error.locations.map {
              .init(line: $0.line, column: $0.column, source: $0.file)
            })
        })
    }
    tally.finish()
    errors.finish(equalMessages: 0.9)
  }

  private struct ExecutionFile: Decodable {
    struct Case: Decodable {
      var id: String
      var schema: String
      var document: String
      var tags: [String]?
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test(arguments: ["execution.json", "malformed_responses.json"])
  func validatesExecutedDocuments(name: String) throws {
    let file = try Corpus.load(name, as: ExecutionFile.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    for item in file.cases {
      let sdl = Source(name: "schema", text: file.schemas[item.schema] ?? "")
      let schema = Schema.build([.sdl(sdl)]).schema
      let found = errors(in: item.document, against: schema, ValidationConfiguration())
      let isInvalid = item.tags?.contains("document_is_invalid") ?? false
      tally.add(item.id, found.isEmpty == !isInvalid, "\(found) in \(item.document)")
    }
    tally.finish()
  }
}

extension CorpusError {
  /// Creates an error with the names of the files that its locations are in.
  fileprivate init(_ diagnostic: Diagnostic, _ table: inout LocationTable) {
    let spans = [diagnostic.span].compactMap { $0 } + diagnostic.notes.map(\.span)
    var locations: [Location] = []
    for span in spans {
      let place = table.location(of: span.start)
      locations.append(
        Location(
          line: place.line, column: place.column, source: table.map.sources[place.source].name))
    }
    self.init(
      rule: diagnostic.rule.rawValue, message: diagnostic.message, locations: locations)
  }
}
