import Testing

/// The names of type cases, which are those of Apollo iOS.
@Suite struct TypeCaseNameTests {
  private static let schema = """
    type Query { hero: Hero }
    interface Hero { name: String, friend: Hero }
    type Droid implements Hero { name: String, friend: Hero, model: String }
    """

  @Test func haveTheKindsOfTypesWithReservedNames() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { save: Result }
        union Result = Type | Saved
        interface Error { message: String }
        type Type implements Error { message: String }
        type Saved { id: Int }
        """,
      operations: """
        query Q { save { ... on Error { message } ... on Type { message } ... on Saved { id } } }
        """)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    for name in ["Error_Interface", "Type_Object", "Saved"] {
      #expect(code.contains("var as\(name): As\(name)?"), "\(code)")
    }
  }

  @Test func listConditionsInTheOrderOfTheDirectives() throws {
    let project = try GeneratedProject(
      schema: Self.schema,
      operations: """
        query Q($a: Boolean!, $b: Boolean!) {
          hero {
            ... on Droid @skip(if: $b) @include(if: $a) { model }
            ...Parts @include(if: $a) @skip(if: $b)
            friend { __typename }
            friend @skip(if: $b) @include(if: $a) { name }
          }
        }
        fragment Parts on Hero { name }
        """)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var asDroidIfNotBAndA: AsDroidIfNotBAndA?"), "\(code)")
    #expect(code.contains("var ifAAndNotB: IfAAndNotB?"), "\(code)")
    #expect(code.contains("var ifNotBAndA: IfNotBAndA?"), "The object of 'friend' has it: \(code)")
  }

  /// The order of the directives of a field has no meaning.
  @Test func fieldsUnderTheSameConditionsAreOne() throws {
    let project = try GeneratedProject(
      schema: Self.schema,
      operations: """
        query Q($a: Boolean!, $b: Boolean!) {
          hero @skip(if: $b) @include(if: $a) { name }
          hero @include(if: $a) @skip(if: $b) { friend { name } }
        }
        """)
    let code = try project.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var hero: Hero?") && !code.contains("var if"), "\(code)")
  }
}
