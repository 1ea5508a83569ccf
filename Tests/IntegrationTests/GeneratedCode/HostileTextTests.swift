import Foundation
import Testing

/// Descriptions, reasons, defaults, URLs and arguments stay text, in the code, in its documents, in
/// the manifest and in `Package.swift`.
@Suite(.timeLimit(.minutes(10)))
struct HostileTextTests {
  /// Texts that end comments and literals, begin new lines, interpolate, give orders to the
  /// compiler, or hide.
  private static let texts = [
    "*/ let evil = 1 /*", "/*", "*/", "a\nlet evil = 1", "a\rlet evil = 1", "a\r\nlet evil = 1",
    "a\u{2028}let evil = 1", "a\u{2029}let evil = 1", "a\u{85}let evil = 1", "a\u{B}let evil = 1",
    "a\u{C}let evil = 1", "\\(evil())", "\\#(evil())", "\"\"\"", "\"", "\"#", "\"\"\"###", "##\"##",
    "\"); evil(); //", "\\", "\\\\\"", "\u{0}", "#if os(Linux)",
    "#sourceLocation(file: \"x\", line: 1)",
    "#error(\"x\")", "// swift-format-ignore", "\u{202E}live\u{202C}", "\u{FEFF}a", "`", "$0",
    "${HOME} $(evil)",
    "https://example.org\"; evil", String(repeating: "long ", count: 2000),
  ]

  /// A project with each text in every position where GraphQL allows one.
  private struct Text {
    var schema: String
    var operations: String

    init(_ texts: [String]) {
      let quoted = texts.map(HostileTextTests.quoted)
      func each(_ body: (Int, String) -> String) -> String {
        quoted.enumerated().map { body($0, $1) }.joined(separator: "\n")
      }
      schema = """
        "The root" type Query { echo(text: String, all: All, by: By, at: [Place!]): String any: Any_ thing: Thing
        \(each { "\($1) f\($0)(\($1) a: String = \($1)): Int @deprecated(reason: \($1))" }) }
        enum All { FIRST \(each { "\($1) A\($0) @deprecated(reason: \($1))" }) }
        input Fields { \(each { "\($1) i\($0): String = \($1) @deprecated(reason: \($1))" }) }
        input By @oneOf { fields: Fields \(each { "\($1) b\($0): String @deprecated(reason: \($1))" }) }
        interface Thing { id: ID }
        union Any_ = \(texts.indices.map { "O\($0)" }.joined(separator: " | "))
        scalar Place
        \(each { "\($1) type O\($0) implements Thing { \($1) id: ID }\n\($1) scalar S\($0) @specifiedBy(url: \($1))" })
        """
      operations = each {
        """
        \($1) query Q\($0)($text: String = \($1), $at: [Place!], $all: All, $by: By) {
          a: echo(text: \($1)) echo(text: $text, all: $all, by: $by, at: $at) f\($0) any { ... on O\($0) { ...F\($0) } }
        }
        \($1) fragment F\($0) on O\($0) { id }
        """
      }
    }
  }

  private static let configuration = """
    { "schemaNamespace": "TextAPI", "output": { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } },
      "operationManifest": { "path": "manifest.json", "version": "persistedQueries", "generateManifestOnCodeGeneration": true } }
    """

  /// A string of GraphQL, every character of which that is not a letter is escaped.
  private static func quoted(_ text: String) -> String {
    "\""
      + text.utf16.map { unit in
        let isPlain = unit == 0x20 || (0x30..<0x7F).contains(unit) && unit != 0x5C
        let digits = String(unit, radix: 16)
        return isPlain
          ? String(UnicodeScalar(UInt8(unit)))
          : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }

  private func code(_ name: String, _ texts: [String], in folder: URL) async throws -> URL {
    let text = Text(texts)
    return try await generate(
      name, schema: text.schema, operations: text.operations, configuration: Self.configuration,
      in: folder)
  }

  // MARK: - Code

  @Test func theCodeHasTheStructureThatItHasWithHarmlessTexts() async throws {
    try await withTemporaryFolder { folder in
      let hostile = try await code("hostile", Self.texts, in: folder)
      let harmless = try await code("harmless", Self.texts.map { _ in "harmless" }, in: folder)
      let structure = try await SwiftCompiler().structure(of: hostile)
      #expect(structure.count > 1000)
      #expect(try await SwiftCompiler().structure(of: harmless) == structure)
    }
  }

  @Test func programsSendExactlyTheseTexts() async throws {
    try await withTemporaryFolder { folder in
      let code = try await code("hostile", Self.texts, in: folder)
      let lines = Self.texts.indices.map { "show(TextAPI.Q\($0)Query())" }
      try """
      import ApolloAPI
      import Foundation

      @main struct Program {
        static func show<Query: GraphQLQuery>(_ query: Query) {
          let text = query.__variables?.jsonValue.objectValue?["text"]?.stringValue
          let document = Query.operationDocument.definition?.queryDocument
          for part in [text, document] { print(Data((part ?? "nothing").utf8).base64EncodedString()) }
        }
        static func main() {
          \(lines.joined(separator: "\n    "))
        }
      }
      """.write(
        to: code.appendingPathComponent("Program.swift"), atomically: true, encoding: .utf8)
      let outcome = try await SwiftCompiler().run("App", in: code)
      let shown = outcome.output.split(separator: "\n").map { line in
        Data(base64Encoded: String(line)).map { String(decoding: $0, as: UTF8.self) }
      }
      #expect(shown.count == 2 * Self.texts.count, "\(outcome.errors)")
      let bodies = try manifest(in: code.deletingLastPathComponent())
      for (index, text) in Self.texts.enumerated() where 2 * index + 1 < shown.count {
        let document = try #require(shown[2 * index + 1])
        #expect(
          shown[2 * index]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(text)")
        let argument = try #require(try self.argument(in: document), "\(document)")
        #expect(argument.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text)")
        #expect(bodies["Q\(index)"] == document)
      }
    }
  }

  /// The value of the first argument of a document: a string in one line, which JSON reads as
  /// GraphQL does. A long one has blanks around it.
  private func argument(in document: String) throws -> String? {
    guard let start = document.range(of: "a: echo("),
      let name = document.range(of: "text: ", range: start.upperBound..<document.endIndex),
      let end = document.range(of: ") echo(", range: name.upperBound..<document.endIndex)
    else { return nil }
    let literal = "[\(document[name.upperBound..<end.lowerBound])]"
    return try JSONDecoder().decode([String].self, from: Data(literal.utf8)).first
  }

  /// The bodies in the manifest, by the names of their operations.
  private func manifest(in folder: URL) throws -> [String: String] {
    struct Manifest: Decodable {
      struct Operation: Decodable {
        var name: String
        var body: String
      }
      var operations: [Operation]
    }
    let data = try Data(contentsOf: folder.appendingPathComponent("manifest.json"))
    return Dictionary(
      try JSONDecoder().decode(Manifest.self, from: data).operations.map { ($0.name, $0.body) },
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Packages

  @Test func packagesHaveTheStructureThatTheyHaveWithHarmlessTexts() async throws {
    try await withTemporaryFolder { folder in
      let texts = [Self.texts.filter { !$0.contains("\u{0}") }.joined(separator: " "), "harmless"]
      var structures: [[String]] = []
      for (index, text) in texts.enumerated() {
        let literal = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let code = try await generate(
          "package\(index)", schema: "type Query { a: Int }", operations: "query Q { a }",
          configuration: """
            { "schemaNamespace": "TextAPI", "output": { "schemaTypes": { "path": "out", "moduleType":
              { "swiftPackage": { "apolloSDKDependency": { "url": \(literal), "sdkVersion": { "branch": \(literal) } } } } } } }
            """, in: folder)
        structures.append(
          try await SwiftCompiler().structure(of: code.appendingPathComponent("Package.swift")))
      }
      #expect(structures[0] == structures[1] && structures[0].count > 10)
    }
  }
}
