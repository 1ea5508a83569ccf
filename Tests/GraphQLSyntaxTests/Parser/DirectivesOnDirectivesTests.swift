import CorpusSupport
import Testing

@testable import GraphQLSyntax

/// Parses directives on directive definitions, which are a part of the specification's draft.
@Suite struct DirectivesOnDirectivesTests {
  private static let drafts = ParserOptions(allowsDirectivesOnDirectives: true)

  private static let accepted = [
    "directive @a @b on FIELD",
    "directive @a @b(c: 1) @d on FIELD",
    "directive @a(c: Int @e) @b repeatable on FIELD | DIRECTIVE_DEFINITION",
    "directive @on @on repeatable on DIRECTIVE_DEFINITION",
    "\"Text.\"\ndirective @a @b on FIELD",
    "extend directive @a @b",
    "extend directive @a @b(c: [1, {d: 2}]) @b",
    "extend directive @directive @extend",
  ]

  @Test(arguments: accepted)
  func acceptsAndPrints(_ text: String) {
    let (document, diagnostics) = Document.parsing(text, options: Self.drafts)
    #expect(diagnostics.isEmpty)
    #expect(document.printed() == text)
    #expect(Source(name: "", text: text).formatted(options: Self.drafts).text == text + "\n")
  }

  @Test(arguments: accepted)
  func isASyntaxErrorWithoutTheOption(_ text: String) {
    let (document, diagnostics) = Document.parsing(text)
    #expect(Set(diagnostics.map(\.rule)) == [.syntax])
    #expect(document.definitions.isEmpty)
  }

  @Test(
    arguments: [
      ("extend directive @a1️⃣", "Syntax Error: Unexpected <EOF>."),
      ("extend directive @a 1️⃣on FIELD", "Syntax Error: Unexpected Name \"on\"."),
      ("extend directive @a1️⃣(b: Int) @c", "Syntax Error: Unexpected \"(\"."),
      ("extend directive 1️⃣a @c", "Syntax Error: Expected \"@\", found Name \"a\"."),
      ("extend directive @1️⃣", "Syntax Error: Expected Name, found <EOF>."),
      ("extend directive @a @b 1️⃣repeatable", "Syntax Error: Unexpected Name \"repeatable\"."),
      ("directive @a @b1️⃣", "Syntax Error: Expected \"on\", found <EOF>."),
      ("directive @a repeatable 1️⃣@b on FIELD", "Syntax Error: Expected \"on\", found \"@\"."),
      ("directive @a on FIELD 1️⃣@b", "Syntax Error: Unexpected \"@\"."),
      (
        "directive @a @b(c: 1️⃣$d) on FIELD",
        "Syntax Error: Unexpected variable \"$d\" in constant value."
      ),
      ("1️⃣\"Text.\" extend directive @a @b", nil),
      ("directive @a on 1️⃣DIRECTIVE", "Syntax Error: Unexpected Name \"DIRECTIVE\"."),
    ] as [(String, String?)])
  func reportsWhatTheDraftDoesNotHave(_ marked: String, _ message: String?) {
    let text = MarkedText(marked)
    let diagnostics = Document.parsing(text.text, options: Self.drafts).diagnostics
    #expect(diagnostics.map(\.rule) == [.syntax])
    #expect(text.marker(at: diagnostics.first?.span?.start) == "1️⃣")
    if let message { #expect(diagnostics.first?.message == message) }
  }

  /// The location comes last, so that the others have the values that they had before. Only the
  /// names of locations are stored anywhere.
  @Test func theLocationIsBehindThoseOfTheSpecification() {
    let names = [
      "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD",
      "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION",
      "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE", "INPUT_OBJECT",
      "INPUT_FIELD_DEFINITION", "DIRECTIVE_DEFINITION",
    ]
    let table = NameTable()
    #expect(DirectiveLocation.allCases.map { table[$0.symbol] } == names)
    #expect(DirectiveLocation.allCases.map(\.rawValue) == Array(0..<20))
    for location in DirectiveLocation.allCases {
      #expect(DirectiveLocation(location.symbol) == location)
    }
    // The symbols beside those of locations are none.
    #expect(DirectiveLocation(.repeatable) == nil && DirectiveLocation(.int) == nil)
  }

  @Test func readsTheRestAfterAnErrorInAnExtension() {
    let (document, diagnostics) = Document.parsing(
      "extend directive @a\n\ntype A { b: Int }\nextend directive @c @d", options: Self.drafts)
    #expect(diagnostics.count == 1)
    #expect(document.printed() == "type A {\n  b: Int\n}\n\nextend directive @c @d")
  }
}

/// Parses the documents of the reference corpus that have directives on directive definitions.
@Suite(.readsCorpus) struct DirectivesOnDirectivesCorpusTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var id: String
      var input: String
      var note: String
    }

    var cases: [Case]
  }

  @Test func acceptsThemWithTheOption() throws {
    let file = try Corpus.load("parser_experimental.json", as: File.self)
    let options = ParserOptions(allowsDirectivesOnDirectives: true)
    let cases = file.cases.filter {
      $0.note.hasPrefix("accepted") && $0.input.contains("directive @")
        && !Document.parsing($0.input).diagnostics.isEmpty
    }
    #expect(cases.count > 8)
    for item in cases {
      // The reference implementation also accepts empty selection sets.
      let input = item.input.replacing("{ }", with: "{ a }").replacing("{}", with: "{a}")
      let (document, diagnostics) = Document.parsing(input, options: options)
      #expect(diagnostics.isEmpty, "\(item.id): \(diagnostics)")
      let printed = document.printed()
      #expect(Document.parsing(printed, options: options).document.printed() == printed)
    }
  }
}
