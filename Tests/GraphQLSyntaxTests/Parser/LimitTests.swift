import Foundation
import Testing

@testable import GraphQLSyntax

struct LimitTests {
  /// Returns documents in which each kind of nesting is `depth` levels deep.
  private func nested(_ depth: Int) -> [String] {
    func text(_ open: String, _ inner: String, _ close: String) -> String {
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }
    return [
      text("{ a ", "", "}"),
      text("{ ... @b ", "{ c }", "}"),
      "{ a(b: " + text("[", "", "]") + ") }",
      "{ a(b: " + text("{ c: ", "1", "}") + ") }",
      "input A { b: C = " + text("[{ c: ", "1", "}]") + " }",
    ]
  }

  @Test func rejectsExcessiveNesting() {
    for text in nested(600) {
      let diagnostics = Document.parsing(text).diagnostics
      #expect(
        diagnostics.first?.message
          == "Syntax Error: Nested more than 500 levels deep; make the document flatter.")
    }
  }

  @Test func parsesAnyNestingOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      for text in self.nested(100_000) {
        let options = ParserOptions(nestingLimit: .max)
        let (document, diagnostics) = Document.parsing(text, options: options)
        #expect(diagnostics.isEmpty)
        #expect(document.definitions.count == 1)
      }
      for text in [
        String(repeating: "[", count: 100_000), "{" + String(repeating: "{", count: 100_000),
      ] {
        #expect(!Document.parsing(text).diagnostics.isEmpty)
      }
    }
  }

  /// A search through all open brackets for each closing one would take hours.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [("query Q(", "(", "]"), ("type T {", "[", ")"), ("query Q(", "([{", "])")])
  func skipsUnmatchedBracketsQuickly(_ start: String, _ open: String, _ close: String) {
    let (opening, closing) = (
      String(repeating: open, count: 300_000), String(repeating: close, count: 300_000)
    )
    #expect(!Document.parsing(start + opening + closing).diagnostics.isEmpty)
  }

  @Test func printsAndFormatsDeepDocumentsOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      for (style, depth) in [(PrinterStyle.version16, 240), (.version17, 40)] {
        for text in self.nested(depth) {
          let (document, diagnostics) = Document.parsing(text)
          #expect(diagnostics.isEmpty)
          let printed = document.printed(style)
          #expect(Document.parsing(printed).document.printed(style) == printed)
          #expect(Source(name: "text", text: text).formatted().text != nil)
        }
      }
    }
  }

  /// Runs `body` on a thread with a stack of `stackSize` bytes, and waits for it.
  private func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
  }

  @Test func limitsTokens() {
    func messages(_ limit: Int?) -> [String] {
      let options = ParserOptions(tokenLimit: limit)
      return Document.parsing("{ a # comment\n b }", options: options).diagnostics.map(\.message)
    }
    #expect(messages(nil) == [])
    #expect(messages(4) == [])
    #expect(
      messages(3) == ["Syntax Error: Document contains more than 3 tokens. Parsing aborted."])
  }

  @Test func limitsListsAroundAType() {
    for (depth, isAccepted) in [(63, true), (64, true), (255, true), (256, false)] {
      let text =
        String(repeating: "[", count: depth) + "T!" + String(repeating: "]!", count: depth)
      var document = Document()
      let (type, diagnostics) = document.parseType(Source(name: "type", text: text))
      #expect(diagnostics.isEmpty == isAccepted)
      #expect(type.map { document.description(of: $0) } == (isAccepted ? text : nil))
    }
  }

  @Test(arguments: ["", " ", "# comment", "\u{FEFF}"])
  func rejectsADocumentWithoutDefinitions(_ text: String) {
    #expect(
      Document.parsing(text).diagnostics.map(\.message) == ["Syntax Error: Unexpected <EOF>."])
  }
}
