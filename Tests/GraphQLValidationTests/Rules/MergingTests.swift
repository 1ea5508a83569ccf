import CorpusSupport
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite struct MergingTests {
  private static let end =
    " Use different aliases on the fields to fetch both if this was intentional."

  @Test func differentFieldsConflict() {
    expect(
      .overlappingFieldsCanBeMerged, in: "{ dog { 1️⃣a: name 2️⃣a: barkVolume } }",
      [
        Expected(
          "1️⃣",
          "Fields \"a\" conflict because \"name\" and \"barkVolume\" are different fields."
            + Self.end,
          notes: ["2️⃣"])
      ])
  }

  @Test func differingArgumentsConflict() {
    expect(
      .overlappingFieldsCanBeMerged,
      in: "{ 1️⃣pet(named: \"a\") { name } 2️⃣pet(named: \"b\") { name } }",
      [
        Expected(
          "1️⃣", "Fields \"pet\" conflict because they have differing arguments." + Self.end,
          notes: ["2️⃣"])
      ])
  }

  @Test func fieldsOfDifferentObjectsMayDifferButNotInShape() {
    expect(
      .overlappingFieldsCanBeMerged,
      in: """
        { catOrDog {
          ... on Dog { a: name 1️⃣b: barkVolume }
          ... on Cat { a: name 2️⃣b: meowVolume }
        } }
        """,
      [
        Expected(
          "1️⃣",
          "Fields \"b\" conflict because they return conflicting types \"Int\" and \"Float\"."
            + Self.end,
          notes: ["2️⃣"])
      ])
  }

  @Test func nestedConflictsAreReportedWithTheirPath() {
    expect(
      .overlappingFieldsCanBeMerged,
      in: """
        { 1️⃣dog { ...F } 2️⃣dog { 3️⃣owner { 4️⃣a: name } } }
        fragment F on Dog { 5️⃣owner { ...G } }
        fragment G on Human { 6️⃣a: pets { name } }
        """,
      [
        Expected(
          "1️⃣",
          "Fields \"dog\" conflict because subfields \"owner\" conflict because subfields \"a\" conflict "
            + "because \"name\" and \"pets\" are different fields." + Self.end,
          notes: ["3️⃣", "4️⃣", "2️⃣", "5️⃣", "6️⃣"])
      ])
  }

  @Test(arguments: [
    "{ dog { name name ...F } } fragment F on Dog { name ... on Pet { name } }",
    "{ find(filter: {name: \"a\", color: RED}) { name } find(filter: {color: RED, name: \"a\"}) { name } }",
    "{ dog { ...F } dog { ...F owner { name } } } fragment F on Dog { owner { name } }",
  ])
  func equalFieldsCanBeMerged(text: String) {
    expect(.overlappingFieldsCanBeMerged, in: text, [])
  }
}

/// Validates documents for which a comparison of all pairs of fields would take hours.
@Suite(.timeLimit(.minutes(10))) struct HardDocumentTests {
  private static let schema = Schema.testing("type Query { a: Query b: Query f(x: Int): Int }")

  private static func lattice(_ depth: Int) -> String {
    let fragments = (1...depth).map {
      "fragment F\($0) on Query { a { ...F\($0 - 1) } a { ...F\($0 - 1) } b { ...F\($0 - 1) } }"
    }
    return "{ ...F\(depth) } fragment F0 on Query { f }" + fragments.joined()
  }

  private static func chain(_ length: Int, isReversed: Bool) -> String {
    let fragments = (0..<length).map { "fragment F\($0) on Query { a { f } a { ...F\($0 + 1) } }" }
    return "{ ...F0 } fragment F\(length) on Query { f }"
      + (isReversed ? fragments.reversed() : fragments).joined()
  }

  @Test(arguments: [
    "{" + String(repeating: " f", count: 10_000) + "}",
    "{" + String(repeating: " a { f }", count: 10_000) + "}",
    "{" + (0..<100_000).map { " x\($0): f" }.joined() + "}",
    "{"
      + String(
        repeating: " ... on Query {" + String(repeating: " a { f }", count: 200) + "}", count: 200)
      + "}",
    lattice(40),
    chain(10_000, isReversed: false),
    chain(10_000, isReversed: true),
  ])
  func acceptsValidDocumentsOfAnySize(text: String) {
    #expect(errors(in: text, against: Self.schema, ValidationConfiguration()).isEmpty)
  }

  @Test func conflictsAreReportedUpToALimit() {
    let text = "{" + (0..<10_000).map { " f(x: \($0))" }.joined() + "}"
    let found = errors(in: text, against: Self.schema, ValidationConfiguration())
    #expect(found.count == 1000)
    #expect(found.allSatisfy { $0.rule == "OverlappingFieldsCanBeMerged" })
  }

  @Test func conflictsBeyondTheDepthLimitAreReportedAtTheirFields() {
    let spine = (0..<1000).map {
      "fragment F\($0) on Query { a { ...F\($0 + 1) } a { ...G\($0 + 1) } }"
    }
    let other = (0..<1000).map { "fragment G\($0) on Query { a { ...G\($0 + 1) } }" }
    let text =
      "{ ...F0 ...G0 } fragment F1000 on Query { x: f } fragment G1000 on Query { x: a { f } }"
      + (spine + other).joined()
    let found = errors(in: text, against: Self.schema, ValidationConfiguration())
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.rule == "OverlappingFieldsCanBeMerged" })
  }

  @Test func longCyclesAreReportedWithoutRecursion() {
    let fragments = (0..<10_000).map { "fragment F\($0) on Query { f ...F\(($0 + 1) % 10_000) }" }
    let found = errors(
      in: "{ ...F0 }" + fragments.joined(), against: Self.schema, ValidationConfiguration())
    #expect(found.count == 1)
    #expect(found.first?.locations.count == 10_000)
  }

  @Test func deepSelectionsAreValidated() {
    let depth = 490
    let text =
      "{" + String(repeating: " a {", count: depth) + " f " + String(repeating: "}", count: depth)
      + "}"
    #expect(errors(in: text, against: Self.schema, ValidationConfiguration()).isEmpty)
  }
}
