import ApolloAPI
import Foundation
import Testing

/// The JSON text of models, which is written without making JSON values.
struct ModelTextTests {
  /// A model with a field of each kind that the writer knows.
  struct Values: StarWarsAPI.SelectionSet {
    static let __selections = Selections(
      "Query {text String count Int ratio Float flag Boolean texts [String] counts [Int] "
        + "aKeyOfMoreThanSixtyThreeBytesThatDoesNotFitIntoOneStepOfTheWriter String "
        + "inner Query {text String} grid [[Query {text String}]]}")

    typealias Schema = StarWarsAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = __selections[0]
  }

  /// Returns the text of a model with one member.
  private func text(_ key: String, _ value: JSONValue) throws -> String {
    let model = try Values(jsonValue: [key: value])
    return String(decoding: model.jsonBytes, as: UTF8.self)
  }

  @Test func writesStringsOfEveryLengthWithAnEscapeAtEveryPlace() throws {
    for special in ["\"", "\\", "\u{0}", "\u{1F}", "\n", "\u{8}", "é", "💡", "\u{7F}", "/"] {
      for length in 0...33 {
        for place in 0...length {
          let value = JSONValue.string(
            String(repeating: "a", count: place) + special
              + String(repeating: "b", count: length - place))
          let found = try text("text", value)
          guard found == "{\"text\":\(value)}" else {
            Issue.record("\(found) instead of \(value)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: [
    0, 1, -1, 9, 10, -10, 99, 100, 12_345, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    Int64.max, .min,
  ])
  func writesIntegers(_ value: Int64) throws {
    #expect(try text("count", .int(value)) == "{\"count\":\(value)}")
  }

  /// A number that was read as a `Double` stays one.
  @Test(arguments: [
    (150, "150.0"), (-3, "-3.0"), (0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1.75, "1.75"),
    (1e14, "100000000000000.0"), (1e15, "1000000000000000.0"), (-1e16, "-1e+16"),
    (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    (0.1 + 0.2, "0.30000000000000004"),
  ])
  func writesDoublesWithAFractionOrAnExponent(_ value: Double, _ expected: String) throws {
    #expect(try text("ratio", .double(value)) == "{\"ratio\":\(expected)}")
    #expect(JSONValue.double(value).description == expected)
    #expect(try JSONValue(jsonBytes: Array(expected.utf8)) == .double(value))
  }

  @Test(arguments: [
    #"{"flag":true}"#, #"{"flag":false}"#, #"{"text":null,"count":null,"ratio":null}"#, "{}",
    #"{"texts":[]}"#, #"{"texts":["a",null,"a text of more than fifteen bytes","\"\\"]}"#,
    #"{"counts":[1,null,-3]}"#, #"{"inner":{"text":"a"}}"#, #"{"inner":{}}"#,
    #"{"grid":[[{"text":"a"},null,{}],null,[],[{"text":"b"}]]}"#,
    #"{"aKeyOfMoreThanSixtyThreeBytesThatDoesNotFitIntoOneStepOfTheWriter":"a","inner":{}}"#,
  ])
  func writesWhatItReads(_ text: String) throws {
    let model = try Values(jsonBytes: Array(text.utf8))
    #expect(String(decoding: model.jsonBytes, as: UTF8.self) == text)
    #expect(try Values(jsonObject: model.jsonObject) == model)
    #expect(JSONValue.object(model.jsonValue.objectValue ?? [:]) == model.jsonValue)
  }

  @Test func convertsSwiftsOwnNumbersAndBooleans() throws {
    let values: [Any] = [
      Int8(1), Int8(-5), UInt8(1), Int16(1), Int32(1), 1, Float(0.5), 0.25, true, false,
    ]
    #expect(
      try JSONValue(foundationValue: values) == [1, -5, 1, 1, 1, 1, 0.5, 0.25, true, false])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbersThatJSONDoesNotHaveAreErrors(_ number: Double) {
    #expect(throws: ScalarError.self) { try JSONValue(foundationValue: number) }
    #expect(throws: ScalarError.self) { try JSONValue(foundationValue: [Float(number)]) }
    #expect(throws: ScalarError.self) { try Values(jsonObject: ["ratio": number]) }
  }

  @Test func aDecimalThatIsNoNumberIsAnError() {
    #expect(throws: ScalarError.self) {
      try JSONValue(foundationValue: NSDecimalNumber.notANumber)
    }
  }

  @Test func aTextThatADecoderCanReadAsANumberStaysAText() throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let value = try decoder.decode(
      JSONValue.self, from: Data(#"["NaN","-Infinity",0.5]"#.utf8))
    #expect(value == ["NaN", "-Infinity", 0.5])
  }

  @Test func writesTextsThatAreLongerThanItsMemory() throws {
    let long = String(repeating: "a \"quoted\" text, ", count: 2_000)
    let texts = JSONValue.array((0..<500).map { .string("\($0) \(long.prefix($0))") })
    #expect(try text("text", .string(long)) == "{\"text\":\(JSONValue.string(long))}")
    #expect(try text("texts", texts) == "{\"texts\":\(texts)}")
  }

  /// Properties are Swift strings, which are equal when they look the same. Models are equal when
  /// their bytes are, as in a cache, which must not lose a change.
  @Test func modelsWithStringsInOtherNormalizationsDiffer() throws {
    let composed = try StarWarsAPI.HeroQuery.Data.Hero.Friend(
      jsonValue: ["__typename": "Human", "name": "Ren\u{E9}"])
    let decomposed = try StarWarsAPI.HeroQuery.Data.Hero.Friend(
      jsonValue: ["__typename": "Human", "name": "Rene\u{301}"])
    #expect(composed.name == decomposed.name)
    #expect(composed != decomposed)
    #expect(composed.jsonBytes != decomposed.jsonBytes)
  }

  @Test func valuesWithStringsInOtherNormalizationsDiffer() throws {
    let (composed, decomposed) = ("Ren\u{E9}", "Rene\u{301}")
    #expect(JSONValue.string(composed) != .string(decomposed))
    #expect(JSONValue.array([.string(composed)]) != [.string(decomposed)])
    #expect(JSONValue.object(["name": .string(composed)]) != ["name": .string(decomposed)])
    #expect(
      try Values(jsonValue: ["texts": [.string(composed)]])
        != Values(jsonValue: ["texts": [.string(decomposed)]]))
    #expect(JSONValue.object([composed: 1]) != [decomposed: 1])
    #expect(JSONValue.double(0) == .double(-0.0))
    #expect(JSONValue.double(0).hashValue == JSONValue.double(-0.0).hashValue)
  }

  @Test(arguments: [0.1, 1.5, 1e20, 1e22, 1e300, 0.1 + 0.2, -2.5e-9])
  func encodesDoublesAsThemselves(_ value: Double) throws {
    let encoded = try JSONEncoder().encode([JSONValue.double(value)])
    #expect(try JSONDecoder().decode([JSONValue].self, from: encoded) == [.double(value)])
  }

  @Test func saysWhichNumberCannotBeEncoded() throws {
    let value = try JSONValue(jsonBytes: Array("1e400".utf8))
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode([value]) }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("1e400"))
  }
}
