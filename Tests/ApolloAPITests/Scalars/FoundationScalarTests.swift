import ApolloAPI
import Foundation
import ShapesAPI
import Testing

/// The scalars with conformances: decoding and encoding.
struct FoundationScalarTests {
  @Test(arguments: [
    "https://example.com/a?b=c#d", "a/b", "mailto:x@example.com", "https://例え.jp/é",
  ])
  func readsURLs(text: String) throws {
    let leaf = try Outcome.leaf("url", "\"\(text)\"")
    #expect(leaf.url == URL(string: text))
    #expect(try EveryLeaf(jsonBytes: leaf.jsonBytes) == leaf)
  }

  @Test(arguments: [
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
  ])
  func readsUUIDsOfEitherCaseAndWritesSmallLetters(text: String) throws {
    let leaf = try Outcome.leaf("uuid", "\"\(text)\"")
    #expect(leaf.uuid == UUID(uuidString: text))
    #expect(leaf.uuid?._jsonValue == .string(text.lowercased()))
  }

  @Test(arguments: [
    ("0", "0"), ("\"0.10\"", "0.1"), ("1e3", "1000"), ("\"-12.5\"", "-12.5"), ("0.1", "0.1"),
    ("12345678901234567890.123456789", "12345678901234567890.123456789"),
    ("12345678901234.567", "12345678901234.567"), ("9007199254740993.0", "9007199254740993"),
    ("\"+.5\"", "0.5"), ("\"007.\"", "7"), ("\"25E-1\"", "2.5"),
    ("1e39", "1000000000000000000000000000000000000000"),
    ("\"99999999999999999999999999999999999999\"", "99999999999999999999999999999999999999"),
  ])
  func readsDecimalsFromNumbersAndTextsWithEveryDigit(json: String, text: String) throws {
    let leaf = try Outcome.leaf("decimal", json)
    #expect(leaf.decimal?.description == text)
    #expect(leaf.decimal?._jsonValue == .string(text))
    #expect(try EveryLeaf(jsonBytes: leaf.jsonBytes) == leaf)
  }

  @Test(arguments: [
    "2026-11-20", "1.2.3", "10-20", "1+1", "1e5.5", "1e5e5", "--5", "+-5", "-", ".", "e5", "1e",
    "1e+", "5 ", "5%",
  ])
  func rejectsDecimalsWithMoreThanANumber(text: String) {
    Outcome.isNo("decimal", "\"\(text)\"")
  }

  @Test(arguments: [
    // An identifier of the Ethereum Name Service, and one of its neighbors.
    "79233663829379634837589865448569342784712482819484549289560981379859480642508",
    "-79233663829379634837589865448569342784712482819484549289560981379859480642509",
    "340282366920938463463374607431768211457", "3402823669209384634633746074317682114551e5",
  ])
  func rejectsDecimalsWhoseDigitsBeforeThePointDoNotFit(text: String) {
    Outcome.isNo("decimal", text)
    Outcome.isNo("decimal", "\"\(text)\"")
  }

  @Test func dropsTheDigitsBehindThePointThatDoNotFit() throws {
    let third = "0." + String(repeating: "3", count: 60)
    let decimal = try #require(try Outcome.leaf("decimal", "\"\(third)\"").decimal)
    #expect(third.hasPrefix(decimal.description) && decimal.description.utf8.count >= 40)
  }

  @Test func readsDates() throws {
    let leaf = try Outcome.leaf("date", "\"2026-11-20T13:30:00.5+01:00\"")
    #expect(leaf.date == Date(timeIntervalSinceReferenceDate: 816_870_600.5))
    #expect(leaf.jsonValue["date"] == "2026-11-20T12:30:00.500Z")
  }

  @Test(arguments: [
    "null", "true", "0", "\"a\"", "[]", "{}", #"{"a":[1,null,{"b":"c"}],"d":1.5}"#,
    "123456789012345678901234567890", "[[[]]]",
  ])
  func keepsRawJSONUnchanged(json: String) throws {
    let leaf = try Outcome.leaf("json", json)
    let value = try JSONValue(jsonBytes: Array(json.utf8))
    #expect((leaf.json ?? .null) == value)
    #expect(try EveryLeaf(jsonBytes: leaf.jsonBytes) == leaf)
  }

  @Test(arguments: [("1", "1"), ("1.5", "1.5"), ("true", "true"), ("\"a\"", "a")])
  func aliasesOfStringDecodeTheTextOfAnyScalar(json: String, text: String) throws {
    #expect(try Outcome.leaf("text", json).text == text)
  }

  @Test func readsThemInLists() throws {
    let text = """
      {"data":{"leafLists":{"__typename":"LeafLists","strings":["a",null],"certainStrings":[],"ints":[1.0,null,9007199254740993],
      "certainInts":null,"floats":[1,-0.5],"booleans":[true,null],"ids":[1,"2"],"colors":["RED","MAUVE",null],"certainColors":[],
      "dates":["2001-01-01T00:00:00Z"],"jsons":[null,{},[1]],"decimals":["1.10",2,null],"texts":[1,"b",null],
      "matrix":[[1,2],[]],"grid":[["RED",null],null,[]],"cube":[[[1,null],[]],null,[]]}}}
      """
    let response = try ResponseDecoder().decode(Array(text.utf8), as: LeafListsQuery())
    let lists = try #require(response.data?.leafLists)
    #expect(lists.strings == ["a", nil] && lists.ints == [1, nil, 9_007_199_254_740_993])
    #expect(
      lists.floats == [1, -0.5] && lists.booleans == [true, nil] && lists.ids == ["1", "2"])
    #expect(lists.colors == [.case(.red), .unknown("MAUVE"), nil] && lists.certainInts == nil)
    #expect(lists.dates == [Date(timeIntervalSinceReferenceDate: 0)])
    #expect(lists.jsons?.count == 3 && lists.jsons?[2] == [1])
    #expect(lists.decimals == [Decimal(string: "1.1"), 2, nil] && lists.texts == ["1", "b", nil])
    #expect(lists.matrix == [[1, 2], []] && lists.grid == [[.case(.red), nil], nil, []])
    #expect(lists.cube == [[[1, nil], []], nil, []])
    #expect(try LeafListsQuery.Data(jsonBytes: response.data!.jsonBytes) == response.data)
  }
}
