import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Runs the examples in the documentation of the module.
@Suite struct DocumentationExampleTests {
  @Test func walksTheFieldsOfTheQueryType() throws {
    let source = Source(name: "schema.graphqls", text: "type Query { hero(id: ID!): String }")
    let schema = Schema.build([.sdl(source)]).schema
    let query = try #require(schema.rootType(.query))
    let lines = schema[query].fields.map { id in
      "\(schema.spelling(schema[id].name)) \(schema.spelling(schema[id].type))"
    }
    #expect(lines == ["hero String"])
    #expect(schema.printed(order: .name) == "type Query {\n  hero(id: ID!): String\n}")
  }

  @Test func appliesSeverities() {
    let sdl = "interface I { a: Int } type Query implements I { b: Int }"
    let source = Source(name: "schema.graphqls", text: sdl)
    #expect(!Schema.build([.sdl(source)]).isUsable)
    let options = SchemaOptions(severities: ["InterfaceImplementations": .warning])
    let result = Schema.build([.sdl(source)], options: options)
    #expect(result.isUsable && result.diagnostics.map(\.severity) == [.warning])
    let silent = SchemaOptions(severities: ["InterfaceImplementations": .off])
    let silenced = Schema.build([.sdl(source)], options: silent)
    #expect(silenced.isUsable && silenced.diagnostics.isEmpty)
  }

  @Test func findsBreakingChanges() {
    let old = Schema.build([.sdl(Source(name: "old", text: "type Query { a: Int b: Int }"))]).schema
    let new = Schema.build([.sdl(Source(name: "new", text: "type Query { a: Int }"))]).schema
    let breaking = new.changes(since: old).filter { $0.criticality == .breaking }
    #expect(
      breaking.map { "\($0.coordinate): \($0.message)" } == [
        "Query.b: Field Query.b was removed."
      ])
  }
}
