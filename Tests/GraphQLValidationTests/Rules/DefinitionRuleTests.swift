import GraphQLSchema
import GraphQLValidation
import Testing

@Suite struct DefinitionRuleTests {
  @Test func typeSystemDefinitionsAreNotExecutable() {
    expect(
      .executableDefinitions,
      in: """
        { dog { name } }
        1️⃣type Cow { name: String }
        2️⃣extend type Dog { color: String }
        3️⃣schema { query: Query }
        4️⃣directive @a on FIELD
        """,
      [
        Expected("1️⃣", "The \"Cow\" definition is not executable."),
        Expected("2️⃣", "The \"Dog\" definition is not executable."),
        Expected("3️⃣", "The schema definition is not executable."),
        Expected("4️⃣", "The \"a\" definition is not executable."),
      ])
  }

  @Test func operationsNeedARootTypeOfTheirKind() {
    let schema = Schema.testing("type Query { a: Int }")
    expect(
      .knownOperationTypes, in: "{ a } 1️⃣mutation M { a } 2️⃣subscription S { a }", schema: schema,
      [
        Expected("1️⃣", "The mutation operation is not supported by the schema."),
        Expected("2️⃣", "The subscription operation is not supported by the schema."),
      ])
  }

  @Test func operationNamesAreUniqueAcrossTypes() {
    expect(
      .uniqueOperationNames,
      in: """
        query 1️⃣A { dog { name } }
        mutation 2️⃣A { rename(id: 1) { name } }
        query B { dog { name } }
        query 3️⃣A { dog { name } }
        """,
      [
        Expected("1️⃣", "There can be only one operation named \"A\".", notes: ["2️⃣"]),
        Expected("1️⃣", "There can be only one operation named \"A\".", notes: ["3️⃣"]),
      ])
  }

  @Test func anAnonymousOperationIsTheOnlyOperation() {
    let message = "This anonymous operation must be the only defined operation."
    expect(.loneAnonymousOperation, in: "{ dog { ...F } } fragment F on Dog { name }", [])
    expect(
      .loneAnonymousOperation,
      in: "1️⃣{ dog { name } } query A { dog { name } } 2️⃣query { cat { name } }",
      [Expected("1️⃣", message), Expected("2️⃣", message)])
  }

  @Test(arguments: [
    ("subscription S { 2️⃣barked { name } }", []),
    (
      "subscription S { barked { name } 1️⃣meowed { name } ...F } fragment F on Subscription { 2️⃣m: meowed { name } }",
      [Expected("1️⃣", "Subscription \"S\" must select only one top level field.", notes: ["2️⃣"])]
    ),
    (
      "subscription { 1️⃣__typename }",
      [Expected("1️⃣", "Anonymous Subscription must not select an introspection top level field.")]
    ),
    (
      "subscription S($a: Boolean!) { barked 1️⃣@skip(if: $a) { name } ... 2️⃣@include(if: $a) { meowed { name } } }",
      [
        Expected(
          "1️⃣",
          "Subscription \"S\" must not use `@skip` or `@include` directives in the top level selection.",
          notes: ["2️⃣"])
      ]
    ),
    (
      "subscription 1️⃣{ ...F } fragment F on Subscription { ...F }",
      [Expected("1️⃣", "Anonymous Subscription must select one top level field.")]
    ),
  ])
  func aSubscriptionSelectsOneField(text: String, expected: [Expected]) {
    expect(.singleFieldSubscriptions, in: text, expected)
  }
}
