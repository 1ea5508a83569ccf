import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

@Suite struct BuildingTests {
  @Test func everySchemaHasTheBuiltInTypesAndDirectives() throws {
    let schema = Schema.build([.sdl("test", "type Query { a: Int }")]).schema
    for name in ["Int", "Float", "String", "Boolean", "ID", "__Schema", "__DirectiveLocation"] {
      let type = try #require(schema.type(named: name))
      #expect(schema[type].isBuiltIn)
    }
    #expect(schema.type(named: "__MetaFields") == nil)
    for name: Symbol in [.skip, .include, .deprecated, .specifiedBy, .oneOf] {
      #expect(schema.directive(named: name) != nil)
    }
  }

  @Test func metaFieldsBelongToCompositeTypesAndTheQueryRoot() throws {
    let schema = Schema.build([
      .sdl("test", "type Query { a: A } type A { a: Int } union U = A enum E { V }")
    ]).schema
    let query = try #require(schema.rootType(.query))
    let object = try #require(schema.type(named: "A"))
    let union = try #require(schema.type(named: "U"))
    let `enum` = try #require(schema.type(named: "E"))
    #expect(schema.field(.introspectionSchemaField, of: query) != nil)
    #expect(schema.field(.introspectionSchemaField, of: object) == nil)
    #expect(schema.field(.typename, of: object) != nil)
    #expect(schema.field(.typename, of: union) != nil)
    #expect(schema.field(.typename, of: `enum`) == nil)
    let type = try #require(schema.field(.introspectionTypeField, of: query))
    #expect(schema[schema[type].arguments].map { schema.spelling($0.type) } == ["String!"])
  }

  @Test func possibleTypesComeFromInterfacesAndUnions() throws {
    let schema = Schema.build([
      .sdl(
        "test",
        """
        type Query { a: Int }
        interface I { a: Int }
        interface J implements I { a: Int }
        type A implements I & J { a: Int }
        type B implements I { a: Int }
        type C { a: Int }
        union U = C | A
        """)
    ]).schema
    let id = { (name: String) in try #require(schema.type(named: name)) }
    let (i, j, a, b, c, u) = try (id("I"), id("J"), id("A"), id("B"), id("C"), id("U"))
    #expect(Array(schema.possibleTypes(of: i)) == [a, b])
    #expect(Array(schema.possibleTypes(of: u)) == [a, c])
    #expect(schema.isPossibleType(a, of: j) && !schema.isPossibleType(b, of: j))
    #expect(schema.isSubtype(j, of: i) && !schema.isSubtype(i, of: j))
    #expect(schema.isSubtype(c, of: u) && !schema.isSubtype(u, of: c))
    #expect(
      schema.doTypesOverlap(i, u) && schema.doTypesOverlap(j, u) && schema.doTypesOverlap(u, a))
    #expect(!schema.doTypesOverlap(b, u) && !schema.doTypesOverlap(b, a))
  }

  @Test func findsPossibleTypesOfSparseInterfaces() throws {
    let objects = (0..<3000).map { index in
      let isMember = index == 0 || index == 1500 || index == 2999
      return "type T\(index) \(isMember ? "implements I" : "") { a: Int }"
    }
    let text = "type Query { a: I } interface I { a: Int } \(objects.joined(separator: "\n"))"
    let schema = Schema.build([.sdl("test", text)]).schema
    let interface = try #require(schema.type(named: "I"))
    #expect(
      schema.possibleTypes(of: interface).map { schema.name(of: $0) } == ["T0", "T1500", "T2999"])
    for (name, isMember) in [("T0", true), ("T1", false), ("T1500", true), ("T2999", true)] {
      let object = try #require(schema.type(named: name))
      #expect(schema.isPossibleType(object, of: interface) == isMember)
    }
  }

  @Test func extensionsExtendIntrospectedTypes() {
    let base = Schema.build([.sdl("base", "type Query { a: A } type A { id: ID }")]).schema
    let result = Schema.build([
      .sdl(
        "extensions",
        """
        extend type A @key(fields: "id") { local: Int }
        extend type A { id: ID }
        directive @key(fields: String!) on OBJECT
        """),
      .introspection(Source(name: "schema.json", text: base.introspection(isWrapped: true))),
    ])
    #expect(
      result.diagnostics.map(\.message) == [
        "Field \"A.id\" already exists in the schema. "
          + "It cannot also be defined in this type extension."
      ])
    #expect(result.schema.printed().contains("type A {\n  id: ID\n  local: Int\n}"))
    let directives = result.schema.type(named: "A").map { result.schema.directives(of: $0) } ?? []
    #expect(directives.map { result.schema.spelling($0.name.symbol) } == ["key"])
  }

  @Test func violationsCanBeWarnings() {
    let text = "type Query { a: Int a: Int b: Nope }"
    let options = SchemaOptions(severities: [
      "UniqueFieldDefinitionNames": .warning, "KnownTypeNames": .warning,
    ])
    let result = Schema.build([.sdl("test", text)], options: options)
    #expect(result.diagnostics.map(\.severity) == [.warning, .warning])
    #expect(result.isUsable)
    #expect(result.schema.printed() == "type Query {\n  a: Int\n}")
  }

  @Test func omitsMembersOfUnknownTypes() throws {
    let arguments = (0..<20).map { "x\($0): \($0 % 2 == 0 ? "Nope" : "Int")" }.joined(
      separator: " ")
    let text = """
      type Query { a: Nope b: Int c(\(arguments)): Int d: Nope }
      input I { a: Nope b: Int c: [Nope!] }
      """
    let options = SchemaOptions(severities: ["KnownTypeNames": .warning])
    let result = Schema.build([.sdl("test", text)], options: options)
    let schema = result.schema
    #expect(result.isUsable)
    let symbol = { (name: String) in try #require(schema.names.symbol(for: name)) }
    let query = try #require(schema.rootType(.query))
    let input = try #require(schema.type(named: "I"))
    for (name, isKept) in [("a", false), ("b", true), ("c", true), ("d", false)] {
      let field = try schema.field(symbol(name), of: query)
      #expect(field.map { schema.coordinate(of: $0) } == (isKept ? "Query.\(name)" : nil))
    }
    for (name, isKept) in [("a", false), ("b", true), ("c", false)] {
      let field = try schema.inputField(symbol(name), of: input)
      #expect(field.map { schema.coordinate(of: $0) } == (isKept ? "I.\(name)" : nil))
    }
    let field = try #require(try schema.field(symbol("c"), of: query))
    for index in 0..<20 {
      let argument = try schema.argument(symbol("x\(index)"), in: schema[field].arguments)
      #expect((argument != nil) == (index % 2 == 1))
    }
  }

  @Test func usesTheLastOfRepeatedDefinitions() {
    let text = """
      type Query { a: Int } type Query { b: Int }
      directive @d on FIELD directive @d(x: Int) on QUERY
      """
    let options = SchemaOptions(severities: [
      "UniqueTypeNames": .warning, "UniqueDirectiveNames": .warning,
    ])
    let result = Schema.build([.sdl("test", text)], options: options)
    #expect(result.isUsable)
    #expect(
      result.schema.printed() == """
        directive @d(x: Int) on QUERY

        type Query {
          b: Int
        }
        """)
    #expect(result.schema.changes(since: result.schema).isEmpty)
  }

  @Test func reportsRepeatedMembersOfUnknownTypes() {
    let text = """
      type Query { a: Nope a: Int b: Int b: Nope c(x: Nope, x: Int): Int }
      input I { a: Nope a: Int }
      """
    let found = Schema.build([.sdl("test", text)]).diagnostics.map(\.message)
    #expect(
      found.filter { $0.contains("can only be defined once") } == [
        "Field \"Query.a\" can only be defined once.",
        "Field \"Query.b\" can only be defined once.",
        "Argument \"Query.c(x:)\" can only be defined once.",
        "Field \"I.a\" can only be defined once.",
      ])
  }

  @Test func reportsOnlySyntaxErrorsIfThereAreAny() {
    let text = "type Query { a: A b: B } type A { a: ! } type B { b: Int "
    let result = Schema.build([.sdl("test", text)])
    #expect(result.diagnostics.map(\.rule) == [.syntax, .syntax])
  }

  @Test func findsArgumentsInLongLists() throws {
    let names = (0..<50).map { "a\($0)" }
    let arguments = names.map { "\($0): Int" }.joined(separator: " ")
    let schema = Schema.build([.sdl("test", "type Query { a(\(arguments)): Int }")]).schema
    let query = try #require(schema.rootType(.query))
    let field = try #require(schema[query].fields.first)
    for name in names {
      let symbol = try #require(schema.names.symbol(for: name))
      let argument = try #require(schema.argument(symbol, in: schema[field].arguments))
      #expect(schema.coordinate(of: argument) == "Query.a(\(name):)")
    }
    #expect(schema.argument(.name, in: schema[field].arguments) == nil)
  }
}
