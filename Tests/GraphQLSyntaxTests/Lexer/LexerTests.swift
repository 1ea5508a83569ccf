import Testing

@testable import GraphQLSyntax

struct LexerTests {
  /// Returns every text of up to `length` characters of `alphabet`.
  private func texts(over alphabet: [Character], length: Int) -> [String] {
    var all = [""]
    var last = [""]
    for _ in 0..<length {
      last = last.flatMap { text in alphabet.map { text + String($0) } }
      all += last
    }
    return all
  }

  private func tokens(of text: String) -> [(kind: Token.Kind, text: String)] {
    let source = Source(name: "text", text: text)
    return source.tokens().tokens.map { token in
      let bytes = source.bytes[Int(token.span.start)..<Int(token.span.end)]
      return (token.kind, String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Compares the lexer with regular expressions for IntValue and FloatValue, including their
  /// lookahead.
  @Test func acceptsExactlyTheNumbersOfTheGrammar() throws {
    let int = /-?(0|[1-9][0-9]*)/
    let float = /-?(0|[1-9][0-9]*)(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)/
    for text in texts(over: Array("01-+.ea"), length: 5) where "01-".contains(text.first ?? "x") {
      let tokens = tokens(of: text)
      let isInt = text.wholeMatch(of: int) != nil
      let isFloat = text.wholeMatch(of: float) != nil
      let isWhole = tokens.count == 2 && tokens[0].kind != .invalid
      #expect(isWhole == (isInt || isFloat), "\(text)")
      if isWhole { #expect(tokens[0].kind == (isInt ? .int : .float), "\(text)") }
    }
  }

  @Test func acceptsExactlyTheNamesOfTheGrammar() {
    for byte in UInt8(1)..<128 {
      let character = String(UnicodeScalar(byte))
      let isStart = character.wholeMatch(of: /[A-Za-z_]/) != nil
      let isPart = character.wholeMatch(of: /[A-Za-z0-9_]/) != nil
      #expect((tokens(of: character).first?.kind == .name) == isStart, "\(byte)")
      // The character appears at every position of a word of eight bytes, and across two words.
      for length in 0...17 {
        let text = String(repeating: "x", count: length) + "a" + character + "b"
        let found = tokens(of: text).first?.text
        #expect(found == (isPart ? text : String(text.dropLast(2))), "\(byte) after \(length)")
      }
    }
  }

  @Test func findsTheEndOfEveryString() {
    // A simple implementation, character by character.
    func end(of text: [Character]) -> Int? {
      var index = 1
      while index < text.count {
        switch text[index] {
        case "\"": return index + 1
        case "\n": return nil
        case "\\":
          guard index + 1 < text.count, "n\"\\".contains(text[index + 1]) else { return nil }
          index += 2
        default: index += 1
        }
      }
      return nil
    }
    for tail in texts(over: Array("\"\\n\néx"), length: 5) where !tail.hasPrefix("\"") {
      for padding in ["", "aaaaaa"] {
        let text = "\"" + padding + tail
        let token = tokens(of: text)[0]
        let expected = end(of: Array(text))
        #expect((token.kind == .string) == (expected != nil), "\(text)")
        if let expected { #expect(token.text == String(text.prefix(expected)), "\(text)") }
      }
    }
  }

  @Test func findsTheEndOfEveryBlockString() {
    // A simple implementation, character by character.
    func end(of text: [Character]) -> Int? {
      var index = 3
      while index < text.count {
        let rest = text[index...]
        if rest.starts(with: "\"\"\"") { return index + 3 }
        index += rest.starts(with: "\\\"\"\"") ? 4 : 1
      }
      return nil
    }
    for tail in texts(over: Array("\"\\\nx"), length: 7) {
      let text = "\"\"\"" + tail
      let token = tokens(of: text)[0]
      let expected = end(of: Array(text))
      #expect((token.kind == .blockString) == (expected != nil), "\(text)")
      if let expected { #expect(token.text == String(text.prefix(expected)), "\(text)") }
    }
  }

  @Test(arguments: [
    (#""\u{0}""#, "\u{0}"), (#""\u{1F600}""#, "😀"), (#""\u{0010FFFF}""#, "\u{10FFFF}"),
    (#""\u{000000041}""#, "A"), (#""\u{0000000000000000000000000000000041}""#, "A"),
    (#""\uD83D\uDE00""#, "😀"), (#""\u00e9""#, "é"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
  ])
  func decodesEscapes(_ written: String, _ meaning: String) {
    var document = Document()
    let (value, diagnostics) = document.parseValue(Source(name: "value", text: written))
    #expect(diagnostics.isEmpty)
    guard case .string(let literal) = value?.content else {
      Issue.record("\(written) is no string")
      return
    }
    #expect(Array(document.string(literal).unicodeScalars) == Array(meaning.unicodeScalars))
  }

  @Test(arguments: [
    #"\u{}"#, #"\u{110000}"#, #"\u{D800}"#, #"\u{12"#, #"\uD83D"#,
    #"\uD83D\u0041"#, #"\uDE00"#, #"\u12G4"#, #"\x41"#, #"\u{FFFFFFFF}"#, #"\"#,
  ])
  func rejectsInvalidEscapes(_ escape: String) {
    let text = "\"" + escape + "\""
    let (tokens, diagnostics) = Source(name: "text", text: text).tokens()
    #expect(tokens[0].kind == .invalid)
    #expect(diagnostics.first?.span?.start == 1 || escape == #"\"#)
  }

  @Test func ignoresByteOrderMarksCommasAndComments() {
    let kinds = tokens(of: "\u{FEFF}a,\u{FEFF},# x \u{FEFF}\r\nb\t# y").map(\.kind)
    #expect(kinds == [.name, .name, .endOfFile])
  }

  @Test(arguments: 0...40) func findsTheEndAfterAnyLength(_ length: Int) {
    for filler in [" ", "a", ",", "#"] {
      let text = String(repeating: filler, count: length)
      let tokens = tokens(of: text)
      #expect(tokens.last?.kind == .endOfFile)
      #expect(tokens.count == (filler == "a" && length > 0 ? 2 : 1))
    }
  }

  @Test(arguments: [("", 0), ("a # b", 1), ("{a(b:1.5)} ' \"c\"", 10), ("\u{FEFF},", 0)])
  func countsTokens(_ text: String, _ count: Int) {
    let source = Source(name: "text", text: text)
    #expect(source.tokenCount == count)
    #expect(source.tokens().tokens.count == count + 1)
  }

  @Test func readsANullByteAsACharacter() {
    let source = Source(name: "text", bytes: [UInt8(ascii: "a"), 0, UInt8(ascii: "b")])
    let (tokens, diagnostics) = source.tokens()
    #expect(tokens.map(\.kind) == [.name, .invalid, .name, .endOfFile])
    #expect(diagnostics.map(\.message) == ["Syntax Error: Unexpected character: U+0000."])
  }
}
