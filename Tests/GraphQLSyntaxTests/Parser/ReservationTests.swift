import GraphQLSyntax
import Testing

/// Memory is reserved according to the size of all sources, which must not change what is parsed.
struct ReservationTests {
  /// A source of about `typeCount` × 200 bytes, with kinds of nodes whose density varies.
  private func source(_ number: Int, typeCount: Int) -> Source {
    let types = (0..<typeCount).map { index in
      """
      "A type." type T\(number)_\(index) implements I & J @d(a: 1, b: [1, {c: 2}]) {
        f(a: Int = 1, b: [E!]!): [T\(number)_\(index)!]! @d  g: Int
      }
      enum E\(number)_\(index) { A B C } query Q\(number)_\(index) { a: f(a: $b) { g ...F ... on T { f } } }
      """
    }
    return Source(name: "\(number)", text: types.joined(separator: "\n"))
  }

  private func text(_ document: Document) -> String { document.printed() }

  @Test func sourcesTogetherGiveTheSameDocumentAsOneByOne() {
    var sources = (0..<6).map { source($0, typeCount: $0 == 2 ? 5_000 : 500) }
    sources.insert(Source(name: "wrong", text: "type A { f( } query { g }"), at: 1)
    sources.append(Source(name: "empty", text: ""))
    #expect(sources.reduce(0) { $0 + $1.count } > 1 << 20, "large enough to reserve memory")

    var together = Document()
    let problems = together.parse(sources)
    var single = Document()
    let singleProblems = sources.flatMap { single.parse($0) }

    #expect(problems == singleProblems)
    #expect(!problems.isEmpty)
    #expect(together.definitions == single.definitions)
    #expect(text(together) == text(single))
  }

  /// Fields are reserved within a selection set, too, and in a document that has some already.
  @Test func aLargeSelectionSetKeepsItsFields() {
    var document = Document()
    let before = document.parse([Source(name: "small", text: "{ a b { c } }")])
    let large = "{ " + String(repeating: "x: f y ", count: 300_000) + "}"
    let after = document.parse([Source(name: "large", text: large)])
    #expect((before + after).isEmpty)
    #expect(document.fields.count == 600_003)
    let aliases = document.fields.map { $0.alias.map(document.spelling) }
    #expect(Array(aliases[..<3]) == [nil, nil, nil])
    #expect((3..<aliases.count).allSatisfy { aliases[$0] == ($0 % 2 == 1 ? "x" : nil) })
    #expect(document.fields.count { $0.selectionSet != nil } == 1)
  }
}
