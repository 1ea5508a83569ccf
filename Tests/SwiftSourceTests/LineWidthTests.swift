import SwiftSource
import Testing

/// Lines are broken when they would be wider than 100 columns, and not before.
@Suite struct LineWidthTests {
  @Test(arguments: [(100, true), (101, false)])
  func keepsABodyOnTheLineOfItsHeadUpTo100Columns(width: Int, isOneLine: Bool) {
    let name = String(repeating: "x", count: width - "var : Int { 1 }".utf8.count)
    let text = printed(
      .property(Property(name, type: "Int", .computed(getter: ["1"], setter: nil))))
    #expect(
      text
        == (isOneLine ? "var \(name): Int { 1 }\n" : "var \(name): Int {\n  1\n}\n"))
  }

  private func printed(_ content: Declaration.Content) -> String {
    SourceFile(declarations: [Declaration(content)]).text()
  }
}
