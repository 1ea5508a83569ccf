import ApolloAPI
import ShapesAPI
import Testing

// Valid and invalid JSON (RFC 8259).
extension FaultTests {
  static let texts = [
    FaultRow("J03", "texts that JSON allows") { () throws in
      let values: [(String, JSONValue)] = [
        ("[[]   ]", [[]]), ("[\"\"]", [""]), ("[false]", [false]),
        ("[null, 1, \"1\", {}]", [nil, 1, "1", [:]]),
        ("[1\n]", [1]), (" [1]", [1]), ("[1,null,null,null,2]", [1, nil, nil, nil, 2]),
        ("[2] ", [2]),
        ("[123e65]", [1.23e67]), ("[0e+1]", [0.0]), ("[0e1]", [0.0]), ("[ 4]", [4]),
        ("[-0]", [-0.0]),
        (
          "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]",
          [-1e-78]
        ),
        ("[20e1]", [200.0]), ("[-123]", [-123]), ("[1E22]", [1e22]), ("[1E-2]", [0.01]),
        ("[1E+2]", [100.0]),
        ("[123e45]", [1.23e47]), ("[123.456e78]", [1.23456e80]), ("[1e-2]", [0.01]),
        ("[123.456789]", [123.456789]),
        (#"{"asd":"sdf", "dfg":"fgh"}"#, ["asd": "sdf", "dfg": "fgh"]),
        (#"{"asd":"sdf"}"#, ["asd": "sdf"]),
        ("{}", [:]), (#"{"":0}"#, ["": 0]), (#"{"foo\u0000bar": 42}"#, ["foo\0bar": 42]),
        (#"{ "min": -1.0e+28, "max": 1.0e+28 }"#, ["min": -1e28, "max": 1e28]),
        ("{\"a\":[]}", ["a": []]), ("{\n\"a\": \"b\"\n}", ["a": "b"]),
        (#"["\u0060\u012a\u12AB"]"#, ["`Īካ"]), (#"["\uD801\udc37"]"#, ["𐐷"]),
        (#"["\ud83d\ude39\ud83d\udc8d"]"#, ["😹💍"]),
        (#"["\"\\\/\b\f\n\r\t"]"#, ["\"\\/\u{8}\u{C}\n\r\t"]),
        (#"["\\u0000"]"#, ["\\u0000"]), (#"["\""]"#, ["\""]),
        ("[\"a/*b*/c/*d//e\"]", ["a/*b*/c/*d//e"]),
        (#"["\\a"]"#, ["\\a"]), (#"["\\n"]"#, ["\\n"]), (#"["\u0012"]"#, ["\u{12}"]),
        (#"["\uFFFF"]"#, ["\u{FFFF}"]),
        ("[\"asd\"]", ["asd"]), (#"["\uDBFF\uDFFF"]"#, ["\u{10FFFF}"]),
        (#"["new\u00A0line"]"#, ["new\u{A0}line"]),
        ("[\"\u{10FFFF}\"]", ["\u{10FFFF}"]), ("[\"\u{FFFF}\"]", ["\u{FFFF}"]),
        (#"["\u0000"]"#, ["\0"]),
        (#"["\u002c"]"#, [","]), ("[\"π\"]", ["π"]), ("[\"\u{1BFFF}\"]", ["\u{1BFFF}"]),
        (#"["\u0020"]"#, [" "]),
        ("[\"\u{2028}\u{2029}\"]", ["\u{2028}\u{2029}"]), (#"["\u0821"]"#, ["ࠡ"]),
        (#"["\u0123"]"#, ["ģ"]),
        (#"["\u0061\u30af\u30EA\u30b9"]"#, ["aクリス"]), (#"["\uA66D"]"#, ["ꙭ"]),
        (#"["\u005C"]"#, ["\\"]),
        ("[\"⍂㈴⍂\"]", ["⍂㈴⍂"]), (#"["\u0022"]"#, ["\""]), ("[\"a\u{7F}a\"]", ["a\u{7F}a"]),
        ("false", false), ("42", 42), ("-0.1", -0.1), ("null", .null), ("\"asd\"", "asd"),
        ("true", true),
        ("\"\"", ""), ("[\"a\"]\n", ["a"]), ("[true]", [true]), (" [] ", []),
      ]
      for (text, value) in values { try Outcome.isRead(text, value) }
    },
    FaultRow("J03", "texts that JSON does not allow") { () throws in
      for text in [
        "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]",
        "[\"x\"", "[x", "[3[4]]",
        "[:1]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[\"\u{B}a\"\\f]", "[*]",
        "[\"\"", "[1,\n1\n,1", "[{}",
        "[fals]", "[nul]", "[tru]", "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]",
        "[-NaN]", "[.-1]", "[.2e-3]",
        "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0_1]", "[0E]", "[0E+]", "[0e]", "[0e+]",
        "[1.0e+]", "[1.0e-]", "[1.0e]",
        "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[１]",
        "[1+2]", "[0x1]", "[0x42]",
        "[Infinity]", "[0e+-1]", "[-123.123foo]", "[123", "[-Infinity]", "[-foo]", "[- 1]",
        "[-012]", "[-.123]", "[-1x]",
        "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]",
        "[\"x\", truth]", "{[: \"x\"}\n",
        "{\"x\", null}", "{\"x\"::\"b\"}", "{\u{1F1E8}\u{1F1ED}}", "{\"a\":\"a\" 123}",
        "{key: 'value'}", "{\"a\" b}", "{:\"b\"}",
        "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
        "{\"id\":0,,,,,}", "{'a':0}",
        "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//",
        "{\"a\":\"b\"}/", "{\"a\":\"b\",,\"c\":\"d\"}",
        "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", " ",
        "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]",
        "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[é]", "[\"\\\u{0}\"]", "[\"\\x00\"]",
        "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\🌀\"]",
        "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\uD800\\uD800\\x\"]", "[\"\\a\"]",
        "[\"\\uqqqq\"]", "[\\u0020\"asd\"]",
        "[\\n]", "\"", "['single quote']", "abc", "[\"\\", "[\"a\u{0}a\"]", "[\"new\nline\"]",
        "[\"\t\"]", "\"\\UA66D\"", "\"\"x",
        "[\u{2060}]", "<.>", "[<null>]", "[1]x", "[1]]", "[\"asd]", "aå", "[True]", "1]",
        "{\"x\": true,", "[][]", "]", "{}}",
        "{\"\":", "{\"a\":/*comment*/\"b\"}", "{\"a\": true} \"x\"", "['", "[,", "[{", "[\"a",
        "[\"a\"", "{", "{]", "{,", "{[", "{\"a",
        "{'a'", "[\"\\{[\"\\{[\"\\{[\"\\{", "é", "*", "{\"a\":\"b\"}#{}", "[\\u000A\"\"]", "[1",
        "[ false, nul", "[ true, fals",
        "[ false, tru", "{\"asd\":\"asd\"", "\u{A0}[]", "[\u{C}]", "[\u{2028}]", "å",
      ] { Outcome.isRefusedEverywhere(text) }
    },
    FaultRow("J03", "texts that are a reader's choice") { () throws in
      // Numbers without an exact binary form keep their digits; half a surrogate pair and invalid
      // UTF-8 are rejected.
      try Outcome.isRead("[0.4e006]", [4e5])
      for text in [
        "-1e+9999", "1.5e+9999", "123123e100000", "-123123e100000", "1e999999999999999999999",
      ] {
        try Outcome.isRead("[\(text)]", [.decimal(text)])
      }
      for text in [
        "100000000000000000000", "-123123123123123123123123123123",
        "-237462374673276894279832749832423479823246327846",
      ] {
        try Outcome.isRead("[\(text)]", [.decimal(text)])
      }
      try Outcome.isRead("[123.456e-789]", [0.0])
      for text in [
        #"["\uDADA"]"#, #"["\uD888\u1234"]"#, #"["\uD800\n"]"#, #"["\uDd1ea"]"#,
        #"["\uD800\uD800\n"]"#, #"["\ud800"]"#,
        #"["\ud800abc"]"#, #"["\uDd1e\uD834"]"#, #"["\uDFAA"]"#, #"{"\uDFAA":0}"#, "\u{FEFF}{}",
      ] { Outcome.isRefusedEverywhere(text) }
    },
    FaultRow("J04", "trailing garbage and numbers that are none") { () throws in
      for text in [
        "1 2", "{} {}", "{}x", "[]1", "null null", "NaN", "Infinity", "-Infinity", "-", "01", "1.",
        ".5", "+1", "0x1", "1e", "--1",
      ] { Outcome.isRefusedEverywhere(text) }
      let text = Outcome.leaves("int", "1")
      for end in ["x", "{}", text, ",", "\0", "]"] {
        #expect(throws: ResponseError.self) {
          try ResponseDecoder().decode(Array((text + end).utf8), as: LeavesQuery())
        }
      }
      for number in ["NaN", "Infinity", "-", "01", "1.", ".5", "+1", "0x1", "1e", "--1", "1_0"] {
        for field in [
          "int", "float", "id", "decimal", "long", "text", "certainInt", "certainFloat",
        ] {
          #expect(throws: ResponseError.self, "\(field): \(number)") {
            try Outcome.leaf(field, number)
          }
        }
      }
    },
    FaultRow("J05", "single quotes, comments, trailing commas, unquoted keys") { () throws in
      for text in [
        "{'a':1}", "['a']", "[1] // one", "/* one */ 1", "[1,]", "{\"a\":1,}", "{a:1}", "[#\n1]",
        "{\"a\":1,,\"b\":2}",
      ] { Outcome.isRefusedEverywhere(text) }
    },
    FaultRow("J09", "bytes that are not UTF-8, with their place") { () throws in
      for bytes: [UInt8] in [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF],
        [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        [0xFE], [0xC3], [0xE2, 0x82],
        [0xF0, 0x9F, 0x9A], [0xC3, 0x28],
      ] {
        Outcome.isRefusedEverywhere([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")], "\(bytes)")
        Outcome.isRefusedEverywhere(Array("{\"".utf8) + bytes + Array("\":1}".utf8), "\(bytes)")
        Outcome.isRefusedEverywhere(bytes, "\(bytes)")
        let (start, end) = (
          Array("{\"data\":{\"leaves\":{\"string\":\"abc".utf8), Array("\"}}}".utf8)
        )
        let error = #expect(throws: ResponseError.self, "\(bytes)") {
          try ResponseDecoder().decode(start + bytes + end, as: LeavesQuery())
        }
        #expect(error?.byteOffset == start.count, "\(bytes)")
      }
    },
    FaultRow("J10", "lone surrogates and control characters") { () throws in
      for text in [
        #""\ud800""#, #""\udc00""#, #""\ude80\ud83d""#, "\"\u{1F}\"", "\"\u{0}\"", "\"\n\"",
      ] {
        Outcome.isRefusedEverywhere(text)
        #expect(throws: ResponseError.self) { try Outcome.leaf("string", text) }
        #expect(throws: ResponseError.self) { try Outcome.leaf("id", text) }
        #expect(throws: ResponseError.self) { try Outcome.leaf("color", text) }
      }
      // NUL is an ordinary character in strings of every length.
      for filler in ["", "a string of more than fifteen bytes"] {
        let leaf = try Outcome.leaf("string", "\"\(filler)\\u0000b\"")
        #expect(leaf.string == "\(filler)\0b")
        #expect(try EveryLeaf(jsonBytes: leaf.jsonBytes) == leaf)
      }
    },
    FaultRow("J29", "keys that mean something elsewhere") { () throws in
      let long = String(repeating: "k", count: 64 << 10)
      for key in ["__proto__", "hash", "self", "", "constructor", "description", "init", long] {
        #expect(try Outcome.leaf("json", #"{"\#(key)":1}"#).json == [key: 1])
        let extended = #"1,"\#(key)":{"a":[]}"#
        #expect(try Outcome.leaf("int", extended).int == 1)
        let text = #"{"\#(key)":[1],"data":{"\#(key)":{},"leaves":null}}"#
        #expect(throws: Never.self) {
          try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        }
      }
    },
  ]
}
