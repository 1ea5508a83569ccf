import CorpusSupport
import Testing

@testable import GraphQLSyntax

/// Parses variables of fragments and arguments of spreads, which are a proposal for the
/// specification.
@Suite struct FragmentArgumentsTests {
  private static let options = ParserOptions(allowsFragmentArguments: true)

  private static let accepted = [
    "fragment F($a: Int) on T {\n  b(c: $a)\n}",
    "fragment F($a: Int = 3, $b: [T!]! = [] @d) on T @e {\n  f\n}",
    "fragment F(\n\"Text.\"\n$a: Int\n) on T {\n  b\n}",
    "{\n  ...F(a: 1)\n}",
    "{\n  ...F(a: $b, c: [{d: $e}]) @include(if: $f)\n}",
    "{\n  a {\n    ...on1(on: on)\n    b\n  }\n}",
  ]

  @Test(arguments: accepted) func acceptsAndPrints(_ text: String) {
    let (document, diagnostics) = Document.parsing(text, options: Self.options)
    #expect(diagnostics.isEmpty)
    #expect(document.printed() == text)
    let formatted = Source(name: "", text: text).formatted(options: Self.options).text ?? ""
    #expect(Document.parsing(formatted, options: Self.options).document.printed() == text)
    #expect(
      Source(name: "", text: formatted).formatted(options: Self.options).text == formatted)
  }

  @Test(arguments: accepted) func isASyntaxErrorWithoutTheOption(_ text: String) {
    let found = Document.parsing(text).diagnostics
    #expect(!found.isEmpty && found.allSatisfy { $0.rule == .syntax })
  }

  @Test(
    arguments: [
      ("fragment F(1️⃣) on T { a }", "Syntax Error: Expected \"$\", found \")\"."),
      ("fragment F(1️⃣a: Int) on T { b }", "Syntax Error: Expected \"$\", found Name \"a\"."),
      ("fragment F($a: Int 1️⃣on T { b }", "Syntax Error: Expected \"$\", found Name \"on\"."),
      ("fragment 1️⃣on($a: Int) on T { b }", "Syntax Error: Unexpected Name \"on\"."),
      ("fragment F($a: Int = 1️⃣$b) on T { c }", nil),
      ("{ ...F(1️⃣) }", "Syntax Error: Expected Name, found \")\"."),
      ("{ ...F(a1️⃣) }", "Syntax Error: Expected \":\", found \")\"."),
      ("{ ...F(a: 1️⃣) }", "Syntax Error: Unexpected \")\"."),
      ("{ ...F @a(b: 1) 1️⃣(c: 1) }", nil),
      ("{ ... 1️⃣(a: 1) { b } }", nil),
      ("{ ... on T 1️⃣(a: 1) { b } }", nil),
    ] as [(String, String?)])
  func reportsWhatTheProposalDoesNotHave(_ marked: String, _ message: String?) {
    let text = MarkedText(marked)
    let found = Document.parsing(text.text, options: Self.options).diagnostics
    #expect(found.first?.rule == .syntax)
    #expect(text.marker(at: found.first?.span?.start) == "1️⃣")
    if let message { #expect(found.first?.message == message) }
  }
}
