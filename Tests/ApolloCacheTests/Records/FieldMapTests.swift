import ApolloCache
import Testing

@Suite struct FieldMapTests {
  @Test func behavesLikeADictionary() {
    var map: FieldMap = ["name": "Luke", "age": 19]
    #expect(map["name"] == "Luke")
    #expect(map["mass"] == nil)
    map["mass"] = 77.5
    map["name"] = nil
    map["absent"] = nil
    #expect(map == ["mass": 77.5, "age": 19])
    #expect(map.count == 2)
    #expect(Set(map.keys) == ["mass", "age"])
  }

  @Test func theLastOfTwoEqualKeysCounts() {
    #expect(FieldMap([("a", 1), ("b", 2), ("a", 3)]) == ["a": 3, "b": 2])
  }

  @Test func equalityAndHashIgnoreTheOrderOfFields() {
    let map: FieldMap = ["a": 1, "b": [1, .null, "x"]]
    let other: FieldMap = ["b": [1, .null, "x"], "a": 1]
    #expect(map == other)
    #expect(map.hashValue == other.hashValue)
    #expect(map != ["a": 1])
    #expect(map != ["a": 1, "c": 2])
  }

  @Test(arguments: [63, 64, 65, 1_000])
  func holdsAnyNumberOfFields(count: Int) {
    var map = FieldMap()
    for number in 0..<count { map[FieldKey("field\(number)")] = .int(Int64(number)) }
    #expect(map.count == count)
    #expect((0..<count).allSatisfy { map[FieldKey("field\($0)")] == .int(Int64($0)) })
    #expect(map == FieldMap(map.reversed().map { ($0.key, $0.value) }))
    map["field0"] = nil
    #expect(map.count == count - 1)
    #expect(map["field0"] == nil)
  }

  @Test func aMapThatLosesFieldsHasAShapeAgain() {
    var map = FieldMap((0..<70).map { (FieldKey("field\($0)"), .int(Int64($0))) })
    map.removeAll(Set((0..<5).map { FieldKey("field\($0)") }))
    #expect(map.isOverflow)
    map.removeAll(["field5"])
    #expect(!map.isOverflow)
    #expect(map == FieldMap((6..<70).map { (FieldKey("field\($0)"), .int(Int64($0))) }))
  }

  @Test func equalFieldsInEqualOrderShareOneShape() {
    let first = RecordShape.of(["only", "here"])
    #expect(RecordShape.of(["only", "here"]) === first)
    #expect(RecordShape.of(["here", "only"]) !== first)
  }

  @Test func aShapeWithArgumentsIsReleasedWithItsLastReference() {
    weak var shape: RecordShape?
    do {
      let first = RecordShape.of(["only(here:1)", "id"])
      #expect(RecordShape.of(["only(here:1)", "id"]) === first)
      shape = first
    }
    #expect(shape == nil)
  }
}
