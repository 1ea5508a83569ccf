import GraphQLSchema
import GraphQLValidation
import Testing

@Suite struct FieldRuleTests {
  @Test func fieldsAreDefinedOnTheirParentType() {
    expect(
      .fieldsOnCorrectType, in: "{ dog { 1️⃣barkVolum owner { 2️⃣zzz } x: __typename } }",
      [
        Expected(
          "1️⃣", "Cannot query field \"barkVolum\" on type \"Dog\". Did you mean \"barkVolume\"?",
          fixed: "{ dog { barkVolume owner { zzz } x: __typename } }"),
        Expected("2️⃣", "Cannot query field \"zzz\" on type \"Human\".", fixed: "nothing to fix"),
      ])
  }

  @Test func fieldsOfPossibleTypesAreSuggestedAsFragments() {
    expect(
      .fieldsOnCorrectType, in: "{ pet(named: \"a\") { 1️⃣barkVolume } catOrDog { 2️⃣name } }",
      [
        Expected(
          "1️⃣",
          "Cannot query field \"barkVolume\" on type \"Pet\". Did you mean to use an inline fragment on \"Dog\"?"
        ),
        Expected(
          "2️⃣",
          "Cannot query field \"name\" on type \"CatOrDog\". Did you mean to use an inline fragment on "
            + "\"Pet\", \"Cat\", or \"Dog\"?"),
      ])
  }

  @Test func introspectionStartsAtTheQueryRootOnly() {
    expect(
      .fieldsOnCorrectType,
      in: "{ __schema { types { name } } dog { 1️⃣__schema { types { name } } } }",
      [Expected("1️⃣", "Cannot query field \"__schema\" on type \"Dog\".")])
  }

  @Test func compositeFieldsHaveSelectionsAndLeavesHaveNone() {
    expect(
      .scalarLeafs, in: "{ 1️⃣dog cat { name 2️⃣{ length } } }",
      [
        Expected(
          "1️⃣",
          "Field \"dog\" of type \"Dog\" must have a selection of subfields. Did you mean \"dog { ... }\"?",
          fixed: "{ dog { __typename } cat { name { length } } }"),
        Expected(
          "2️⃣", "Field \"name\" must not have a selection since type \"String!\" has no subfields."),
      ])
  }

  @Test func reportsDeprecatedElementsOnRequest() {
    expect(
      .noDeprecated,
      in:
        "query A($c: Color = 1️⃣BLACK) { 2️⃣old find(filter: {name: \"a\", 3️⃣old: 1}, color: $c) { name } }",
      [
        Expected("1️⃣", "The enum value \"Color.BLACK\" is deprecated. Too dark."),
        Expected(
          "2️⃣", "The field Query.old is deprecated. Use `new`.",
          fixed:
            "query A($c: Color = BLACK) { new find(filter: {name: \"a\", old: 1}, color: $c) { name } }"
        ),
        Expected("3️⃣", "The input field Filter.old is deprecated. No longer supported"),
      ])
  }

  @Test func reportsDeprecatedInputsOnRequest() {
    expect(
      .noDeprecatedInputs,
      in:
        "query A($c: Color = 1️⃣BLACK) { old find(filter: {name: \"a\", 2️⃣old: 1}, color: $c) { name } }",
      [
        Expected("1️⃣", "The enum value \"Color.BLACK\" is deprecated. Too dark."),
        Expected("2️⃣", "The input field Filter.old is deprecated. No longer supported"),
      ])
  }

  @Test func reportsIntrospectionOnRequest() {
    let start =
      "GraphQL introspection has been disabled, but the requested query contained the field "
    expect(
      .noSchemaIntrospection, in: "{ 1️⃣__schema { 2️⃣types { name } } dog { __typename } }",
      [Expected("1️⃣", start + "\"__schema\"."), Expected("2️⃣", start + "\"types\".")])
  }

  @Test func reportsDeepIntrospectionOnRequest() {
    expect(
      .maxIntrospectionDepth,
      in: """
        { 1️⃣__type(name: "A") { ...F } a: __type(name: "A") { fields { type { fields { name } } } } }
        fragment F on __Type { fields { type { ...G } } }
        fragment G on __Type { interfaces { possibleTypes { name } } }
        """,
      [Expected("1️⃣", "Maximum introspection depth exceeded")])
  }

  @Test func reportsDeepIntrospectionThroughFragmentsInAnyOrderAndInCycles() {
    let message = "Maximum introspection depth exceeded"
    expect(
      .maxIntrospectionDepth,
      in: """
        {
          1️⃣__type(name: "A") { ...A }
          2️⃣b: __type(name: "B") { fields { type { ...B } } }
          c: __type(name: "C") { ...B }
          3️⃣d: __type(name: "D") { ...D }
          4️⃣e: __type(name: "E") { fields { type { ...C } } }
          f: __type(name: "F") { ...Missing name }
        }
        fragment C on __Type { ...B }
        fragment B on __Type { fields { type { ofType { interfaces { name } } } } }
        fragment A on __Type { fields { type { ...C } } }
        fragment D on __Type { name fields { type { ...D } } }
        """,
      [
        Expected("1️⃣", message), Expected("2️⃣", message), Expected("3️⃣", message),
        Expected("4️⃣", message),
      ])
  }
}
