import ApolloAPI
import ShapesAPI
import Testing

// Objects, lists, enums and type names.
extension FaultTests {
  static let shapes = [
    FaultRow("J19", "keys that are missing, misspelt or too many") { () throws in
      for text in [#"{"data":{}}"#, #"{"data":{"LEAVES":null}}"#, #"{"data":{"leaves ":null}}"#] {
        let error = #expect(throws: ResponseError.self) {
          try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        }
        #expect(error?.problem == .missingValue && error?.path == ["leaves"], "\(text)")
      }
      Outcome.isNoObject(
        "one", #"{"__typename":"Box","id":"1","lid":null}"#, "one.width", .missingValue)
      Outcome.isNoObject(
        "deep", #"[null,[[{"__typename":"Ball","id":"1"}]]]"#, "deep.1.0.0.radius", .missingValue)
      let extra =
        #"{"a":[{}],"width":1,"__typename":"Box","Width":[],"id":"1","widt":null,"lid":null,"widthh":2}"#
      #expect(try Outcome.objects("one", extra).objects?.one?.width == 1)
    },
    FaultRow("J25", "nulls where none may be") { () throws in
      let box = #"{"__typename":"Box","id":null,"color":null,"width":1,"lid":null}"#
      for (field, text, path) in [
        ("certainOne", "null", "certainOne"), ("certainMany", "null", "certainMany"),
        ("certainMany", "[null]", "certainMany.0"),
        ("someOfMany", "[null]", "someOfMany.0"), ("certainRows", "[null]", "certainRows.0"),
        ("certainRows", "[[],[null]]", "certainRows.1.0"), ("one", box, "one.id"),
        ("many", "[null,\(box)]", "many.1.id"),
        ("rows", "[null,[null,\(box)]]", "rows.1.1.id"),
        ("deep", "[[[null,\(box)]]]", "deep.0.0.1.id"),
        (
          "one",
          #"{"__typename":"Box","id":"1","width":1,"lid":{"__typename":"Box","width":null}}"#,
          "one.lid.width"
        ),
      ] { Outcome.isNoObject(field, text, path, .nullValue) }
      for field in ["String", "Int", "Float", "Boolean", "ID", "Color", "Date"] {
        Outcome.isNo("certain\(field)", "null", .nullValue)
      }
      for field in [
        "string", "int", "float", "boolean", "id", "color", "date", "url", "uuid", "decimal",
        "json", "long", "text",
      ] {
        #expect(throws: Never.self) { try Outcome.leaf(field, "null") }
      }
    },
    FaultRow("J26", "lists, objects and scalars in each other's places") { () throws in
      let box = #"{"__typename":"Box","id":"1","width":1,"lid":null}"#
      for (field, text, path) in [
        ("one", "[]", "one"), ("one", "[\(box)]", "one"), ("one", "1", "one"),
        ("one", "\"Box\"", "one"), ("one", "false", "one"),
        ("many", box, "many"), ("many", "\"\"", "many"), ("many", "[[]]", "many.0"),
        ("many", "[1]", "many.0"),
        ("many", "[[\(box)]]", "many.0"), ("rows", "[\(box)]", "rows.0"),
        ("rows", "[[[]]]", "rows.0.0"), ("rows", "{}", "rows"),
        ("deep", "[[\(box)]]", "deep.0.0"), ("deep", "[[[[]]]]", "deep.0.0.0"),
        ("deep", "[[[true]]]", "deep.0.0.0"),
        ("certainRows", "[null,1]", "certainRows.1"), ("certainOne", "0", "certainOne"),
      ] { Outcome.isNoObject(field, text, path) }
      for (field, text) in [
        ("strings", "\"a\""), ("strings", "[[]]"), ("strings", "[1]"), ("certainInts", "[null]"),
        ("matrix", "[1]"), ("matrix", "[[[1]]]"),
        ("matrix", "[[1,null]]"), ("grid", "[\"RED\"]"), ("cube", "[[1]]"), ("cube", "[[null]]"),
        ("colors", "{}"), ("jsons", "{}"),
      ] {
        let text = #"{"data":\#(Outcome.lists(field, text))}"#
        let error = #expect(throws: ResponseError.self, "\(text)") {
          try ResponseDecoder().decode(Array(text.utf8), as: LeafListsQuery())
        }
        #expect(error?.path.dotted.hasPrefix("leafLists.\(field)") == true, "\(text)")
      }
    },
    FaultRow("J27", "enum values") { () throws in
      #expect(try Outcome.leaf("color", "\"RED\"").color == .case(.red))
      for name in [
        "MAUVE", "", "red", " RED", "RED\0", "a name of more than fifteen bytes", "null", "é",
      ] {
        let color = try Outcome.leaf("color", JSONValue.string(name).description).color
        #expect(color == .unknown(name) && color?.rawValue == name && color?.value == nil)
      }
      for text in ["7", "true", "[]", "{}", "[\"RED\"]"] {
        Outcome.isNo("color", text)
        Outcome.isNo("certainColor", text)
      }
    },
    FaultRow("J28", "type names") { () throws in
      func things(_ typename: String, _ rest: String = "") throws -> ThingsQuery.Data {
        let object = #"{\#(typename)"id":"1","color":null,"inches":1,"inside":null\#(rest)}"#
        let text = #"{"data":{"thing":\#(object),"either":\#(object),"node":\#(object)}}"#
        let response = try ResponseDecoder().decode(Array(text.utf8), as: ThingsQuery(less: true))
        return response.data!
      }
      for typename in ["Cube", "", "box", "Leaves", "Query", "Thing"] {
        let data = try things(#""__typename":"\#(typename)","#)
        #expect(
          data.thing?.__typename == typename && data.thing?.id == "1" && data.thing?.inches == 1)
        #expect(
          data.thing?.asBox == nil && data.either?.asBall == nil && data.either?.asPerson == nil)
        #expect(data.either?.__typename == typename && data.node?.id == "1")
      }
      let box = try things(#""__typename":"Box","#, #","lid":null,"width":1,"extent":1"#)
      #expect(
        box.thing?.asBox != nil && box.either?.__typename == "Box" && box.either?.asBall == nil)
      for (text, problem) in [
        ("", ResponseError.Problem.missingValue), (#""__typename":null,"#, .nullValue),
        (#""__typename":1,"#, .wrongType(expected: "a string", found: "a number")),
        (#""__typename":["Box"],"#, .wrongType(expected: "a string", found: "a list")),
      ] {
        let error = #expect(throws: ResponseError.self, "\(text)") { try things(text) }
        #expect(error?.problem == problem && error?.path == ["thing", "__typename"], "\(text)")
      }
    },
    FaultRow("J30", "one object twice, and not the same") { () throws in
      // The decoder keeps both; the cache has its own rule.
      let text =
        #"[{"__typename":"Box","id":"1","color":"RED"},{"__typename":"Box","id":"1","color":"BLUE"}]"#
      let many = try Outcome.objects("many", text).objects?.many
      #expect(many?.map { $0?.color } == [.case(.red), .case(.blue)])
      #expect(
        try Outcome.objects("many", text).jsonBytes == Outcome.objects("many", text).jsonBytes)
    },
  ]
}
