import ApolloAPI
import ShapesAPI
import Testing

struct FieldErrorTests {
  private func decode(
    _ data: String, _ paths: String...
  ) throws -> GraphQLResponse<ObjectsQuery> {
    let errors = paths.enumerated().map { #"{"message":"\#($0)","path":\#($1)}"# }
    let text = #"{"data":\#(data),"errors":[\#(errors.joined(separator: ","))]}"#
    return try ResponseDecoder().decode(Array(text.utf8), as: ObjectsQuery())
  }

  /// The parts of the response that the cases below replace.
  private func objects(one: String = "null", many: String = "null", rows: String = "null") -> String
  {
    """
    {"objects":{"__typename":"Objects","one":\(one),"certainOne":{"__typename":"Box","id":"1","width":1},"many":\(many),
    "certainMany":[],"someOfMany":null,"rows":\(rows),"certainRows":[],"deep":null}}
    """
  }

  @Test func nilFieldsHaveTheErrorsThatExplainThem() throws {
    let response = try decode(
      objects(), #"["objects","one"]"#, #"["objects","one","lid","width"]"#, #"["objects","many"]"#)
    let objects = try #require(response.data?.objects)
    #expect(objects.errors(for: \.one).map(\.message) == ["0", "1"])
    #expect(objects.errors(for: \.many).map(\.message) == ["2"])
    #expect(objects.errors(for: \.rows).isEmpty)
    #expect(objects.errors(forKey: "one").count == 2)
    #expect(response.data?.errors(for: \.objects).isEmpty == true)
    #expect(response.errors(at: "objects", "one").map(\.message) == ["0", "1"])
    #expect(response.errors(at: "objects", "one", "lid").map(\.message) == ["1"])
    #expect(response.errors(at: "objects").count == 3)
    #expect(GraphQLResult(response).errors(at: "objects", "many").map(\.message) == ["2"])
  }

  @Test func presentObjectsHaveTheirOwnErrors() throws {
    let box = #"{"__typename":"Box","id":"1","width":1,"lid":null}"#
    let response = try decode(objects(one: box), #"["objects","one","lid"]"#)
    let objects = try #require(response.data?.objects)
    #expect(objects.errors(for: \.one).isEmpty)
    #expect(objects.one?.errors(for: \.lid).map(\.message) == ["0"])
    #expect(objects.one?.errors(for: \.id).isEmpty == true)
    #expect(objects.one?.fragments.boxParts.errors(for: \.lid).map(\.message) == ["0"])
    #expect(objects.one?.errors(for: \.fragments.boxParts.lid).map(\.message) == ["0"])
  }

  @Test func listsHaveTheErrorsOfTheirMissingElements() throws {
    let response = try decode(
      objects(
        many: #"[null,{"__typename":"Box","id":"2","color":null}]"#,
        rows: #"[null,[null,{"__typename":"Box","id":"3"}]]"#),
      #"["objects","many",0,"id"]"#, #"["objects","many",1,"color"]"#, #"["objects","rows",0]"#,
      #"["objects","rows",1,0]"#, #"["objects","rows",1,1,"id"]"#)
    let objects = try #require(response.data?.objects)
    #expect(objects.errors(for: \.many).map(\.message) == ["0"])
    #expect(objects.many?[1]?.errors(for: \.color).map(\.message) == ["1"])
    #expect(objects.errors(for: \.rows).map(\.message) == ["2", "3"])
    #expect(objects.rows?[1]?[1]?.errors(for: \.id).map(\.message) == ["4"])
  }

  @Test func errorsOfPropagatedNullsBelongToTheRemainingObject() throws {
    let response = try decode(
      objects(one: #"{"__typename":"Box","id":"1","width":null,"lid":null}"#),
      #"["objects","one","width"]"#)
    let objects = try #require(response.data?.objects)
    #expect(objects.one == nil)
    #expect(objects.errors(for: \.one).first?.path?.dotted == "objects.one.width")
  }

  @Test(arguments: [
    #"["objects","unknown"]"#, #"["objects"]"#, "[]", #"["objects","one",0]"#, #"["elsewhere",1]"#,
    #"["objects","many",7,"id"]"#, #"[1]"#,
  ])
  func ignoresErrorPathsWithoutAnObject(path: String) throws {
    let response = try decode(objects(many: "[]"), path)
    let objects = try #require(response.data?.objects)
    #expect(objects.errors(for: \.certainOne).isEmpty)
    #expect(objects.certainOne.errors(for: \.id).isEmpty)
    #expect(response.errors?.count == 1)
  }

  @Test func errorsDoNotAffectEquality() throws {
    let with = try decode(objects(), #"["objects","one"]"#).data
    let without = try decode(objects(), "[]").data
    #expect(with == without && with?.hashValue == without?.hashValue)
    #expect(with?.jsonBytes == without?.jsonBytes)
  }

  @Test func attachesManyErrorsOfOneListInLinearTime() throws {
    let count = 20_000
    let boxes = Array(repeating: #"{"__typename":"Box","id":"2","color":null}"#, count: count)
    let errors = (0..<count).map {
      #"{"message":"\#($0)","path":["objects","many",\#($0),"color"]}"#
    }
    let text =
      #"{"data":\#(objects(many: "[\(boxes.joined(separator: ","))]")),"errors":[\#(errors.joined(separator: ","))]}"#
    let response = try ResponseDecoder().decode(Array(text.utf8), as: ObjectsQuery())
    #expect(
      response.data?.objects?.many?[count - 1]?.errors(for: \.color).map(\.message) == [
        "\(count - 1)"
      ])
  }
}
