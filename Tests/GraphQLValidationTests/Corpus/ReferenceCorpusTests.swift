import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Runs the test suites of the reference implementations, which the corpus contains as data.
@Suite(.readsCorpus) struct ReferenceCorpusTests {
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
      var tags: [String]?

      /// A Boolean value that indicates whether the locations are specific to one reference
      /// implementation, which shortens long lists.
      var hasOwnLocations: Bool { tags?.contains("locations_impl_specific") ?? false }
    }

    var schemas: [String: String]
    var cases: [Case]
  }

  @Test(arguments: ["validation.json", "validation_nonspec.json"])
  func reportsTheErrorsOfTheReference(file name: String) throws {
    let file = try Corpus.load(name, as: File.self)
    var tally = CorpusTally(name, knownDifferences: CorpusDeviations.reasons)
    var all = CorpusTally("\(name), all rules", knownDifferences: CorpusDeviations.reasons)
    for item in file.cases {
      let sources = [file.schemas[item.schema] ?? ""] + (item.extensions ?? [])
      let schema = Schema.build(sources.map { .sdl(Source(name: "schema", text: $0)) }).schema
      let rule = Self.ourName(of: item.rule)
      let found = errors(in: item.document, against: schema, configuration(for: rule))
      let ours = found.filter { rule == "*" || $0.rule == rule || $0.rule == "Syntax" }
      let expected = item.expected_errors.map {
        CorpusError(
          rule: $0.rule.isEmpty ? rule : Self.ourName(of: $0.rule), message: $0.message,
          locations: $0.locations)
      }
      tally.add(
        item.id, found: item.hasOwnLocations ? ours.map(\.withoutLocations) : ours,
        expected: item.hasOwnLocations ? expected.map(\.withoutLocations) : expected,
        ignoringSuggestions: item.hide_suggestions == true)
      if let everything = item.all_errors, name == "validation.json" {
        let found = errors(in: item.document, against: schema, ValidationConfiguration())
        all.add(
          item.id + " (all)",
          found: item.hasOwnLocations ? found.map(\.withoutLocations) : found,
          expected: item.hasOwnLocations ? everything.map(\.withoutLocations) : everything)
      }
    }
    tally.finish(equalMessages: 0.95)
    if name == "validation.json" { all.finish() }
  }

  /// Returns the name without the suffixes of the reference implementation, whose optional rules
  /// are `Custom`.
  private static func ourName(of rule: String) -> String {
    ["Rule", "Custom"].reduce(rule) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
  }

  /// Returns the default configuration with `rule` enabled. Optional rules are off by default.
  private func configuration(for rule: String) -> ValidationConfiguration {
    guard let rule = ValidationRule(rawValue: rule) else { return ValidationConfiguration() }
    return ValidationConfiguration(severities: [rule: .error])
  }
}
