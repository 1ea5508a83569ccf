import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Directives for the generator, which a schema can define but need not.
@Suite struct ClientDirectivesTests {
  private static let schema = """
    type Query { hero: Hero "A description of \\"directives\\": [" directives: [Int!] name: String }
    type Hero @typePolicy(keyFields: "id") { id: ID! name: String }
    """
  private static let definitions = """
    directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE
    directive @defer(label: String, if: Boolean! = true, "of nobody: \\" }" name: Int) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    """
  private let operations =
    "query Hero { hero { id ... @defer(label: \"rest\") { name } } directives name }"

  /// Other tools do not look for such a cycle, so published schemas have it.
  @Test func aDirectiveOnTheScalarOfItsArgumentIsAWarning() throws {
    let project = try GeneratedProject(
      schema: "directive @foo(arg: S) on SCALAR scalar S extend scalar S @foo type Query { a: S }",
      operations: "query Q { a }")
    #expect(project.report.operationCount == 1)
    #expect(project.warnings.contains("warning: Directive \"@foo\" cannot reference itself."))
  }

  @Test(arguments: ["", definitions])
  func mayBeDefinedInTheSchema(definitions: String) throws {
    let project = try GeneratedProject(
      schema: Self.schema + definitions, operations: operations)
    #expect(project.report.operationCount == 1)
  }

  @Test(arguments: ["", definitions])
  func mayBeDefinedInAnIntrospection(definitions: String) throws {
    let source = Source(name: "schema.graphqls", text: Self.schema + definitions)
    let schema = Schema.build(
      [.sdl(source)], options: SchemaOptions(severities: ["KnownDirectives": .warning]))
    let project = try GeneratedProject(
      schema: schema.schema.introspection(), operations: operations)
    #expect(project.report.operationCount == 1)
  }

  @Test(arguments: ["a; import b", "a\\nimport b", "", "A.", "class", "_", "1a", "A-B"])
  func rejectsImportsThatAreNotModuleNames(_ module: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: "type Query { a: Int }", operations: "query Q @import(module: \"\(module)\") { a }")
    }
    let messages = error?.messages ?? ""
    #expect(
      messages.hasPrefix("operations.graphql:1:25: error: '")
        && messages.contains("[ImportedModules]"),
      "\(messages)")
  }
}
