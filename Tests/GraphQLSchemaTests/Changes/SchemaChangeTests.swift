import GraphQLValidation
import Testing

@testable import GraphQLSchema

@Suite struct SchemaChangeTests {
  private func changes(from old: String, to new: String) -> [String] {
    let old = Schema.build([.sdl("old", old)]).schema
    let new = Schema.build([.sdl("new", new)]).schema
    return new.changes(since: old).map {
      "\($0.criticality) \($0.kind.rawValue) \($0.coordinate): \($0.message)"
    }
  }

  @Test func aSchemaDoesNotDifferFromItself() {
    let sdl = "type Query { a(x: I = { a: 1 }): U } union U = Query input I { a: Int = 1 }"
    #expect(changes(from: sdl, to: sdl) == [])
  }

  @Test func outputTypesMayBecomeNarrowerAndInputTypesWider() {
    #expect(
      changes(
        from: "type Query { a(x: [Int!]!): [Int] b(x: Int): Int! }",
        to: "type Query { a(x: [Int]): [Int!]! b(x: Int!): Int }") == [
          "safe ARG_CHANGED_KIND_SAFE Query.a(x:): "
            + "Argument Query.a(x:) has changed type from [Int!]! to [Int].",
          "safe FIELD_CHANGED_KIND_SAFE Query.a: Field Query.a changed type from [Int] to [Int!]!.",
          "breaking ARG_CHANGED_KIND Query.b(x:): "
            + "Argument Query.b(x:) has changed type from Int to Int!.",
          "breaking FIELD_CHANGED_KIND Query.b: Field Query.b changed type from Int! to Int.",
        ])
  }

  @Test(arguments: [
    ("type Query { a(x: Int): Int }", "type Query { a(x: Int!): Int }", "Query.a"),
    ("type Query { a(x: Int! = 1): Int }", "type Query { a(x: Int!): Int }", "Query.a"),
    ("type Query { a(x: Int! = 1): Int }", "type Query { a(x: Int! = 2): Int }", nil),
    ("type Query { a(x: Int!): Int }", "type Query { a(x: String!): Int }", nil),
    ("directive @d(x: Int) on FIELD", "directive @d(x: Int!) on FIELD", "@d"),
    ("input I { x: Int }", "input I { x: Int! }", "I"),
    (
      "interface N { a: Int } type T implements N { a: Int }",
      "interface N { a: Int } type T { a: Int }", "N"
    ),
  ])
  func changesNameTheRelatedElement(old: String, new: String, related: String?) {
    let old = Schema.build([.sdl("old", old + " schema { query: R } type R { r: Int }")]).schema
    let new = Schema.build([.sdl("new", new + " schema { query: R } type R { r: Int }")]).schema
    #expect(new.changes(since: old).map(\.related) == [related])
  }

  @Test(arguments: [
    (
      "input I { a: Int b: Int }", "input I @oneOf { a: Int b: Int }",
      "breaking ONE_OF_ADDED I: I became a OneOf input."
    ),
    (
      "input I @oneOf { a: Int b: Int }", "input I { a: Int b: Int }",
      "dangerous ONE_OF_CHANGED I: I is no OneOf input anymore."
    ),
    (
      "input I { a: Int }", "input I { a: Int @deprecated }",
      "safe DEPRECATION_CHANGED I.a: I.a is deprecated: No longer supported"
    ),
    (
      #"input I { a: Int @deprecated(reason: "x") }"#, "input I { a: Int }",
      "safe DEPRECATION_CHANGED I.a: I.a is no longer deprecated."
    ),
    (
      "type T { f(a: Int): Int }", #"type T { f(a: Int @deprecated(reason: "x")): Int }"#,
      "safe DEPRECATION_CHANGED T.f(a:): T.f(a:) is deprecated: x"
    ),
    (
      "directive @d(a: Int @deprecated) on FIELD", "directive @d(a: Int) on FIELD",
      "safe DEPRECATION_CHANGED @d(a:): @d(a:) is no longer deprecated."
    ),
    (
      "type T { f(a: Int! = 1): Int }", "type T { f(a: Int!): Int }",
      "breaking ARG_DEFAULT_VALUE_CHANGE T.f(a:): T.f(a:) defaultValue was removed."
    ),
    (
      "directive @d(a: Int! = 1) on FIELD", "directive @d(a: Int!) on FIELD",
      "breaking ARG_DEFAULT_VALUE_CHANGE @d(a:): @d(a:) defaultValue was removed."
    ),
    (
      "input I { a: Int! = 1 }", "input I { a: Int! }",
      "breaking INPUT_FIELD_DEFAULT_VALUE_CHANGE I.a: I.a defaultValue was removed."
    ),
    (
      "input I { a: Int = 1 }", "input I { a: Int }",
      "dangerous INPUT_FIELD_DEFAULT_VALUE_CHANGE I.a: I.a defaultValue was removed."
    ),
    (
      "input I { a: Int! = 1 }", "input I { a: Int! = 2 }",
      "dangerous INPUT_FIELD_DEFAULT_VALUE_CHANGE I.a: I.a has changed defaultValue from 1 to 2."
    ),
    (
      #"scalar S @specifiedBy(url: "a:1")"#, #"scalar S @specifiedBy(url: "a:2")"#,
      #"dangerous SPECIFIED_BY_CHANGED S: The specification of S changed from "a:1" to "a:2"."#
    ),
    (
      "scalar S", #"scalar S @specifiedBy(url: "a:2")"#,
      #"dangerous SPECIFIED_BY_CHANGED S: The specification of S changed from none to "a:2"."#
    ),
  ])
  func reportsChangesOfInputsAndScalars(_ old: String, _ new: String, _ change: String) {
    let query = " type Query { a: Int }"
    #expect(changes(from: old + query, to: new + query) == [change])
  }

  @Test func ignoresTheOrderOfObjectFieldsInDefaultValues() {
    #expect(
      changes(
        from: "scalar S type Query { a(x: S = { a: 1, b: [2] }): Int }",
        to: "scalar S type Query { a(x: S = { b: [2], a: 1 }): Int }") == [])
  }

  @Test func comparesDeepDefaultValuesWithoutRecursion() {
    func sdl(_ value: String) -> String {
      let (open, close) = (
        String(repeating: "{ b: 0, a: [", count: 240), String(repeating: "] }", count: 240)
      )
      return "scalar S type Query { a(x: S = \(open)\(value)\(close)): Int }"
    }
    #expect(changes(from: sdl("1"), to: sdl("1")).isEmpty)
    let found = changes(from: sdl("{ d: 1, c: 2 }"), to: sdl("{ c: 2, d: 3 }"))
    #expect(found.count == 1)
    #expect(found[0].contains("{ a: [{ a: [") && found[0].contains("[{ c: 2, d: 3 }], b: 0 }"))
  }

  @Test func changedRootTypesAreBreaking() {
    #expect(
      changes(
        from: "schema { query: Q } type Q { a: Int }",
        to: "schema { query: R } type Q { a: Int } type R { a: Int }") == [
          "breaking ROOT_TYPE_CHANGED Q: The query root type changed from Q to R.",
          "safe TYPE_ADDED R: R was added.",
        ])
  }

  @Test func reportsDeprecations() {
    #expect(
      changes(
        from: "type Query { a: Int }", to: "type Query { a: Int @deprecated(reason: \"b\") }") == [
          "safe DEPRECATION_CHANGED Query.a: Query.a is deprecated: b"
        ])
  }
}
