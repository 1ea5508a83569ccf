import ApolloIR
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The size of programs, which grows in proportion to the documents.
@Suite struct LadderTests {
  private static let schema = """
    type Query { animal: Animal! }
    interface Animal { a: Int, b: Int, next: Animal! }
    interface Pet { p: Int }
    type Dog implements Animal & Pet { a: Int, b: Int, next: Animal!, p: Int, d: Int }
    type Cat implements Animal & Pet { a: Int, b: Int, next: Animal!, p: Int, c: Int }
    """

  /// Returns a ladder of fragments, each with type cases and two paths to the next one.
  private static func ladder(_ count: Int) -> String {
    let rungs = (0..<count).map { index in
      """
      fragment F\(index) on Animal { a\(index): a ... on Dog { d\(index): d ...F\(index + 1) }
        ... on Pet { p\(index): p } ...F\(index + 1) next { b\(index): b ...F\(index + 1) } }
      """
    }
    return "query Q { animal { ...F0 } }\n" + rungs.joined(separator: "\n")
      + "\nfragment F\(count) on Animal { b }"
  }

  /// Returns a lattice: every fragment spreads two fragments of the next level, which both spread
  /// both of the level after it.
  private static func lattice(_ count: Int) -> String {
    let levels = (0..<count).map { index in
      """
      fragment L\(index) on Animal { l\(index): a next { ...L\(index + 1) ...R\(index + 1) } }
      fragment R\(index) on Animal { r\(index): a next { ...L\(index + 1) ...R\(index + 1) } }
      """
    }
    return "query Q { animal { ...L0 ...R0 } }\n" + levels.joined(separator: "\n")
      + "\nfragment L\(count) on Animal { b } fragment R\(count) on Animal { b }"
  }

  /// Returns the number of accessors, type cases and fragment conversions in the models of a
  /// program.
  private static func size(of text: String) throws -> Int {
    let schema = Schema.build([.sdl(Source(name: "schema", text: Self.schema))]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    #expect(document.parse(Source(name: "operations", text: text)).isEmpty)
    let rules = ValidationConfiguration(severities: [.overlappingFieldsCanBeMerged: .off])
    let result = validate(document, against: schema, configuration: rules)
    let program = lower(try #require(result.document, "\(result.diagnostics)"))
    let listed = program.definitions.reduce(0) { $0 + $1.fragments.count }
    return listed
      + program.selectionSets.reduce(0) {
        $0 + $1.selections.count + $1.mergedFields.count + $1.cases.count + $1.fragments.count
      }
  }

  /// Returns a chain: every fragment uses all that follow.
  private static func chain(_ count: Int) -> String {
    let links = (0..<count).map { "fragment F\($0) on Animal { a next { b } ...F\($0 + 1) }" }
    return "query Q { animal { ...F0 } }\n" + links.joined(separator: "\n")
      + "\nfragment F\(count) on Animal { b }"
  }

  @Test(arguments: [ladder, lattice, chain])
  func growsInProportionToTheInput(_ make: @Sendable (Int) -> String) throws {
    let sizes = try [10, 20, 30, 40].map { try Self.size(of: make($0)) }
    let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
    // Ten more rungs always have the same cost.
    #expect(Set(steps).count == 1, "\(sizes)")
  }
}
