import SwiftSource
import Testing

/// Lines are broken when they would be wider than 100 columns, and not before.
@Suite struct LineWidthTests {
  /// A declaration with a word in it, and the line that it takes while the word is short.
  struct Construct: Sendable, CustomTestStringConvertible {
    /// The line, with `WORD` in the place of the word.
    var line: String
    var content: @Sendable (_ word: String) -> Declaration.Content
    /// The number of types around the declaration.
    var depth = 0

    var testDescription: String { line }
  }

  static let constructs = [
    Construct(line: "var WORD: Int { 1 }") { .property(Property($0, type: "Int", ["1"])) },
    Construct(
      line: "var WORD: Int { 1 }", content: { .property(Property($0, type: "Int", ["1"])) },
      depth: 2),
    Construct(line: "func WORD(a: Int) {}") {
      .function(Function("func \($0)", [Parameter("a", type: "Int")], body: []))
    },
    Construct(line: "func WORD(a: Int)") {
      .function(Function("func \($0)", [Parameter("a", type: "Int")], body: nil))
    },
    Construct(line: "func WORD(a: Int) -> Int { 1 }") {
      .function(Function("func \($0)", [Parameter("a", type: "Int")], tail: "-> Int", body: ["1"]))
    },
    Construct(
      line: "let v = [\"WORD\", 1]", content: { property(.array([.string($0), .code("1")])) },
      depth: 1),
    Construct(line: "let v = f(a: [WORD, 1])") {
      property(.call("f", [.init("a", .array([.code($0), .code("1")]))]))
    },
    Construct(line: "let v = f(a: \"WORD\", b: 1)") {
      property(.call("f", [.init("a", .string($0)), .init("b", .code("1"))]))
    },
  ]

  @Test(arguments: constructs, [99, 100, 101, 102])
  func breaksLinesThatAreWiderThan100Columns(_ construct: Construct, width: Int) {
    let indentation = String(repeating: "  ", count: construct.depth)
    let word = String(repeating: "x", count: width - indentation.count - construct.line.count + 4)
    let line = indentation + construct.line.replacing("WORD", with: word)
    #expect(line.utf8.count == width)
    var declaration = Declaration(construct.content(word))
    for _ in 0..<construct.depth {
      declaration = Declaration(.group(Group("enum", "A", members: [declaration])))
    }
    let lines = SourceFile(declarations: [declaration]).text().split(separator: "\n")
    #expect(lines.contains { $0 == line } == (width <= 100), "\(lines)")
  }

  /// The item's comma belongs to its line.
  @Test(arguments: [99, 100, 101, 102])
  func breaksItemsThatAreWiderThan100Columns(width: Int) {
    let word = String(repeating: "x", count: width - "  \"a\": [, 1],".count)
    let item = Expression.array([.code(word), .code("1")])
    let text = printed(
      property(.dictionary([.init(.string("a"), item), .init(.string("b"), .code("2"))])))
    #expect(text.contains("  \"a\": [\(word), 1],\n") == (width <= 100), "\(text)")
  }

  /// The parenthesis behind a single argument belongs to the argument's line.
  @Test(arguments: [99, 100, 101, 102])
  func breaksALastArgumentThatLeavesNoSpaceForItsParenthesis(width: Int) {
    let word = String(repeating: "x", count: width - "let v = f(g(, 1))".count)
    let call = Expression.call("g", [.init(nil, .code(word)), .init(nil, .code("1"))])
    let text = printed(property(.call("f", [.init(nil, call)])))
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 }, "\(text)")
    #expect(text.contains("f(g(\(word), 1))") == (width <= 100), "\(text)")
  }

  private func printed(_ content: Declaration.Content) -> String {
    SourceFile(declarations: [Declaration(content)]).text()
  }
}

private func property(_ value: Expression) -> Declaration.Content {
  .property(Property("v", type: nil, .let(value)))
}
