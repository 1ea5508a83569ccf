import GraphQLSchema
import GraphQLValidation
import Testing

@Suite struct FragmentRuleTests {
  @Test func typesOfFragmentsAndVariablesExist() {
    expect(
      .knownTypeNames,
      in: """
        query A($a: 1️⃣Colour) { dog { ... on 2️⃣Dgo { name } ...F } }
        fragment F on 3️⃣Zebra { name }
        """,
      [
        Expected("1️⃣", "Unknown type \"Colour\". Did you mean \"Color\"?"),
        Expected("2️⃣", "Unknown type \"Dgo\". Did you mean \"Dog\"?"),
        Expected("3️⃣", "Unknown type \"Zebra\"."),
      ])
  }

  @Test func aBuiltInScalarThatTheSchemaDoesNotUseIsUnknown() {
    expect(
      .knownTypeNames, in: "query A($a: Int, $b: 1️⃣Float, $c: String) { a(b: $a) }",
      schema: Schema.testing("type Query { a(b: Int): ID }"),
      [Expected("1️⃣", "Unknown type \"Float\".")])
  }

  @Test func fragmentsHaveCompositeTypeConditions() {
    expect(
      .fragmentsOnCompositeTypes,
      in: "{ dog { ... on 1️⃣Color { name } ...F } } fragment F on 2️⃣Filter { name }",
      [
        Expected("1️⃣", "Fragment cannot condition on non composite type \"Color\"."),
        Expected("2️⃣", "Fragment \"F\" cannot condition on non composite type \"Filter\"."),
      ])
  }

  @Test func fragmentNamesAreUnique() {
    expect(
      .uniqueFragmentNames,
      in: "{ dog { ...F } } fragment 1️⃣F on Dog { name } fragment 2️⃣F on Dog { barkVolume }",
      [Expected("1️⃣", "There can be only one fragment named \"F\".", notes: ["2️⃣"])])
  }

  @Test func spreadFragmentsAreDefined() {
    expect(
      .knownFragmentNames,
      in: "{ dog { ...1️⃣DogPart ...2️⃣Missing } } fragment DogParts on Dog { name }",
      [
        Expected(
          "1️⃣", "Unknown fragment \"DogPart\".",
          fixed: "{ dog { ...DogParts ...Missing } } fragment DogParts on Dog { name }"),
        Expected("2️⃣", "Unknown fragment \"Missing\".", fixed: "nothing to fix"),
      ])
  }

  @Test func definedFragmentsAreUsed() {
    expect(
      .noUnusedFragments,
      in: """
        { dog { ...A } }
        fragment A on Dog { ...B }
        fragment B on Dog { name }
        1️⃣fragment C on Dog { ...D }
        2️⃣fragment D on Dog { name }
        """,
      [
        Expected(
          "1️⃣", "Fragment \"C\" is never used.",
          fixed: """
            { dog { ...A } }
            fragment A on Dog { ...B }
            fragment B on Dog { name }
            fragment D on Dog { name }
            """),
        Expected("2️⃣", "Fragment \"D\" is never used."),
      ])
  }

  @Test func theLastDefinitionOfADocumentIsNotRemoved() {
    expect(
      .noUnusedFragments, in: "1️⃣fragment A on Dog { name } 2️⃣fragment B on Dog { name }",
      [
        Expected("1️⃣", "Fragment \"A\" is never used.", fixed: "nothing to fix"),
        Expected("2️⃣", "Fragment \"B\" is never used.", fixed: "nothing to fix"),
      ])
  }

  /// The unknown name can be a misspelling of the fragment's.
  @Test(arguments: ["{ dog { ...NamePart } }", "{ dog { ...B } } fragment B on Dog { ...Missing }"])
  func noFragmentIsRemovedWhileASpreadIsUnknown(_ operation: String) {
    expect(
      .noUnusedFragments, in: "\(operation) 1️⃣fragment NameParts on Dog { name }",
      [Expected("1️⃣", "Fragment \"NameParts\" is never used.", fixed: "nothing to fix")])
  }

  @Test func fragmentsAreSpreadWhereTheyCanApply() {
    expect(
      .possibleFragmentSpreads,
      in: """
        { dog { 1️⃣... on Cat { name } 2️⃣...C ... on Pet { name } ... on CatOrDog { __typename } } }
        fragment C on Cat { name }
        """,
      [
        Expected(
          "1️⃣",
          "Fragment cannot be spread here as objects of type \"Dog\" can never be of type \"Cat\"."),
        Expected(
          "2️⃣",
          "Fragment \"C\" cannot be spread here as objects of type \"Dog\" can never be of type \"Cat\"."
        ),
      ])
  }

  @Test func fragmentsDoNotSpreadThemselves() {
    expect(
      .noFragmentCycles,
      in: """
        fragment A on Dog { friends { 1️⃣...B } }
        fragment B on Pet { 2️⃣...C }
        fragment C on Pet { 3️⃣...A }
        fragment D on Dog { 4️⃣...D }
        """,
      [
        Expected(
          "1️⃣", "Cannot spread fragment \"A\" within itself via \"B\", \"C\".", notes: ["2️⃣", "3️⃣"]),
        Expected("4️⃣", "Cannot spread fragment \"D\" within itself."),
      ])
  }
}
