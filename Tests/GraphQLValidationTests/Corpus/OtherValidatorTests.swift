import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates the fixtures of other validators that agree with the reference implementation.
@Suite(.readsCorpus) struct OtherValidatorTests {
  private struct KotlinFile: Decodable {
    struct Case: Decodable {
      var id: String
      var schema: String
      var document: String
      var reference_errors: [CorpusError]?
      var agree: Bool
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test func agreesWithTheFixturesOfApolloKotlin() throws {
    let name = "apollo_kotlin_validation.json"
    let file = try Corpus.load(name, as: KotlinFile.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    for item in file.cases where item.agree {
      let sdl = file.schemas[item.schema] ?? ""
      let schema = Schema.build([.sdl(Source(name: "schema", text: sdl))]).schema
      tally.add(
        item.id, found: errors(in: item.document, against: schema, ValidationConfiguration()),
        expected: item.reference_errors ?? [])
    }
    tally.finish()
  }

  private struct RustFile: Decodable {
    struct Case: Decodable {
      struct Reference: Decodable {
        var exec_errors: [CorpusError]?
        var sdl_errors: [CorpusError]?
        var schema_errors: [CorpusError]?
        var syntax_error: CorpusError?
      }

      var id: String
      var document: String
      var reference: Reference?
      var agree: Bool
    }

    var cases: [Case]
  }

  @Test func agreesWithTheFixturesOfApolloRs() throws {
    let name = "apollo_rs_validation.json"
    let file = try Corpus.load(name, as: RustFile.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    for item in file.cases where item.agree {
      let reference = item.reference
      // These rules do not concern errors in the schema.
      guard reference?.sdl_errors == nil, reference?.syntax_error == nil else { continue }
      let (sdl, operations) = parts(of: item.document)
      guard operations.contains(where: { !$0.isWhitespace }) else { continue }
      let schema = Schema.build([.sdl(Source(name: "schema", text: sdl))]).schema
      tally.add(
        item.id, found: errors(in: operations, against: schema, ValidationConfiguration()),
        expected: reference?.exec_errors ?? [])
    }
    tally.finish()
  }

  /// Returns the type system definitions of a text and the rest of it, each with blanks for the
  /// other.
  private func parts(of text: String) -> (sdl: String, operations: String) {
    let (document, _) = Document.parsing(text)
    var sdl = Array(text.utf8)
    var operations = sdl
    for definition in document.definitions {
      let span = document.span(of: definition)
      for offset in Int(span.start)..<Int(span.end) where sdl[offset] != UInt8(ascii: "\n") {
        if definition.isExecutable {
          sdl[offset] = UInt8(ascii: " ")
        } else {
          operations[offset] = UInt8(ascii: " ")
        }
      }
    }
    return (String(decoding: sdl, as: UTF8.self), String(decoding: operations, as: UTF8.self))
  }
}
