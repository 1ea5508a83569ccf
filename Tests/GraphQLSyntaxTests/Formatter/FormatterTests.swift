import CorpusSupport
import Foundation
import Testing

@testable import GraphQLSyntax

struct FormatterTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var input: String
    var output: String
  }

  static let examples = [
    Example(
      testDescription: "layout",
      input:
        "query   Hero($id:ID!=1,$b:[Int]){hero(id:$id){name,...F @include(if:$b)... on Droid{x}}}",
      output: """
        query Hero($id: ID! = 1, $b: [Int]) {
          hero(id: $id) {
            name
            ...F @include(if: $b)
            ... on Droid {
              x
            }
          }
        }

        """),
    Example(
      testDescription: "anonymous operations",
      input: "{a}query($a:Int){a}\"d\" mutation @x{a}",
      output: """
        {
          a
        }

        query ($a: Int) {
          a
        }

        "d"
        mutation @x {
          a
        }

        """),
    Example(
      testDescription: "comments",
      input: """
        # at the top

        # of the definition
        type A { # after the brace
          # own line
          a(x: Int # after x
            y: Int): Int # after a


          # before b
          b: Int
          # at the end
        } # after A
        # before B
        scalar B # after B
        # last
        """,
      output: """
        # at the top

        # of the definition
        type A { # after the brace
          # own line
          a(
            x: Int # after x
            y: Int
          ): Int # after a

          # before b
          b: Int
          # at the end
        } # after A

        # before B
        scalar B # after B

        # last

        """),
    Example(
      testDescription: "comments in the middle",
      input: "type # one\nA # two\nimplements # three\n& B {\na # four\n: Int\n}",
      output: """
        type # one
          A # two
          implements # three
          B {
          a # four
            : Int
        }

        """),
    Example(
      testDescription: "descriptions and block strings",
      input: """
        \"""
            two
              lines
        \""" type A{"x" a("y" b:Int c:S="d"):Int}
        """,
      output: """
        \"""
        two
          lines
        \"""
        type A {
          "x"
          a(
            "y"
            b: Int
            c: S = "d"
          ): Int
        }

        """),
    Example(
      testDescription: "long lines",
      input: """
        union U=|Aaaaaaaaaaaaaaaaaaaaaaaa|Bbbbbbbbbbbbbbbbbbbbbbbbbbb|Ccccccccccccccccccccccccc|D
        union V = | A | B
        directive @d(aaaaaaaaaaaaaaaa:Int,bbbbbbbbbbbbbbbbbbbbbbb:Int) repeatable on|FIELD|QUERY|ENUM
        {a(bbbbbbbbbbbbbbbbbbbbbbbbbbbb:[1,2],ccccccccccccccccccccccccccccc:{d:1 e:{f:2}},gggg:$g){h}}
        """,
      output: """
        union U =
          | Aaaaaaaaaaaaaaaaaaaaaaaa
          | Bbbbbbbbbbbbbbbbbbbbbbbbbbb
          | Ccccccccccccccccccccccccc
          | D

        union V = A | B

        directive @d(aaaaaaaaaaaaaaaa: Int, bbbbbbbbbbbbbbbbbbbbbbb: Int) repeatable on
          | FIELD
          | QUERY
          | ENUM

        {
          a(
            bbbbbbbbbbbbbbbbbbbbbbbbbbbb: [1, 2]
            ccccccccccccccccccccccccccccc: {d: 1, e: {f: 2}}
            gggg: $g
          ) {
            h
          }
        }

        """),
    Example(
      testDescription: "comments around dropped separators",
      input: "union U = # a\n| # b\nA\n# c\n| # d\nB type T implements # e\n& # f\nI",
      output: """
        union U = # a
          # b
          | A
          # c
          # d
          | B

        type T implements # e
          # f
          I

        """),
    Example(
      testDescription: "empty lines", input: "\r\n\r\n{a\r\n\r\n\r\nb,\r\nc}\r\n\r\n\r\n",
      output: "{\n  a\n\n  b\n  c\n}\n"),
    Example(testDescription: "comments alone", input: "  # a\n\n\n#b  ", output: "# a\n\n#b\n"),
  ]

  @Test(arguments: examples)
  func formats(_ example: Example) {
    let source = Source(name: "input", text: example.input)
    #expect(source.formatted().text == example.output)
    #expect(Source(name: "output", text: example.output).formatted().text == example.output)
  }

  @Test func doesNotFormatTextWithSyntaxErrors() {
    let (text, diagnostics) = Source(name: "input", text: "{ a").formatted()
    #expect(text == nil)
    #expect(diagnostics.count == 1)
  }

  @Test(.readsCorpus) func preservesMeaningAndCommentsOfTheCorpus() throws {
    var count = 0
    let file = try Corpus.load("parser.json", as: CorpusFile.self)
    for testCase in file.cases where testCase.kind == "document" {
      let source = Source(name: testCase.id, text: testCase.input ?? "")
      guard let text = source.formatted().text else { continue }
      count += 1
      expectSameMeaning(source, text)
    }
    print("formatted \(count) documents")
    #expect(count > 1000)
  }

  /// The `&` is optional behind the keyword alone.
  @Test(arguments: [
    "type A implements implements & B", "type A implements & implements & B & implements",
    "extend interface implements implements implements & B",
  ])
  func keepsTheSeparatorBehindAnInterfaceWithTheNameOfTheKeyword(_ text: String) throws {
    let source = Source(name: "text", text: text)
    expectSameMeaning(source, try #require(source.formatted().text))
  }

  private static let everyProduction = """
    query Q($a: Int = 1 @d, "x" $b: [Int!]! = [1, 2]) @d(x: {y: $a}) { b: c(d: "e") ...F ... @d { g } }
    extend type A implements & B & C @d { "f" f("g" h: Int = {i: 1}): [Int!]! @d }
    \"\"\"e\"\"\" union U = | A | B directive @d(a: Int) repeatable on | FIELD | QUERY schema { query: Q }
    enum E { "a" A B } input I { a: Int = [{}] } extend scalar S @d
    """

  /// Inserts a comment after each token of a document in turn.
  @Test func preservesACommentAfterAnyToken() throws {
    let bytes = Array(Self.everyProduction.utf8)
    for token in Source(name: "text", bytes: bytes).tokens().tokens {
      for comment in [" # c\n", "\n# c\n", "\n\n# c\n\n# c\n"] {
        let commented = bytes[..<Int(token.span.end)] + comment.utf8 + bytes[Int(token.span.end)...]
        let source = Source(name: "commented", bytes: commented)
        expectSameMeaning(source, try #require(source.formatted().text))
      }
    }
  }

  /// Inserts comments on both sides of each token of a document in turn, also of those that the
  /// formatter drops.
  @Test func preservesTheCommentsAroundAnyToken() throws {
    let bytes = Array(Self.everyProduction.utf8)
    for token in Source(name: "text", bytes: bytes).tokens().tokens {
      let span = Int(token.span.start)..<Int(token.span.end)
      for comment in [" # a\n", "\n# a\n"] {
        var commented = Array(bytes[..<span.lowerBound])
        commented += comment.utf8
        commented += bytes[span]
        commented += " # b\n".utf8
        commented += bytes[span.upperBound...]
        let source = Source(name: "commented", bytes: commented)
        expectSameMeaning(source, try #require(source.formatted().text))
      }
    }
  }

  private func expectSameMeaning(
    _ source: Source, _ text: String, at location: SourceLocation = #_sourceLocation
  ) {
    let formatted = Source(name: "formatted", text: text)
    #expect(formatted.formatted().text == text, "not idempotent", sourceLocation: location)
    #expect(comments(formatted) == comments(source), sourceLocation: location)
    #expect(printed(formatted) == printed(source), sourceLocation: location)
    let hasTrailingSpace = text.split(separator: "\n").contains { $0.last == " " }
    #expect(!hasTrailingSpace || text.contains("\"\"\""), sourceLocation: location)
  }

  private typealias SourceLocation = Testing.SourceLocation

  private func comments(_ source: Source) -> [String] {
    source.tokens(keepsComments: true).tokens.filter { $0.kind == .comment }.map { token in
      let text = source.bytes[Int(token.span.start)..<Int(token.span.end)]
      return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
  }

  private func printed(_ source: Source) -> String {
    var document = Document()
    _ = document.parse(source)
    return document.printed()
  }
}
