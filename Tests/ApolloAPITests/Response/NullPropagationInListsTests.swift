import ApolloAPI
import ShapesAPI
import Testing

/// A null that the schema rules out propagates to the nearest nullable object, list or element
/// around it, if an error of the response explains it (specification 6.4.4, "Handling Execution
/// Errors").
struct NullPropagationInListsTests {
  /// A box without its required id.
  private static let bad = #"{"__typename":"Box","id":null,"color":null,"width":null,"lid":null}"#
  private static let good = #"{"__typename":"Box","id":"1","color":null,"width":1,"lid":null}"#
  private static let lidded =
    #"{"__typename":"Box","id":"1","width":1,"lid":{"__typename":"Box","width":null}}"#

  struct Case: Sendable, CustomTestStringConvertible {
    /// A field of `Objects`, and its value in the response.
    var field: String
    var value: String
    /// The path of the null.
    var path: [PathEntry]
    /// The field in the model as JSON; `nil` when the null propagates to the object around it.
    var left: JSONValue?

    init(_ field: String, _ value: String, _ path: [PathEntry], _ left: JSONValue?) {
      (self.field, self.value, self.left) = (field, value, left)
      self.path = ["objects", .field(field)] + path
    }

    var testDescription: String { "\(path.dotted) is null" }
  }

  private static let many: JSONValue = ["__typename": "Box", "id": "1", "color": nil]
  private static let row: JSONValue = ["__typename": "Box", "id": "1"]

  static let cases = [
    Case("one", bad, ["id"], .null),
    Case(
      "one", lidded, ["lid", "width"], ["__typename": "Box", "id": "1", "width": 1.0, "lid": nil]),
    Case("certainOne", "null", [], nil), Case("certainOne", bad, ["id"], nil),
    Case("many", "[\(bad)]", [0, "id"], [nil]),
    Case("many", "[\(good),\(bad),null,\(good)]", [1, "id"], [many, nil, nil, many]),
    Case("someOfMany", "[null]", [0], .null),
    Case("someOfMany", "[\(good),\(bad)]", [1, "width"], .null),
    Case("certainMany", "null", [], nil), Case("certainMany", "[\(good),null]", [1], nil),
    Case("certainMany", "[\(bad)]", [0, "id"], nil),
    Case("rows", "[[\(good),\(bad)],null]", [0, 1, "id"], [[row, nil], nil]),
    Case("certainRows", "[null]", [0], nil), Case("certainRows", "[[],[null]]", [1, 0], nil),
    Case("certainRows", "[[\(bad)]]", [0, 0, "id"], nil),
    Case("deep", "[[null,[\(bad)]],null]", [0, 1, 0, "id"], [[nil, [nil]], nil]),
  ]

  private func decode(_ value: Case, errors: String) throws(ResponseError) -> ObjectsQuery.Data {
    try Outcome.objects(value.field, value.value, errors: errors)
  }

  /// The path in the form of an error.
  private func json(_ path: [PathEntry]) -> String {
    JSONValue.array(
      path.map { entry in
        switch entry {
        case .field(let key): .string(key)
        case .index(let index): .int(Int64(index))
        }
      }
    ).description
  }

  @Test(arguments: cases)
  func propagatesToTheNearestNullable(_ value: Case) throws {
    let paths = [value.path, value.path + ["below"], value.path + [3, "below"]]
    // An error about the other field of a bad box, so that its second null is explained too.
    let width = #"{"message":"w","path":\#(json(Array(value.path.dropLast()) + ["width"]))}"#
    for path in paths {
      let errors = #","errors":[\#(width),{"message":"m","path":\#(json(path))}]"#
      let data = try decode(value, errors: errors)
      #expect(data.objects?.jsonValue[value.field] == value.left)
      #expect((data.objects == nil) == (value.left == nil))
      #expect(try ObjectsQuery.Data(jsonBytes: data.jsonBytes) == data)
    }
  }

  @Test(arguments: cases)
  func failsWithItsPathWhenNoErrorExplainsIt(_ value: Case) {
    for errors in [
      "", #","errors":[]"#, #","errors":[{"message":"m"}]"#,
      #","errors":[{"message":"m","path":[]}]"#,
      #","errors":[{"message":"m","path":["objects","elsewhere"]}]"#,
      #","errors":[{"message":"m","path":["objects"]}]"#,
      #","errors":[{"message":"m","path":\#(json(value.path.dropLast() + ["other"]))}]"#,
    ] {
      let error = #expect(throws: ResponseError.self, "\(errors)") {
        try decode(value, errors: errors)
      }
      #expect(error?.problem == .nullValue)
      #expect(error?.path == value.path, "\(errors)")
      #expect(error?.description.hasPrefix("'\(value.path.dotted)': found null") == true)
    }
  }

  @Test(
    arguments: [
      ("strings", #"["a",null]"#, [1], ["a", nil]), ("certainInts", "[1,null]", [1], .null),
      ("matrix", "[[1],[2,null]]", [1, 1], .null), ("matrix", "[[1],null]", [1], .null),
      ("cube", "[[[1]],[null]]", [1, 0], [[[1]], nil]), ("dates", "[null]", [0], .null),
      ("ids", "[null,1]", [0], .null),
      ("certainStrings", "[null]", [0], nil), ("certainStrings", "null", [], nil),
      ("floats", "[1,null]", [1], nil), ("certainColors", #"["RED",null]"#, [1], nil),
      ("booleans", "null", [], nil),
    ] as [(String, String, [PathEntry], JSONValue?)])
  func decodesListsOfLeaves(field: String, value: String, path: [PathEntry], left: JSONValue?)
    throws
  {
    let data = Outcome.lists(field, value)
    let whole: [PathEntry] = ["leafLists", .field(field)] + path
    let text = #"{"data":\#(data),"errors":[{"message":"m","path":\#(json(whole))}]}"#
    let response = try ResponseDecoder().decode(Array(text.utf8), as: LeafListsQuery())
    #expect(response.data?.leafLists?.jsonValue[field] == left)
    #expect((response.data?.leafLists == nil) == (left == nil))
    guard field != "strings" else { return }  // there, nulls are ordinary
    let error = #expect(throws: ResponseError.self) {
      try ResponseDecoder().decode(Array(#"{"data":\#(data)}"#.utf8), as: LeafListsQuery())
    }
    #expect(error?.problem == .nullValue && error?.path == whole)
  }

  @Test func propagatesToTheDataWhenNothingAroundIsNullable() throws {
    let paint = PaintMutation(id: "1", color: .case(.red))
    let text = #"{"data":{"paint":null},"errors":[{"message":"m","path":["paint"]}]}"#
    let response = try ResponseDecoder().decode(Array(text.utf8), as: paint)
    #expect(response.data == nil && response.errors?.count == 1)
    let error = #expect(throws: ResponseError.self) {
      try ResponseDecoder().decode(Array(#"{"data":{"paint":null}}"#.utf8), as: paint)
    }
    #expect(error?.path == ["paint"] && error?.problem == .nullValue)
  }
}
