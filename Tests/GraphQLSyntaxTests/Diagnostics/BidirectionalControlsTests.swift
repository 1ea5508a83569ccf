import Testing

@testable import GraphQLSyntax

struct BidirectionalControlsTests {
  private func found(_ texts: String...) -> [Diagnostic] {
    var map = SourceMap()
    for text in texts { _ = map.append(Source(name: "text", text: text)) }
    return map.bidirectionalControls(.warning)
  }

  /// Checks all characters of the basic plane, nine of which are directional controls.
  @Test func findsEveryEmbeddingOverrideAndIsolate() {
    let scalars = (0...0xFFFF).compactMap { Unicode.Scalar($0 as Int) }
    let text = String(String.UnicodeScalarView(scalars))
    let messages = found(text).map(\.message)
    #expect(messages.count == 9)
    for code in ["202A", "202B", "202C", "202D", "202E", "2066", "2067", "2068", "2069"] {
      #expect(messages.contains { $0.hasPrefix("U+\(code) (") })
    }
  }

  @Test func findsControlsInEverySource() {
    let found = found("# é\u{202E}", "{ a }", "\u{2066}x\u{2069}")
    #expect(found.map(\.span?.start) == [4, 14, 18])
    #expect(found.map(\.span?.end) == [7, 17, 21])
    #expect(found.allSatisfy { $0.severity == .warning && $0.rule == .bidirectionalControls })
  }

  @Test(
    arguments: [[0xE2], [0xE2, 0x80], [0xE2, 0x80, 0x2E], [0xE2, 0xE2, 0x80, 0xAE]] as [[UInt8]])
  func ignoresTruncatedUTF8Sequences(_ bytes: [UInt8]) {
    var map = SourceMap()
    _ = map.append(Source(name: "text", bytes: bytes))
    #expect(map.bidirectionalControls(.warning).count == (bytes.count == 4 ? 1 : 0))
  }

  @Test func replacesDirectionalControlsInTerminalOutput() {
    var map = SourceMap()
    _ = map.append(Source(name: "text", text: "\"\u{202E}\u{2067}\""))
    let diagnostic = Diagnostic(
      rule: .syntax, message: "\u{202E}message", at: SourceSpan(start: 0, end: 1))
    for format in [DiagnosticFormat.text, .xcode, .github] {
      let text = format.render([diagnostic], in: map)
      #expect(!text.unicodeScalars.contains { $0.isBidirectionalControl }, "\(text)")
      #expect(text.contains("\u{FFFD}message"))
    }
  }
}

struct LookAlikesTests {
  /// Each argument is a document with a look-alike character, and the corrected document.
  @Test(arguments: [
    ("{ n\u{430}me }", "{ name }"), ("{ \u{392}ook }", "{ Book }"), ("\u{FF5B} a }", "{ a }"),
    ("{ a(b\u{FF1A} 1) }", "{ a(b: 1) }"), ("{ a\u{A0}b }", "{ a b }"),
    ("{ a\u{200B}b }", "{ ab }"),
    ("{ \u{2026}F }", "{ ...F }"), ("{ a(b: \u{2212}1) }", "{ a(b: -1) }"),
    ("{ a(b: \u{201C}c\") }", "{ a(b: \"c\") }"),
  ])
  func offersToReplaceLookAlikesWithASCII(_ text: String, fixed: String) {
    var document = Document()
    let problems = document.parse(Source(name: "text", text: text))
    #expect(problems.first?.message.hasPrefix("Syntax Error: Unexpected character: U+") == true)
    #expect(document.sources.applyingFixIts(of: problems).sources[0]?.text == fixed)
  }

  /// These characters resemble ASCII without a meaning in GraphQL, or no ASCII at all.
  @Test(arguments: ["\u{FF1B}", "\u{FF11}", "é", "漢", "\u{1F98A}", "\0", "'"])
  func offersNoFixForOtherCharacters(_ character: String) {
    let problems = Document.parsing("{ \(character) }").diagnostics
    #expect(problems.count == 1 && problems.allSatisfy(\.fixIts.isEmpty), "\(problems)")
  }

  @Test func allowsLookAlikesInStringsAndComments() {
    #expect(Document.parsing("{ a(b: \"\u{430}\u{201C}\") } # \u{2026}").diagnostics.isEmpty)
  }
}
