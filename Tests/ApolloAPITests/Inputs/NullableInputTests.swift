import ApolloAPI
import Foundation
import ShapesAPI
import Testing

/// Absent, null and a value stay distinct in requests and in cache field keys.
struct NullableInputTests {
  private func body(_ operation: some GraphQLOperation) -> String {
    String(decoding: operation.requestBody(sendsDocument: false), as: UTF8.self)
  }

  @Test(arguments: [
    (EchoInput(required: 1), #"{"required":1}"#),
    (EchoInput(string: nil, required: 1), #"{"required":1}"#),
    (EchoInput(string: .none, required: 1), #"{"required":1}"#),
    (EchoInput(string: .null, required: 1), #"{"required":1,"string":null}"#),
    (EchoInput(string: "", required: 1), #"{"required":1,"string":""}"#),
    (EchoInput(string: .some("a"), required: 1), #"{"required":1,"string":"a"}"#),
    (EchoInput(required: 1, withDefault: 0), #"{"required":1,"withDefault":0}"#),
    (EchoInput(required: 1, list: [1, nil, 3]), #"{"list":[1,null,3],"required":1}"#),
    (EchoInput(required: 1, list: []), #"{"list":[],"required":1}"#),
    (EchoInput(required: 1, list: .null), #"{"list":null,"required":1}"#),
    (
      EchoInput(required: 1, lists: [[.case(.red), .unknown("MAUVE")], nil, []]),
      #"{"lists":[["RED","MAUVE"],null,[]],"required":1}"#
    ),
    (
      EchoInput(required: 1, point: .some(Point(x: 1.5, label: .null))),
      #"{"point":{"label":null,"x":1.5},"required":1}"#
    ),
    (
      EchoInput(required: 1, points: [Point(x: 0, y: 2, label: "here"), nil]),
      #"{"points":[{"label":"here","x":0.0,"y":2.0},null],"required":1}"#
    ),
    (
      EchoInput(required: 1, nested: .some(EchoInput(required: 2, nested: .null))),
      #"{"nested":{"nested":null,"required":2},"required":1}"#
    ),
    (EchoInput(required: 1, one: .some(.id("7"))), #"{"one":{"id":"7"},"required":1}"#),
    (EchoInput(required: 1, one: .some(.number(7))), #"{"one":{"number":7},"required":1}"#),
    (
      EchoInput(required: 1, date: .some(Date(timeIntervalSinceReferenceDate: 0.5))),
      #"{"date":"2001-01-01T00:00:00.500Z","required":1}"#
    ),
    (
      EchoInput(required: 1, decimal: .some(Decimal(string: "12345678901234567890.5")!)),
      #"{"decimal":"12345678901234567890.5","required":1}"#
    ),
    (EchoInput(required: .max), #"{"required":9223372036854775807}"#),
  ])
  func reachTheServerUnchanged(input: EchoInput, json: String) throws {
    // Within an input object, keys ascend.
    let text = try JSONValue(jsonBytes: Array(json.utf8)).description
    #expect(
      body(EchoQuery(input: .some(input)))
        == #"{"operationName":"Echo","variables":{"input":\#(text)}}"#)
    #expect(body(EchoQuery(input: .some(input))) == body(EchoQuery(input: .some(input))))
  }

  @Test func sendsNullVariablesAndOmitsAbsentOnes() {
    #expect(body(EchoQuery(input: nil)) == #"{"operationName":"Echo"}"#)
    #expect(body(EchoQuery(input: .none)) == #"{"operationName":"Echo"}"#)
    #expect(
      body(EchoQuery(input: .null)) == #"{"operationName":"Echo","variables":{"input":null}}"#)
    #expect(
      body(ThingsQuery(more: true, less: false, first: .null))
        == #"{"operationName":"Things","variables":{"more":true,"less":false,"first":null}}"#)
    #expect(
      body(ThingsQuery(less: false, first: 2, colors: [.case(.blue)]))
        == #"{"operationName":"Things","variables":{"more":false,"less":false,"first":2,"colors":["BLUE"]}}"#
    )
  }

  @Test func operationsWithEqualVariablesAreEqual() {
    let absent = EchoQuery(input: nil)
    let null = EchoQuery(input: .null)
    let value = EchoQuery(input: .some(EchoInput(required: 1)))
    #expect(absent == EchoQuery(input: .none) && absent != null && null != value && absent != value)
    #expect(value != EchoQuery(input: .some(EchoInput(string: .null, required: 1))))
    #expect(Set([absent, null, value, absent, null, value]).count == 3)
  }

  @Test(
    arguments: [
      (nil, nil, "things"), (.null, nil, "things(first:null)"), (2, nil, "things(first:2)"),
      (nil, .null, "things(colors:null)"), (nil, [], "things(colors:[])"),
      (2, [.case(.red), .unknown("MAUVE")], #"things(colors:["RED","MAUVE"],first:2)"#),
      (.null, .null, "things(colors:null,first:null)"),
    ] as [(GraphQLNullable<Int>, GraphQLNullable<[GraphQLEnum<Color>]>, String)])
  func deriveTheFieldKeysOfTheCache(
    first: GraphQLNullable<Int>, colors: GraphQLNullable<[GraphQLEnum<Color>]>, key: String
  ) throws {
    let query = ThingsQuery(less: false, first: first, colors: colors)
    let view = ThingsQuery.Data.__layout
    let plan = view.plan(schema: ShapesAPI.SchemaMetadata.self, variables: query.__variables)
    let root = plan.position(for: [view]).layout(forTypename: nil)
    let keys = FieldKeys(view, variables: query.__variables)
    let field = try #require(root.fields.first { $0.responseKey == "several" })
    #expect(keys.key(of: field) == key)
    let thing = try #require(root.fields.first { $0.responseKey == "thing" })
    #expect(keys.key(of: thing) == #"thing(id:"a",near:{"label":"here","x":1.5})"#)
  }

  @Test func convertsBetweenOptionalsAndNullables() {
    #expect(GraphQLNullable<Int>.someOrNull(nil) == .null)
    #expect(GraphQLNullable<Int>.someOrNull(1) == 1)
    let (absent, present): (Bool?, Bool?) = (nil, true)
    let nullables: [GraphQLNullable<Bool>] = [.init(absent), .init(present), .init(false)]
    #expect(nullables == [.none, true, false])
    #expect(Int?.none.asNullable == .none && Int?(1).asNullable == 1)
    #expect(GraphQLNullable<Int>.null.unwrapped == nil && (GraphQLNullable<Int>.null ?? 3) == 3)
    #expect(Set([GraphQLNullable<Int>.none, .null, 1, nil]).count == 3)
  }
}
