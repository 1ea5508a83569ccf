import Foundation

/// A page of the documentation, with the blocks of code that it shows.
struct DocumentationPage {
  /// A block of code between fences.
  struct Block {
    /// The language that the opening fence names.
    var language: String
    /// The number of the first line of code.
    var line: Int
    /// The lines of code.
    var lines: [Substring]

    var text: String { lines.joined(separator: "\n") + "\n" }
  }

  /// The file of the page.
  let file: URL
  /// The text of the page.
  let text: String
  /// The blocks in the order of the page.
  let blocks: [Block]

  /// The name of the page, which links to it use.
  var name: String { file.deletingPathExtension().lastPathComponent }

  init(_ file: URL) throws {
    self.file = file
    text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        blocks.append(block)
        open = nil
      } else {
        open = Block(language: String(line.dropFirst(3)), line: index + 2, lines: [])
      }
    }
    self.blocks = blocks
  }

  /// Every page of the libraries that are documented for users. The compiler's modules have tests
  /// of their own.
  static func all() throws -> [DocumentationPage] {
    let sources = Repository.root.appendingPathComponent("Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasPrefix("Apollo") && $0.hasSuffix(".md") && $0.contains(".docc/") }.sorted()
      .map { try DocumentationPage(sources.appendingPathComponent($0)) }
  }

  /// The page with this name.
  static func named(_ name: String) throws -> DocumentationPage {
    try DocumentationPage(
      Repository.root.appendingPathComponent("Sources/Apollo/Apollo.docc/\(name).md"))
  }

  func blocks(in language: String) -> [Block] { blocks.filter { $0.language == language } }
}

// MARK: - Swift

extension DocumentationPage {
  /// The blocks of Swift as one file that can be compiled; `nil` when the page has none.
  ///
  /// Declarations are private to the file, so that pages can use the same names. Statements go into
  /// a function whose parameters are the values that pages take for granted.
  var swiftFile: String? {
    let blocks = blocks(in: "swift").filter { !$0.isOfManifest && !$0.isTest }
    guard !blocks.isEmpty else { return nil }
    var text = Self.imports
    for block in blocks { text += block.lines.filter(\.isImport).map { $0 + "\n" }.joined() }
    for (index, block) in blocks.enumerated() {
      let lines = block.lines.map { $0.isImport ? "" : String($0) }
      let place = "#sourceLocation(file: \"\(file.path)\", line: \(block.line))"
      text +=
        block.isDeclarations
        ? [place, lines.map(Self.makingPrivate).joined(separator: "\n"), "#sourceLocation()", ""]
          .joined(separator: "\n")
        : [
          "private func block\(index)(\(Self.givens)) async throws {", place,
          lines.joined(separator: "\n"), "#sourceLocation()", "}", "",
        ].joined(separator: "\n")
    }
    return text
  }

  /// The modules of the package, and what a program around the blocks has.
  private static let imports = """
    import Apollo
    import ApolloOffline
    import ApolloRedis
    import ApolloSQLite
    import ApolloTestSupport
    import Dispatch
    import Foundation
    import MyAPI
    import MyAPITestMocks

    """

  private static let givens =
    "apollo: ApolloClient, store: ApolloStore, url: URL, token: String, id: ID, limit: Int?, "
    + "data: Data, fileURL: URL, queue: DispatchQueue"

  private static func makingPrivate(_ line: String) -> String {
    let line = line.hasPrefix("public ") ? String(line.dropFirst("public ".count)) : line
    let declared = ["struct ", "enum ", "final class ", "class ", "actor ", "protocol ", "func "]
    return declared.contains(where: line.hasPrefix) ? "fileprivate " + line : line
  }
}

extension DocumentationPage.Block {
  /// A Boolean value that indicates whether the block is a part of a `Package.swift`.
  fileprivate var isOfManifest: Bool {
    text.contains("PackageDescription") || text.contains(".package(") || text.contains(".plugin(")
  }

  /// A Boolean value that indicates whether the block is a test, which `scripts/readme` runs.
  fileprivate var isTest: Bool { text.contains("@Test ") }

  /// A Boolean value that indicates whether the block has declarations and no statement.
  fileprivate var isDeclarations: Bool {
    let beginnings = [
      "struct ", "enum ", "final ", "class ", "actor ", "protocol ", "extension ", "func ",
      "public ",
      "@", "}", "//", "#", ")",
    ]
    return lines.filter { !$0.isEmpty && !$0.isImport && $0.first != " " }
      .allSatisfy { line in beginnings.contains { line.hasPrefix($0) } }
  }
}

extension Substring {
  /// A Boolean value that indicates whether the line belongs above all declarations: an import, or
  /// the condition around one.
  fileprivate var isImport: Bool {
    drop { $0 == " " }.hasPrefix("import ") || hasPrefix("#if canImport(") || self == "#endif"
  }
}
