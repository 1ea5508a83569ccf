import ApolloAPI
import Testing

/// Types with very many members behave like those with few.
@Suite struct ExtremesTests {
  typealias Color = ExtremesAPI.Color
  typealias Paint = ExtremesAPI.Paint

  // MARK: - Enums

  @Test func everyNameOfAWideEnumIsOneOfItsValues() {
    let shades = (1...35).map { "SHADE_\($0)" }
    #expect(Color.allCases.map(\.rawValue) == ["RED", "CRIMSON"] + shades)
    #expect(Color.allCases.map { Color(rawValue: $0.rawValue) } == Color.allCases)
    #expect(Color(rawValue: "PINK") == nil && Color(rawValue: "") == nil)
    #expect(Set(Color.allCases).count == 37)
  }

  @Test func aCaseOfAWideEnumHasItsName() {
    #expect(Color.red.rawValue == "RED")
    #expect(Color.shade1.rawValue == "SHADE_1")
    #expect(Color.shade35.rawValue == "SHADE_35")
    #expect(Color.shade1 != .shade2 && Color(rawValue: "SHADE_2") == .shade2)
    switch Color(rawValue: "SHADE_9") {
    case .shade9: break
    default: Issue.record("A pattern has to match.")
    }
  }

  @Test func aWideEnumIsReadFromAResponse() throws {
    func color(_ name: String) throws -> GraphQLEnum<Color>? {
      let body = #"{"paint":{"__typename":"Tree","id":"1","color":"\#(name)"}}"#
      return try ExtremesAPI.PaintQuery.Data(jsonBytes: Array(body.utf8)).paint?.color
    }
    #expect(try color("SHADE_35") == .case(.shade35))
    #expect(try color("PINK") == .unknown("PINK"))
  }

  // MARK: - Input objects and variables

  @Test func aWideInputObjectSendsWhatItHas() {
    var paint = Paint(required: true, f1: "a", f2: [1, 2], f3: .null, f5: .case(.shade3))
    #expect(
      paint.__data.jsonValue == [
        "required": true, "f1": "a", "f2": [1, 2], "f3": .null, "f5": "SHADE_3",
      ])
    paint.f1 = nil
    paint.defaulted = 4
    paint.f35 = .case(.red)
    #expect(
      paint.__data.jsonValue == [
        "required": true, "defaulted": 4, "f2": [1, 2], "f3": .null, "f5": "SHADE_3", "f35": "RED",
      ])
    #expect(paint.__data.fields.map(\.name) == ["required", "defaulted", "f2", "f3", "f5", "f35"])
  }

  @Test func aWideInputObjectCanContainItself() {
    var paint = Paint(required: true)
    paint.inner = .some(paint)
    paint.layers = [Paint(required: false)]
    #expect(
      paint.__data.jsonValue == [
        "required": true, "inner": ["required": true], "layers": [["required": false]],
      ])
    #expect(paint.inner.unwrapped == Paint(required: true))
  }

  @Test func aChangeOfAWideInputObjectDoesNotAffectOtherCopies() {
    let paint = Paint(required: true, f1: "a")
    var copy = paint
    #expect(paint == copy && paint.hashValue == copy.hashValue)
    copy.f1 = "b"
    #expect(paint.f1 == "a" && copy.f1 == "b" && paint != copy)
  }

  @Test func anOperationWithManyVariablesSendsThem() {
    var query = ExtremesAPI.PaintQuery(with: .some(Paint(required: true)), v1: "a", v5: .case(.red))
    #expect(
      query.__variables?.jsonValue == ["with": ["required": true], "v1": "a", "v5": "RED"])
    query.v1 = .null
    #expect(query.v1 == .null && query.v5 == .case(.red) && query.v6 == .none)
    #expect(query != ExtremesAPI.PaintQuery())
    #expect(ExtremesAPI.PaintQuery().__variables?.isEmpty == true)
  }

  // MARK: - Depth

  @Test func namesOfDeepModelsAreThoseOfTheSelections() {
    typealias Tree = ExtremesAPI.DeepQuery.Data.Node.Node.AsLeaf.AsTree.Tree
    typealias Node = Tree.Node.AsTree.Node.AsLeaf.AsTree.Tree.Node
    let node = Node.AsTree.Node(__typename: "Stone", id: "1")
    #expect(node.id == "1" && node.__typename == "Stone")
  }
}
