import ApolloAPI
import SeededRandom
import ShapesAPI
import Testing

/// Lists of scalars and enums (specification 3.11, "List").
struct LeafListTests {
  private func lists(_ field: String, _ text: String) throws -> LeafListsQuery.Data.LeafLists {
    let text = #"{"data":\#(Outcome.lists(field, text))}"#
    let response = try ResponseDecoder().decode(Array(text.utf8), as: LeafListsQuery())
    return try #require(response.data?.leafLists)
  }

  @Test(
    arguments: [
      ("[]", []), ("[ ]", []), (#"["RED"]"#, [.case(.red)]),
      (#"[ "RED" , "BLUE" ]"#, [.case(.red), .case(.blue)]),
      (#"["MAUVE","RED"]"#, [.unknown("MAUVE"), .case(.red)]),
      (#"["RED","MAUVE","RED"]"#, [.case(.red), .unknown("MAUVE"), .case(.red)]),
      (#"["RED","RE"]"#, [.case(.red), .unknown("RE")]),
      (#"["\u0052ED","GREEN"]"#, [.case(.red), .case(.green)]),
      (#"["RED","R,E]D"]"#, [.case(.red), .unknown("R,E]D")]),
    ] as [(String, [GraphQLEnum<ShapesAPI.Color>])])
  func readsListsOfEnums(_ text: String, _ colors: [GraphQLEnum<ShapesAPI.Color>]) throws {
    #expect(try lists("certainColors", text).certainColors == colors)
    #expect(try lists("colors", text).colors == colors)
  }

  @Test(
    arguments: [
      (#"["RED",1]"#, 1), (#"[true]"#, 0), (#"["RED","MAUVE",{}]"#, 2), (#"["RED",["RED"]]"#, 1),
    ])
  func namesTheElementThatIsNoEnum(_ text: String, index: Int) {
    let error = #expect(throws: ResponseError.self) { try lists("certainColors", text) }
    #expect(error?.path == ["leafLists", "certainColors", .index(index)])
  }

  /// Lists of two custom scalars that are aliases of built-in ones.
  private struct Aliases: ShapesAPI.SelectionSet {
    static let __selections = GeneratedCode.Selections(
      "LeafLists {texts [#0] longs [#1]}", leaves: [String.self, Int.self])
    let __object: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { __selections[0] }
    var texts: [String?]? { __value(0) }
    var longs: [Int?]? { __value(1) }
  }

  @Test func readsListsOfAliasesLikeSingleValues() throws {
    func read(_ text: String) throws -> Aliases { try Aliases(jsonBytes: Array(text.utf8)) }
    #expect(
      try read(#"{"texts":[1.50,-0,1e2,"a",true,null]}"#).texts
        == ["1.50", "-0", "1e2", "a", "true", nil])
    #expect(try read(#"{"longs":[922337203685477580.7e1,1.0,null]}"#).longs == [.max, 1, nil])
    #expect(try read(#"{"texts":["\u00e9"]}"#) != read(#"{"texts":["e\u0301"]}"#))
    #expect(throws: ResponseError.self) { try read(#"{"longs":[1.5]}"#) }
  }

  @Test func enumsOfOtherNormalizationsDiffer() throws {
    let (composed, decomposed) = (#"["\u00e9"]"#, #"["e\u0301"]"#)
    #expect(try lists("colors", composed) != lists("colors", decomposed))
    #expect(try lists("ids", composed) != lists("ids", decomposed))
    #expect(try lists("jsons", composed) != lists("jsons", decomposed))
  }

  /// Around the 128 bytes in which the reader looks for the end of a list.
  @Test(arguments: [0, 1, 2, 31, 32, 33, 63, 64, 65, 1_000])
  func readsListsOfEveryLength(_ count: Int) throws {
    let numbers = (0..<count).map { $0 % 10 }
    let text = "[\(numbers.map(String.init).joined(separator: ","))]"
    #expect(try lists("ints", text).ints == numbers.map { $0 })
    let row = numbers.map(Double.init)
    #expect(try lists("floats", text).floats == row)
    #expect(try lists("matrix", "[\(text),\(text)]").matrix == [row, row])
    let texts = numbers.map { #""\#($0),]""# }.joined(separator: ",")
    #expect(try lists("ids", "[\(texts)]").ids == numbers.map { "\($0),]" })
    #expect(try lists("strings", "[\(texts)]").strings == numbers.map { "\($0),]" })
  }

  /// `[[[Int]!]]`: the innermost elements and the lists in the middle may be null.
  @Test(arguments: [1, freshSeed])
  func readsNestedListsWithNulls(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func list(_ depth: Int) -> JSONValue {
      .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in element(depth + 1) })
    }
    func element(_ depth: Int) -> JSONValue {
      if depth != 2, Int.random(in: 0..<4, using: &random) == 0 { return .null }
      return depth == 3 ? .int(.random(in: -9...9, using: &random)) : list(depth)
    }
    for _ in 0..<200 {
      let cube = list(0)
      #expect(try lists("cube", cube.description).jsonValue["cube"] == cube, "seed \(seed)")
    }
  }
}
