import Foundation
import Testing

/// The tables for users of Apollo iOS name declarations that exist.
struct MigrationTableTests {
  /// A public declaration that a table names, such as `fetch(query:cachePolicy:)`.
  private struct Name {
    /// The types around it, and its own name.
    var components: [String]
    /// The labels of its arguments.
    var labels: [String]

    init(_ text: Substring) {
      let parts = text.split(separator: "(", maxSplits: 1)
      components = parts[0].split(separator: ".").map(String.init)
      labels =
        parts.count < 2 ? [] : parts[1].split(separator: ":").dropLast().map(String.init)
    }
  }

  @Test(arguments: ["0.x", "1.x", "2.x"])
  func everyNameIsDeclared(generation: String) throws {
    let sources = try Self.sources()
    let declared = Self.declaredNames(in: sources)
    let page = try DocumentationPage.named("ComingFromApolloIOS").text
    let table = page.components(separatedBy: "### Names of \(generation)\n").last?
      .components(separatedBy: "\n### ").first
    let rows = try #require(table).split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count > 10)
    for row in rows {
      // The cells are between the first bar and the last.
      let cells = row.split(separator: "|")
      #expect(cells.count == 3, "\(row)")
      let names = cells[1].matches(of: /`([^`]+)`/).map { Name($0.1) }
      #expect(!names.isEmpty || cells[1] == " not there ", "\(row)")
      for name in names {
        #expect(
          Self.isDeclared(name, among: declared, in: sources), "\(name) is not declared: \(row)")
      }
    }
  }

  private static func isDeclared(
    _ name: Name, among declared: Set<Substring>, in sources: String
  ) -> Bool {
    guard name.components.allSatisfy({ declared.contains($0[...]) }) else { return false }
    guard !name.labels.isEmpty, let own = name.components.last else { return true }
    let isType = own.first?.isUppercase == true
    // Labels in order, in the parameters of one declaration.
    let labels = name.labels.map { "\\b\($0)(?: \\w+)?:[^{}]*?" }.joined()
    let declaration = isType ? "init[?]?\\([^{}]*?\(labels)" : "func \(own)\\b[^{}]*?\(labels)"
    return sources.range(of: declaration, options: .regularExpression) != nil
  }

  /// The words behind the keywords of declarations.
  private static func declaredNames(in sources: String) -> Set<Substring> {
    let keywords: Set<Substring> = [
      "func", "var", "let", "case", "struct", "class", "enum", "protocol", "typealias",
    ]
    let words = sources.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return Set(zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1))
  }

  /// The text of the libraries that programs use, without comments.
  private static func sources() throws -> String {
    let folder = Repository.root.appendingPathComponent("Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter {
        $0.hasPrefix("Apollo") && !$0.hasPrefix("ApolloCodegenLib") && $0.hasSuffix(".swift")
      }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
      .joined().split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .joined(separator: "\n")
  }
}
