import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The test suites of the reference implementations, as data.
@Suite struct ReferenceCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var rule: String
      var schema: String
      var extensions: [String]?
      var document: String
      var hide_suggestions: Bool?
      var expected_errors: [CorpusError]
      var all_errors: [CorpusError]?
      var agree: [String]?
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test(arguments: ["validation.json", "validation_nonspec.json"])
  func findsWhatTheReferenceFinds(file name: String) throws {
    guard let file = try Corpus.read(name, as: File.self) else { return }
    var tally = CorpusTally(name)
    var all = CorpusTally("\(name), all rules")
    for item in file.cases {
      let sources = [file.schemas[item.schema] ?? ""] + (item.extensions ?? [])
      let schema = Schema.build(sources.map { .sdl(Source(name: "schema", text: $0)) }).schema
      let rule = item.rule.hasSuffix("Rule") ? String(item.rule.dropLast(4)) : item.rule
      let found = errors(in: item.document, against: schema, configuration(for: rule))
      let ours = found.filter { rule == "*" || $0.rule == rule || $0.rule == "Syntax" }
      let expected = item.expected_errors.map {
        CorpusError(
          rule: $0.rule.isEmpty ? rule : $0.rule, message: $0.message, locations: $0.locations)
      }
      tally.add(
        item.id, found: ours, expected: expected, ignoringSuggestions: item.hide_suggestions == true
      )
      if let everything = item.all_errors, name == "validation.json" {
        let found = errors(in: item.document, against: schema, ValidationConfiguration())
        all.add(item.id + " (all)", found: found, expected: everything)
      }
    }
    tally.finish(messageShare: 0.95)
    all.finish()
  }

  /// Optional rules are off unless they are asked for.
  private func configuration(for rule: String) -> ValidationConfiguration {
    guard let rule = ValidationRule(rawValue: rule) else { return ValidationConfiguration() }
    return ValidationConfiguration(severities: [rule: .error])
  }
}
