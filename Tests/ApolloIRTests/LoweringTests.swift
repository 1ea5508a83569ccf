import ApolloIR
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Programs that documents are lowered to.
///
/// Each `Fixtures/Name.graphql` holds a schema, the line `# Operations`, and operations. `Name.txt`
/// next to it holds the printed program. A first line such as `# Options: reducedTypes` sets
/// options.
///
/// `RECORD_GOLDEN=1` replaces the expected programs by the present ones.
@Suite struct LoweringTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static let fixtures: [String] = {
    // A missing folder leaves no fixtures, which the first test reports.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".graphql") }.map { String($0.dropLast(8)) }.sorted()
  }()

  @Test func findsFixtures() { #expect(Self.fixtures.count >= 15) }

  @Test(arguments: fixtures)
  func lowersTheFixtureToTheReviewedProgram(_ name: String) throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("\(name).graphql"), encoding: .utf8)
    let printed = ProgramPrinter.text(of: try Self.program(of: text))
    let golden = Self.folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try printed.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    let difference = zip(
      printed.split(separator: "\n", omittingEmptySubsequences: false),
      expected.split(separator: "\n", omittingEmptySubsequences: false)
    ).first { $0 != $1 }
    #expect(difference.map { "found: \($0)\nexpected: \($1)" } == nil)
    #expect(printed.count == expected.count)
  }

  private static func program(of text: String) throws -> Program {
    let parts = text.components(separatedBy: "# Operations\n")
    try #require(parts.count == 2, "A fixture has a schema, '# Operations', and operations.")
    let built = Schema.build([.sdl(Source(name: "schema", text: parts[0]))])
    try #require(built.isUsable, "\(built.diagnostics)")
    var document = Document(names: built.schema.names, sources: built.schema.document.sources)
    let syntaxErrors = document.parse(Source(name: "operations", text: parts[1]))
    try #require(syntaxErrors.isEmpty, "\(syntaxErrors)")
    let rules = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    let result = validate(document, against: built.schema, configuration: rules)
    let valid = try #require(result.document, "\(result.diagnostics)")

    let words = options(in: text)
    var options: LoweringOptions = []
    if words.contains("reducedTypes") { options.insert(.reducedTypes) }
    if words.contains("legacyDocuments") { options.insert(.legacyDocuments) }
    var initializers = InitializerOptions()
    initializers.operations = words.contains("initializers")
    return lower(
      valid, merging: merging(words), options: options, initializers: initializers)
  }

  /// Returns the kinds of fields to merge: those that the options name, or all.
  private static func merging(_ words: Set<String>) -> MergingOptions {
    var merging: MergingOptions = []
    if words.contains("ancestors") { merging.insert(.ancestors) }
    if words.contains("siblings") { merging.insert(.siblings) }
    if words.contains("fragments") { merging.insert(.namedFragments) }
    return merging.isEmpty && !words.contains("noMerging") ? .all : merging
  }

  private static func options(in text: String) -> Set<String> {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("# Options: ") else {
      return []
    }
    return Set(line.dropFirst(11).split(separator: " ").map(String.init))
  }
}
