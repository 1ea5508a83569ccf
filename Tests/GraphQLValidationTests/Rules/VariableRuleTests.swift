import CorpusSupport
import GraphQLSchema
import GraphQLValidation
import Testing

@Suite struct VariableRuleTests {
  @Test func variableNamesAreUnique() {
    expect(
      .uniqueVariableNames, in: "query A($1️⃣a: Int, $2️⃣a: Int, $b: Int, $3️⃣a: Int) { dog { name } }",
      [Expected("1️⃣", "There can be only one variable named \"$a\".", notes: ["2️⃣", "3️⃣"])])
  }

  @Test func variablesHaveInputTypes() {
    expect(
      .variablesAreInputTypes,
      in: "query A($a: 1️⃣[Dog!]!, $b: [Filter], $c: Color) { dog { name } }",
      [Expected("1️⃣", "Variable \"$a\" cannot be non-input type \"[Dog!]!\".")])
  }

  @Test func usedVariablesAreDefinedInEveryOperationThatReachesThem() {
    expect(
      .noUndefinedVariables,
      in: """
        1️⃣query A($a: String!) { pet(named: $a, limit: 2️⃣$b) { name } }
        3️⃣{ ...F }
        fragment F on Query { ...G }
        fragment G on Query { pet(named: 4️⃣$a) { name } }
        """,
      [
        Expected("2️⃣", "Variable \"$b\" is not defined by operation \"A\".", notes: ["1️⃣"]),
        Expected("4️⃣", "Variable \"$a\" is not defined.", notes: ["3️⃣"]),
      ])
  }

  @Test func definedVariablesAreUsed() {
    expect(
      .noUnusedVariables,
      in: """
        query A(1️⃣$a: String!, $b: Int, 2️⃣$c: Int) { ...F }
        query (3️⃣$a: Int) { dog { name } }
        fragment F on Query { pet(named: "a", limit: $b) { name } }
        """,
      [
        Expected(
          "1️⃣", "Variable \"$a\" is never used in operation \"A\".",
          fixed: """
            query A($b: Int, $c: Int) { ...F }
            query ($a: Int) { dog { name } }
            fragment F on Query { pet(named: "a", limit: $b) { name } }
            """),
        Expected(
          "2️⃣", "Variable \"$c\" is never used in operation \"A\".",
          fixed: """
            query A($a: String!, $b: Int) { ...F }
            query ($a: Int) { dog { name } }
            fragment F on Query { pet(named: "a", limit: $b) { name } }
            """),
        Expected(
          "3️⃣", "Variable \"$a\" is never used.",
          fixed: """
            query A($a: String!, $b: Int, $c: Int) { ...F }
            query  { dog { name } }
            fragment F on Query { pet(named: "a", limit: $b) { name } }
            """),
      ])
  }

  @Test(
    arguments: [
      (
        """
        query A(# all
          1️⃣$a: Int, # a
          $b: Int # b
        ) { old(x: $b) }
        """,
        """
        query A(# all
          # a
          $b: Int # b
        ) { old(x: $b) }
        """
      ),
      (
        """
        query A($b: Int, # b
          # a
          1️⃣$a # is "#"
          : String = "#" @note(text: "#") # c
        ) { old(x: $b) }
        """,
        """
        query A($b: Int, # b
          # a
          # is "#"
           # c
        ) { old(x: $b) }
        """
      ),
      (
        """
        "A (b) # c" query A # d (
          ( # e
          1️⃣$a: Int # f )
        ,) { old }
        """,
        """
        "A (b) # c" query A # d (
          # e
          # f )
         { old }
        """
      ),
      ("query A(1️⃣$a: Int,) { old }", "query A { old }"),
    ])
  func removingVariablesKeepsComments(before: String, after: String) {
    let text = before.replacing("old(x: $b)", with: "find(tags: $b) { name }")
    expect(
      .noUnusedVariables, in: text,
      [
        Expected(
          "1️⃣", "Variable \"$a\" is never used in operation \"A\".",
          fixed: after.replacing("old(x: $b)", with: "find(tags: $b) { name }"))
      ])
  }

  /// The unknown name can be a misspelling of the variable's, or of a fragment that uses it.
  @Test(arguments: [
    "pet(named: $nmae) { name }", "dog { ...Missing }", "...F } fragment F on Query { ...Missing",
    "...F } fragment F on Query { pet(named: $nmae) { name }",
  ])
  func noVariableIsRemovedWhileANameIsUnknown(_ selections: String) {
    expect(
      .noUnusedVariables, in: "query A(1️⃣$name: String!) { \(selections) }",
      [
        Expected(
          "1️⃣", "Variable \"$name\" is never used in operation \"A\".", fixed: "nothing to fix")
      ])
  }

  @Test func variablesHaveTypesThatTheirPositionsAccept() {
    expect(
      .variablesInAllowedPosition,
      in: """
        query A(1️⃣$a: String, $b: Int, 2️⃣$c: [String], $d: String = "x") {
          pet(named: 3️⃣$a, limit: $b) { name }
          other: pet(named: $d) { name }
          find(tags: 4️⃣$c) { name }
        }
        """,
      [
        Expected(
          "1️⃣", "Variable \"$a\" of type \"String\" used in position expecting type \"String!\".",
          notes: ["3️⃣"],
          fixed: """
            query A($a: String!, $b: Int, $c: [String], $d: String = "x") {
              pet(named: $a, limit: $b) { name }
              other: pet(named: $d) { name }
              find(tags: $c) { name }
            }
            """),
        Expected(
          "2️⃣",
          "Variable \"$c\" of type \"[String]\" used in position expecting type \"[String!]\".",
          notes: ["4️⃣"], fixed: "nothing to fix"),
      ])
  }

  /// The type would not accept its own default value.
  @Test(arguments: [
    ("pet(named: 2️⃣$a) { name }", "of type \"String\" used in position expecting type \"String!\"."),
    (
      "find(by: {name: 2️⃣$a}) { name }",
      "is of type \"String\" but must be non-nullable to be used for OneOf Input Object \"Choice\"."
    ),
  ])
  func aVariableWithTheDefaultNullDoesNotBecomeNonNull(_ selection: String, _ problem: String) {
    expect(
      .variablesInAllowedPosition, in: "query A(1️⃣$a: String = null) { \(selection) }",
      [Expected("1️⃣", "Variable \"$a\" \(problem)", notes: ["2️⃣"], fixed: "nothing to fix")])
  }

  @Test func variablesInOneOfObjectsAreNonNull() {
    expect(
      .variablesInAllowedPosition,
      in:
        "query A(1️⃣$a: ID, $b: ID!) { find(by: {id: 2️⃣$a}) { name } x: find(by: {id: $b}) { name } }",
      [
        Expected(
          "1️⃣",
          "Variable \"$a\" is of type \"ID\" but must be non-nullable to be used for OneOf Input Object "
            + "\"Choice\".",
          notes: ["2️⃣"],
          fixed:
            "query A($a: ID!, $b: ID!) { find(by: {id: $a}) { name } x: find(by: {id: $b}) { name } }"
        )
      ])
  }

  /// Tests more kinds of usages than there are bits in a word, in a chain of fragments.
  @Test(arguments: [1, 63, 64, 65, 200])
  func findsVariablesInManyFragments(count: Int) {
    let variables = (0..<count).map { "$v\($0): String!" }.joined(separator: " ")
    let fragments = (0..<count).map { number in
      "fragment F\(number) on Query { a\(number): pet(named: $v\(number)) { name } ...F\(number + 1) }"
    }
    let last = "fragment F\(count) on Query { b: pet(named: $undefined) { name } }"
    let document = """
      query All(\(variables)) { ...F0 }
      query Few($v0: String!, $unused: Int) { ...F0 }
      \(fragments.joined(separator: "\n"))
      \(last)
      """
    let found = errors(
      in: document, against: .pets,
      ValidationConfiguration.only(.noUndefinedVariables, .noUnusedVariables))
    let messages = Set(found.map(\.message))
    var expected = Set(
      (1..<max(1, count)).map { #"Variable "$v\#($0)" is not defined by operation "Few"."# })
    expected.insert(#"Variable "$undefined" is not defined by operation "All"."#)
    expected.insert(#"Variable "$undefined" is not defined by operation "Few"."#)
    expected.insert(#"Variable "$unused" is never used in operation "Few"."#)
    #expect(messages == expected)
    #expect(found.count == expected.count)
  }
}
