import ApolloAPI
import Testing

struct JSONReadingTests {
  private func read(_ bytes: [UInt8], limits: ResponseLimits = ResponseLimits())
    throws(ResponseError) -> JSONValue
  {
    try JSONValue(jsonBytes: bytes, limits: limits)
  }

  private static let accepted: [(String, JSONValue)] = [
    ("null", JSONValue.null), ("true", true), ("false", false), (" \t\r\n0 \t\r\n", 0),
    ("-0", .double(-0.0)),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("1.0", 1.0), ("1e3", 1000.0), ("1E+2", 100.0), ("25e-1", 2.5), ("-0.5e0", -0.5), ("0e9", 0.0),
    ("5e-324", .double(.leastNonzeroMagnitude)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("1e-400", 0.0),
    ("9007199254740993", .int(9_007_199_254_740_993)),
    ("9223372036854775808", .decimal("9223372036854775808")), ("1e400", .decimal("1e400")),
    ("0.12345678901234567890", .decimal("0.12345678901234567890")),
    // A `Double` has some of the numbers of 16 and 17 digits, and rounds the others.
    ("0.30000000000000004", .double(0.1 + 0.2)),
    ("1234567890123456.0", .double(1_234_567_890_123_456)),
    ("1.2345678901234568e17", .double(123_456_789_012_345_680)),
    ("900719925474099.3", .decimal("900719925474099.3")),
    ("-12345678901234.567", .decimal("-12345678901234.567")),
    ("9007199254740993.0", .decimal("9007199254740993.0")),
    (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
    (#""\u0000\u00e9\u20AC""#, "\0é€"),
    (#""\ud83d\ude80""#, "🚀"), ("\"🚀é\u{7F}\"", "🚀é\u{7F}"),
    (#""0123456789abcde""#, "0123456789abcde"),
    (#""0123456789abcdef""#, "0123456789abcdef"), (#""\\""#, "\\"),
    ("[]", []), ("[ ]", []), ("[1,[2,[]]]", [1, [2, []]]), ("{}", [:]),
    (#"{"":{"a":[{}]}}"#, ["": ["a": [[:]]]]),
    (#"{"a":1,"a":2}"#, ["a": 2]),
    (#"{"__proto__":1,"hash":2,"self":3}"#, ["__proto__": 1, "hash": 2, "self": 3]),
  ]

  @Test(arguments: accepted)
  func acceptsValidJSON(text: String, value: JSONValue) throws {
    #expect(try read(Array(text.utf8)) == value)
    let skipped =
      Array(#"{"errors":[{"message":""}],"x":"#.utf8) + Array(text.utf8) + Array("}".utf8)
    #expect(throws: Never.self) { try decode(skipped) }
  }

  @Test(arguments: [
    "", " ", "nul", "nullx", "NULL", "True", "tru", "fals", "NaN", "Infinity", "-Infinity", "-",
    "+1", "01", "-01", "00", "1.", ".5",
    "1.e1", "1e", "1e+", "0x1", "1_000", "１", "--1", "1 2", "1,", "{}{}", "[] []", "]", "}", "[",
    "{", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1;2]",
    "[1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{a:1}",
    "{'a':1}", "{1:1}", "{\"a\":1]", "{,}", "{\"a\":1", "{\"a\":",
    "{\"a", "\"", "\"a", "'a'", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\U0041\"",
    "\"\\ud800\"", "\"\\udc00\"", "\"\\ude80\\ud83d\"",
    "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\"", "\"\u{1F}\"", "\"\n\"", "\"\t\"",
    "// c\n1", "/**/1", "1 // c", "#1", "\u{0}", "1\u{0}", "\u{A0}1",
    "\u{FEFF}1", "\u{FEFF}", "[\u{B}1]", "[1\u{C}]", "undefined", "[1,,2]", "\"\u{0}\"",
  ])
  func rejectsInvalidJSON(text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: ResponseError.self) { try read(bytes) }
    // The same for a value that is not selected.
    let skipped = Array(#"{"errors":[{"message":""}],"x":"#.utf8) + bytes + Array("}".utf8)
    let error = #expect(throws: ResponseError.self) { try decode(skipped) }
    #expect(error.map { $0.byteOffset! >= 31 } == true, "\(String(describing: error))")
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3], [0xE2, 0x82],
      [0xF0, 0x9F, 0x9A], [0xC3, 0x28], [0xEF, 0xBF], [0xE2, 0x28, 0xA1],
    ] as [[UInt8]])
  func rejectsInvalidUTF8WithItsPlace(bytes: [UInt8]) {
    for prefix in ["", "abc", "a string of twenty bytes", "é"] {
      for suffix in ["", "\\n", "more"] {
        let text = Array("\"\(prefix)".utf8) + bytes + Array("\(suffix)\"".utf8)
        let error = #expect(throws: ResponseError.self) { try read(text) }
        // With an escape before or after it, the offset is that of the string.
        guard suffix != "\\n" else { continue }
        #expect(error?.byteOffset == 1 + prefix.utf8.count)
      }
    }
  }

  /// Long texts are checked in blocks: each position in a block is tested.
  @Test func checksEveryByteOfALongText() throws {
    for position in 0..<120 {
      var text = [UInt8](repeating: UInt8(ascii: "a"), count: 120)
      text[position] = 0xFF
      let error = #expect(throws: ResponseError.self) { try read([0x22] + text + [0x22]) }
      #expect(error?.byteOffset == 1 + position)

      text.replaceSubrange(position...position, with: "é".utf8)
      let value = try read([0x22] + text + [0x22])
      #expect(value == .string(String(decoding: text, as: UTF8.self)), "é at \(position)")
    }
  }

  @Test func rejectsOtherEncodings() {
    let text = "{\"a\":1}"
    let utf16: [UInt8] = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    let utf32 = text.utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }
    for bytes: [UInt8] in [utf16, [0xFF, 0xFE] + utf16, utf32] {
      #expect(throws: ResponseError.self) { try read(bytes) }
    }
  }

  @Test func distinguishesStringsOfEveryLength() throws {
    for count in 0...40 {
      for filler in ["a", "é"] {
        let text = String(repeating: filler, count: count)
        #expect(try read(Array("\"\(text)\"".utf8)) == .string(text))
        #expect(try read(Array("\"\(text)\\t\(text)\"".utf8)) == .string("\(text)\t\(text)"))
      }
    }
  }

  // MARK: - Limits

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func limitsDepth(open: String, close: String) {
    func nested(_ depth: Int) -> [UInt8] {
      Array(String(repeating: open, count: depth).utf8) + Array("1".utf8)
        + Array(String(repeating: close, count: depth).utf8)
    }
    #expect(throws: Never.self) { try read(nested(512)) }
    for depth in [513, 10_000, 100_000] {
      let error = #expect(throws: ResponseError.self) { try read(nested(depth)) }
      #expect(error?.problem == .tooDeep(limit: 512))
    }
    let skipped = Array(#"{"x":"#.utf8) + nested(100_000) + Array("}".utf8)
    let error = #expect(throws: ResponseError.self) { try decode(skipped) }
    #expect(error?.problem == .tooDeep(limit: 512))
  }

  @Test func limitsBytes() {
    let error = #expect(throws: ResponseError.self) {
      try read(Array("[1,2,3]".utf8), limits: ResponseLimits(byteCount: 6))
    }
    #expect(error?.problem == .tooLarge(limit: 6))
  }

  @Test func readsManyDistinctKeys() throws {
    let members = (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    #expect(try read(Array("{\(members)}".utf8)).objectValue?.count == 100_000)
    let response = #"{"data":{"hero":null,"# + members + "}}"
    #expect(try decode(Array(response.utf8)).data?.hero == nil)
  }

  // MARK: - Escapes

  @Test func acceptsTheEscapesOfJSONOnly() throws {
    let known: [Character: String] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]
    for byte in UInt8.min...UInt8.max {
      let text: [UInt8] = [0x22, 0x61, 0x5C, byte, 0x7A, 0x22]
      let value = try? read(text)
      let meaning = known[Character(Unicode.Scalar(byte))]
      #expect(value == meaning.map { .string("a\($0)z") }, "the byte \(byte)")
    }
  }

  /// Text between escapes is copied in words and blocks, so each length is tested, and each
  /// distance of the string from the end of the body.
  @Test func readsTextOfEachLengthBetweenEscapes() throws {
    for length in 0..<140 {
      for text in ["a", "é"] {
        let run = String(repeating: text, count: length)
        for (escape, meaning) in [
          (#"\r\n"#, "\r\n"), (#"\n"#, "\n"), (#"\u00e9"#, "é"), (#"\r\r\n\\"#, "\r\r\n\\"),
        ] {
          let bytes = Array("\"\(run)\(escape)\(run)\(escape)\(escape)\(run)\"".utf8)
          let expected = run + meaning + run + meaning + meaning + run
          #expect(try read(bytes) == .string(expected), "\(length) times \(text), \(escape)")
        }
      }
    }
  }

  @Test func decodesManyEscapesInARow() throws {
    let escapes = String(repeating: #"\r\n\t\"\u20ac"#, count: 1_000)
    let meaning = String(repeating: "\r\n\t\"€", count: 1_000)
    #expect(try read(Array("\"\(escapes)\"".utf8)) == .string(meaning))
  }

  // MARK: - Truncation

  @Test func rejectsTruncatedResponses() {
    let text = Array(
      """
      {"data":{"hero":{"__typename":"Droid","name":"R2-\\u00442 \\ud83d\\ude80 é","id":2001,"appearsIn":["NEWHOPE",null],\
      "primaryFunction":null,"friends":[{"__typename":"Human","name":"Luke Skywalker of Tatooine"},null],"metres":-0.96e0}},\
      "errors":[{"message":"m","path":["hero",1],"locations":[{"line":1,"column":2}],"extensions":{"a":[true,{}]}}],"x":[false]}
      """.utf8)
    #expect(throws: Never.self) { try decode(text) }
    for count in 0..<text.count {
      #expect(throws: ResponseError.self, "cut off after \(count) bytes") {
        try decode(Array(text[..<count]))
      }
    }
  }

  @discardableResult
  private func decode(_ bytes: [UInt8]) throws(ResponseError) -> GraphQLResponse<
    StarWarsAPI.HeroQuery
  > {
    try ResponseDecoder().decode(bytes, as: StarWarsAPI.HeroQuery(episode: nil))
  }
}
