import GraphQLSyntax
import Testing

/// Types with as many lists as there can be.
@Suite struct DeepListTests {
  private func text(_ depth: Int, isNonNull: (Int) -> Bool) -> String {
    var text = String(repeating: "[", count: depth) + "T"
    for level in stride(from: depth, through: 0, by: -1) {
      if isNonNull(level) { text += "!" }
      if level > 0 { text += "]" }
    }
    return text
  }

  @Test(arguments: [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 254, 255], [1, 2, 3, 7])
  func everyLevelKeepsItsMark(_ depth: Int, _ step: Int) throws {
    let type = text(depth) { $0 % step == 0 }
    let (document, diagnostics) = Document.parsing("type A { a: \(type) }", name: "a")
    #expect(diagnostics.isEmpty)
    let field = try #require(document.fieldDefinitions.first)
    #expect(document.description(of: field.type) == type)
    var wrapping = field.type.wrapping
    for level in 0..<depth {
      #expect(wrapping.isNonNull == (level % step == 0))
      wrapping = try #require(wrapping.item)
    }
    #expect(!wrapping.isList)
    #expect(wrapping.isNonNull == (depth % step == 0))
    #expect(field.type.wrapping.nonNull.nullable == field.type.wrapping.nullable)
  }

  @Test func oneListMoreIsRefused() {
    let (_, diagnostics) = Document.parsing(
      "type A { a: \(text(256) { _ in false }) }", name: "a")
    #expect(diagnostics.count == 1)
  }

  @Test func typesThatDifferFarInsideAreDifferent() {
    var (one, other) = (TypeWrapping.named, TypeWrapping.named.nonNull)
    for _ in 0..<255 { (one, other) = (one.list, other.list) }
    #expect(one != other)
    for _ in 0..<255 { (one, other) = (one.item!, other.item!) }
    #expect(one == .named)
    #expect(other == TypeWrapping.named.nonNull)
  }
}
