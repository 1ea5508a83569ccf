import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The depth and complexity of operations.
@Suite struct OperationMetricsTests {
  private func metrics(_ text: String, listLength: Int = 10) throws -> [[Int]] {
    let schema = Schema.build([
      .sdl(Source(name: "s", text: "type Query { a: Query, b: [Query!]!, c: Int, d: [Int] }"))
    ]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    #expect(document.parse(Source(name: "o", text: text)).isEmpty)
    let valid = try #require(validate(document, against: schema).document)
    return valid.metrics(listLength: listLength).map {
      [$0.complexity, $0.depth, $0.fieldCount, $0.listDepth]
    }
  }

  @Test(
    arguments: [
      ("{ c }", [[1, 1, 1, 0]]), ("{ d }", [[10, 1, 1, 1]]), ("{ a { c } c }", [[3, 2, 3, 0]]),
      ("{ b { c } }", [[20, 2, 2, 1]]), ("{ b { b { c } } }", [[210, 3, 3, 2]]),
      ("{ ... { c ... { c } } }", [[2, 1, 2, 0]]),
      ("query A { ...F a { ...F } } fragment F on Query { c }", [[3, 2, 3, 0]]),
      (
        "query A { ...G } fragment F on Query { c } fragment G on Query { b { ...F } ...F }",
        [[21, 2, 3, 1]]
      ),
      ("query A { c } query B { a { c } }", [[1, 1, 1, 0], [2, 2, 2, 0]]),
    ] as [(String, [[Int]])])
  func fieldsAreCounted(_ text: String, expected: [[Int]]) throws {
    #expect(try metrics(text) == expected)
  }

  /// Each fragment spreads the next one twice, so the fields are 2 to the power of 100.
  @Test func numbersStayAtTheirMaximum() throws {
    let fragments = (0..<100).map {
      "fragment F\($0) on Query { ...F\($0 + 1) x: a { ...F\($0 + 1) } }"
    }
    let text = "{ ...F0 } \(fragments.joined()) fragment F100 on Query { c }"
    #expect(try metrics(text).first?[2] == .max)
  }

  /// No stack is needed for a chain of fragments.
  @Test func longChainsOfFragmentsAreMeasured() throws {
    let fragments = (0..<20_000).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }
    let text = "{ ...F0 } \(fragments.joined(separator: "\n")) fragment F20000 on Query { c }"
    #expect(try metrics(text) == [[1, 1, 1, 0]])
  }
}
