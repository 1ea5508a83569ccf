import ApolloAPI
import ApolloCache
import Foundation
import SeededRandom
import NaiveCache
import Testing

@testable import CacheInspection

@Suite struct StoredValueTests {
  static let values: [(value: CacheValue, json: String)] = [
    (.null, "null"),
    (true, "true"),
    (.int(.max), "9223372036854775807"),
    (.double(3), "3.0"),
    (.double(-0.0), "-0.0"),
    (.double(.infinity), #"{"$double":"inf"}"#),
    ("a\"\u{0}🚀", #""a\"\u0000🚀""#),
    ([1, [nil_, "x"]], #"[1,[null,"x"]]"#),
    (.reference("User:1"), #"{"$reference":"User:1"}"#),
    (.json(["a": [1, .decimal("1e999")]]), #"{"$json":{"a":[1,1e999]}}"#),
    (.json(.decimal("123456789012345678901")), #"{"$json":123456789012345678901}"#),
    (
      .failure(FieldFailure(message: "no", extensions: ["code": 7])),
      #"{"$failure":{"extensions":{"code":7},"message":"no"}}"#
    ),
    (.object(["b": 1, "a": .reference("x")]), #"{"a":{"$reference":"x"},"b":1}"#),
    (.object([:]), "{}"),
    // Keys that JSON could take for something else, or for each other.
    (.object(["$reference": "x"]), #"{"$object":[["$reference","x"]]}"#),
    (
      .object(["f(a:\"é\")": 1, "f(a:\"e\u{301}\")": 2]),
      "{\"$object\":[[\"f(a:\\\"e\u{301}\\\")\",2],[\"f(a:\\\"é\\\")\",1]]}"
    ),
  ]

  private static var nil_: CacheValue { .null }

  @Test(arguments: values)
  func valuesHaveATextThatReadsBackAsTheSameValue(_ pair: (value: CacheValue, json: String)) throws
  {
    let json = StoredValue.json(pair.value)
    #expect(json.description == pair.json)
    let read = try JSONValue(jsonBytes: Data(pair.json.utf8))
    #expect(try StoredValue.value(read) == pair.value)
  }

  @Test func notANumberReadsBackAsOne() throws {
    let value = try StoredValue.value(StoredValue.json(.double(.nan)))
    guard case .double(let number) = value else { return #expect(Bool(false), "\(value)") }
    #expect(number.isNaN)
  }

  @Test(arguments: UInt64(0)..<40)
  func randomRecordsReadBack(seed: UInt64) throws {
    var mutations = RandomMutations(random: SeededGenerator(seed: seed))
    for _ in 0..<20 {
      for record in mutations.records() {
        var writer = JSONWriter()
        writer.write(StoredValue.json(record.fields))
        let read = try JSONValue(jsonBytes: Data(writer.bytes))
        #expect(try StoredValue.fields(read) == record.fields)
      }
    }
  }

  @Test(arguments: [
    #"{"$reference":1}"#, #"{"$reference":"a","b":1}"#, #"{"$unknown":1}"#, #"{"$object":[1]}"#,
    #"{"$object":[["a"]]}"#, #"{"$double":"x"}"#, #"{"$failure":{}}"#, "1e999", #"[{"$x":1}]"#,
  ])
  func textWithoutMeaningIsRefused(text: String) throws {
    let json = try JSONValue(jsonBytes: Data(text.utf8))
    #expect(throws: StoredValue.Problem.self) { try StoredValue.value(json) }
  }

  @Test(
    arguments: [
      ("name", "name", nil),
      (#"title(language:"fr")"#, "title", ["language": "fr"]),
      (
        #"f(a:[1,"x,)"],b:{"c":"}\"","d":null},e:true)"#, "f",
        ["a": [1, "x,)"], "b": ["c": "}\"", "d": nil], "e": true]
      ),
      ("f(", "f(", nil),
      ("f(a)", "f", nil),
      ("f(a:x)", "f", nil),
    ] as [(FieldKey, String, JSONValue?)])
  func fieldsHaveNamesAndArguments(key: FieldKey, name: String, arguments: JSONValue?) {
    let field = FieldName(key)
    #expect(field.name == name)
    #expect(field.arguments.map(JSONValue.object) == arguments)
  }
}
