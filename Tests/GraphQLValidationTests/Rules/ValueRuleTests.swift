import GraphQLSchema
import GraphQLValidation
import Testing

@Suite struct ValueRuleTests {
  @Test func directivesAreDefinedForTheirLocations() {
    expect(
      .knownDirectives, in: "query 1️⃣@tag(label: \"a\") { dog 2️⃣@zebra @tag(label: \"a\") { name } }",
      [
        Expected("1️⃣", "Directive \"@tag\" may not be used on QUERY."),
        Expected("2️⃣", "Unknown directive \"@zebra\".", fixed: "nothing to fix"),
      ])
  }

  @Test func aMisspelledDirectiveIsCorrectedWhereTheSuggestionIsAllowed() {
    expect(
      .knownDirectives, in: "query 1️⃣@tga(label: \"a\") { dog 2️⃣@tga(label: \"a\") { name } }",
      [
        Expected("1️⃣", "Unknown directive \"@tga\".", fixed: "nothing to fix"),
        Expected(
          "2️⃣", "Unknown directive \"@tga\".",
          fixed: "query @tga(label: \"a\") { dog @tag(label: \"a\") { name } }"),
      ])
  }

  @Test func namesOfTwoLettersAreNotCorrected() {
    expect(
      .fieldsOnCorrectType, in: "{ 1️⃣do { name } 2️⃣dgo { name } }",
      schema: .testing("type Query { dog: Query name: Int }"),
      [
        Expected(
          "1️⃣", "Cannot query field \"do\" on type \"Query\". Did you mean \"dog\"?",
          fixed: "nothing to fix"),
        Expected(
          "2️⃣", "Cannot query field \"dgo\" on type \"Query\". Did you mean \"dog\"?",
          fixed: "{ do { name } dog { name } }"),
      ])
  }

  @Test func directivesAreUsedOnceUnlessTheyAreRepeatable() {
    expect(
      .uniqueDirectivesPerLocation,
      in: "{ dog 1️⃣@tag(label: \"a\") @note 2️⃣@tag(label: \"b\") @note @nope @nope { name } }",
      [
        Expected(
          "1️⃣", "The directive \"@tag\" can only be used once at this location.", notes: ["2️⃣"])
      ])
  }

  @Test func argumentsAreDefined() {
    expect(
      .knownArgumentNames, in: "{ pet(1️⃣name: \"a\", limit: 1) @tag(2️⃣x: 1) { name } }",
      [
        Expected(
          "1️⃣", "Unknown argument \"name\" on field \"Query.pet\". Did you mean \"named\"?",
          fixed: "{ pet(named: \"a\", limit: 1) @tag(x: 1) { name } }"),
        Expected("2️⃣", "Unknown argument \"x\" on directive \"@tag\"."),
      ])
  }

  @Test func argumentsAreUnique() {
    expect(
      .uniqueArgumentNames,
      in:
        "{ pet(1️⃣named: \"a\", limit: 1, 2️⃣named: \"b\") { name @tag(3️⃣label: \"a\", 4️⃣label: \"a\") } }",
      [
        Expected("1️⃣", "There can be only one argument named \"named\".", notes: ["2️⃣"]),
        Expected("3️⃣", "There can be only one argument named \"label\".", notes: ["4️⃣"]),
      ])
  }

  @Test func requiredArgumentsAreProvided() {
    expect(
      .providedRequiredArguments, in: "{ 1️⃣pet { name 2️⃣@tag } }",
      [
        Expected(
          "1️⃣",
          "Field \"pet\" argument \"named\" of type \"String!\" is required, but it was not provided."
        ),
        Expected(
          "2️⃣",
          "Directive \"@tag\" argument \"label\" of type \"String!\" is required, but it was not provided."
        ),
      ])
  }

  @Test func inputFieldsAreUnique() {
    expect(
      .uniqueInputFieldNames,
      in: "{ find(filter: {1️⃣name: \"a\", 2️⃣name: \"b\"}, at: {3️⃣x: 1, y: 2, 4️⃣x: 3}) { name } }",
      [
        Expected("1️⃣", "There can be only one input field named \"name\".", notes: ["2️⃣"]),
        Expected("3️⃣", "There can be only one input field named \"x\".", notes: ["4️⃣"]),
      ])
  }

  @Test(arguments: [
    ("named: 1️⃣1", "String cannot represent a non string value: 1"),
    ("named: 1️⃣null", "Expected value of type \"String!\", found null."),
    (
      "named: \"\", limit: 1️⃣2147483648",
      "Int cannot represent non 32-bit signed integer value: 2147483648"
    ),
    ("named: \"\", limit: 1️⃣\"1\"", "Int cannot represent non-integer value: \"1\""),
    ("named: \"\", limit: 1️⃣[1]", "Int cannot represent non-integer value: [1]"),
    ("named: \"\", limit: 1️⃣{a: 1}", "Int cannot represent non-integer value: {a: 1}"),
  ])
  func scalarLiteralsHaveTheExpectedType(arguments: String, message: String) {
    expect(
      .valuesOfCorrectType, in: "{ pet(\(arguments)) { name } }", [Expected("1️⃣", message)])
  }

  @Test(arguments: [
    (
      "color: 1️⃣GREE",
      "Value \"GREE\" does not exist in \"Color\" enum. Did you mean the enum value \"GREEN\" or \"RED\"?"
    ),
    (
      "color: 1️⃣\"RED\"",
      "Enum \"Color\" cannot represent non-enum value: \"RED\". Did you mean the enum value \"RED\" or \"GREEN\"?"
    ),
    ("color: 1️⃣1", "Enum \"Color\" cannot represent non-enum value: 1."),
    ("filter: 1️⃣{}", "Field \"Filter.name\" of required type \"String!\" was not provided."),
    ("filter: 1️⃣3", "Expected value of type \"Filter\", found 3."),
    (
      "filter: {name: \"\", 1️⃣colr: RED}",
      "Field \"colr\" is not defined by type \"Filter\". Did you mean \"color\" or \"old\"?"
    ),
    ("filter: {name: \"\", nested: {name: 1️⃣2}}", "String cannot represent a non string value: 2"),
    ("by: 1️⃣{}", "OneOf Input Object \"Choice\" must specify exactly one key."),
    ("by: 1️⃣{id: 1, name: \"\"}", "OneOf Input Object \"Choice\" must specify exactly one key."),
    ("by: 1️⃣{id: null}", "Field \"Choice.id\" must be non-null."),
    ("tags: [\"a\", 1️⃣null]", "Expected value of type \"String!\", found null."),
  ])
  func enumListAndObjectLiteralsHaveTheExpectedType(arguments: String, message: String) {
    expect(
      .valuesOfCorrectType, in: "{ find(\(arguments)) { name } }", [Expected("1️⃣", message)])
  }

  @Test(arguments: [
    "filter: {name: \"a\", color: RED, nested: null}", "filter: $unknown", "tags: \"one\"",
    "at: {x: [1, \"a\", {y: null}]}", "by: {id: 5}", "by: {name: \"a\"}", "color: null",
  ])
  func acceptsCoercibleLiterals(arguments: String) {
    expect(.valuesOfCorrectType, in: "{ find(\(arguments)) { name } }", [])
  }

  @Test func defaultValuesHaveTheTypeOfTheirVariable() {
    expect(
      .valuesOfCorrectType,
      in: "query A($a: Int = 1️⃣\"a\", $b: [Color!] = [RED, 2️⃣BLUE]) { dog { name } }",
      [
        Expected("1️⃣", "Int cannot represent non-integer value: \"a\""),
        Expected("2️⃣", "Value \"BLUE\" does not exist in \"Color\" enum."),
      ])
  }
}
