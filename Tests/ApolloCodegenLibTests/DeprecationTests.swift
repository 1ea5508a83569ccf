import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// Deprecations of a schema: attributes on generated declarations, and diagnostics for uses in
/// operations.
@Suite struct DeprecationTests {
  private static let schema = """
    type Query { hero(episode: Episode, old: Int @deprecated(reason: "Use \\"episode\\".")): String, find(by: Filter): Int }
    enum Episode { JEDI EMPIRE @deprecated }
    input Filter { name: String, first: Int @deprecated(reason: "Use limit."), limit: Int }
    input Old { a: Int @deprecated, b: Int @deprecated }
    extend type Query { old(by: Old): Int @deprecated }
    """
  private static let operations = """
    query Q($by: Filter = { first: 1 }, $old: Old) { hero(episode: EMPIRE, old: 1) find(by: $by) old(by: $old) }
    """

  private func project(_ options: String = "") throws -> GeneratedProject {
    try GeneratedProject(schema: Self.schema, operations: Self.operations, configuration: options)
  }

  @Test func warnsOfDeprecatedInputsWhereTheyAreSent() throws {
    #expect(
      try project().warnings == """
        operations.graphql:1:25: warning: The input field Filter.first is deprecated. Use limit. [NoDeprecatedInputs]
        operations.graphql:1:64: warning: The enum value "Episode.EMPIRE" is deprecated. No longer supported [NoDeprecatedInputs]
        operations.graphql:1:72: warning: Field "Query.hero" argument "old" is deprecated. Use "episode". [NoDeprecatedInputs]

        """)
  }

  @Test(arguments: [
    #""options": { "warningsOnDeprecatedUsage": "exclude" }"#,
    #""ruleSeverities": { "NoDeprecatedInputs": "off" }"#,
  ])
  func omitsWarningsOnRequest(_ member: String) throws {
    #expect(try project(member).warnings.isEmpty)
  }

  @Test func reportsEachDeprecationOnce() throws {
    let warnings = try project(#""ruleSeverities": { "NoDeprecated": "warning" }"#).warnings
    #expect(warnings.split(separator: "\n").count == 4, "\(warnings)")
    #expect(!warnings.contains("NoDeprecatedInputs"))
  }

  @Test func inputObjectsHaveAnInitializerWithoutDeprecatedFields() throws {
    let text = try project().text(of: "out/Schema/InputObjects/Filter.graphql.swift")
    #expect(
      text.contains(
        """
          public init(name: GraphQLNullable<String> = nil, limit: GraphQLNullable<Int> = nil) {
            self.name = name
            self._first = nil
            self.limit = limit
          }

          @available(*, deprecated, message: "Argument 'first' is deprecated.")
          public init(
        """), "\(text)")
    let old = try project().text(of: "out/Schema/InputObjects/Old.graphql.swift")
    #expect(old.contains("Arguments 'a', 'b' are deprecated.") && old.contains("public init() {"))
  }

  /// An object has a member `__data`, and a deprecated field is stored behind an underscore.
  @Test func aDeprecatedFieldIsStoredUnderANameOfItsOwn() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { find(by: Filter): Int }
        input Filter { _data: Int @deprecated, limit: Int }
        """, operations: "query Q($by: Filter) { find(by: $by) }")
    let text = try project.text(of: "out/Schema/InputObjects/Filter.graphql.swift")
    #expect(text.split(separator: "var _data: ").count == 2, "\(text)")
    #expect(text.split(separator: "var __data: ").count == 2, "\(text)")
  }

  @Test func inputObjectsHaveOneInitializerWithoutWarnings() throws {
    let project = try project(#""options": { "warningsOnDeprecatedUsage": "exclude" }"#)
    let text = try project.text(of: "out/Schema/InputObjects/Filter.graphql.swift")
    #expect(text.split(separator: "init(").count == 2 && !text.contains("deprecated"), "\(text)")
  }

  /// The server applies a default that names a deprecated field, because the initializer would warn
  /// in generated code.
  @Test func generatedCodeDoesNotUseDeprecatedFields() throws {
    let text = try project().text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(text.contains("by: GraphQLNullable<Filter> = nil"), "\(text)")
  }
}
