import Testing

@testable import GraphQLSyntax

@Suite struct IndexedJSONTests {
  @Test(arguments: [
    ("", "Unexpected end of the text", 0), ("{a: 1}", "Expected a key in double quotes", 1),
    ("{\"a\" 1}", "Expected ':'", 5), ("{\"a\": 1 1}", "Expected ',' or '}'", 8),
    ("[1 1]", "Expected ',' or ']'", 3), ("[] []", "Nothing may follow the value", 3),
    ("nul", "Expected 'null'", 0), ("x", "Expected a value", 0),
    ("\"a", "The string does not end", 2), ("\"\\x\"", "Unknown escape", 2),
    ("\"\\u12\"", "'\\u' takes four hexadecimal digits", 2),
    ("\"\u{1}\"", "A control character in a string must be escaped", 1),
  ])
  func invalidJSONIsReportedAtItsOffset(json: String, sentence: String, offset: Int) {
    #expect(throws: IndexedJSON.Failure(message: "Invalid JSON. \(sentence).", offset: offset)) {
      try IndexedJSON(Array(json.utf8))
    }
  }

  @Test(arguments: [
    (#"{"a": 1, "b": [true, {}], "a": 2}"#, "The key 'a' is there twice. Remove one.", 26),
    (#"{"b": {"a": 1, "\u0061": 2}}"#, "The key 'a' is there twice. Remove one.", 15),
    ("[,]", "Invalid JSON. Expected a value.", 1),
    ("[1,,]", "Invalid JSON. Expected a value.", 3),
    (#"{"a": 1,,}"#, "Invalid JSON. Expected a key in double quotes.", 8),
    (
      String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
      "The JSON is nested too deeply.", 64
    ),
    (
      #"{"a": "# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
      "The JSON is nested too deeply.", 69
    ),
  ])
  func writtenTextsHaveRulesOfTheirOwn(json: String, message: String, offset: Int) {
    #expect(throws: IndexedJSON.Failure(message: message, offset: offset)) {
      try IndexedJSON(Array(json.utf8), style: .written)
    }
  }

  @Test(arguments: [
    "[1,]", #"{"a": [1, {"b": 2,},], }"#, #"[{"a": 1}, {"a": 2}, "a,]", ]"#, "[]", "{}",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ])
  func writtenTextsCanHaveTrailingCommas(json: String) throws {
    _ = try IndexedJSON(Array(json.utf8), style: .written)
  }

  @Test(arguments: ["[1,]", #"{"a": 1,}"#])
  func strictTextsHaveNoTrailingCommas(json: String) {
    #expect(throws: IndexedJSON.Failure.self) { try IndexedJSON(Array(json.utf8)) }
  }

  @Test func aFailureHasALineAndAColumn() {
    let failure = IndexedJSON.Failure(message: "", offset: 8)
    #expect(failure.position(in: Array("{\n\"é\": x}".utf8)) == (2, 6))
  }

  @Test func readsJSONMembers() throws {
    let json = try IndexedJSON(Array(#"{"name": "Hero", "fields": [1, 2]}"#.utf8))
    let members = json.root.members ?? []
    #expect(
      members.map { "\($0.key.string ?? "") \($0.value.kind)" } == ["name string", "fields array"])
  }

  @Test func valuesAreWrittenAsTheyAre() {
    let value = JSONOutput.object([
      ("a", .row([.string("b"), .number(1), .boolean(true)])), ("c", .array([.null])),
      ("d", .row([])), ("e", .array([])),
    ])
    let text = """
      {
        "a": ["b", 1, true],
        "c": [
          null
        ],
        "d": [],
        "e": []
      }
      """
    #expect(value.text == text)
  }
}
