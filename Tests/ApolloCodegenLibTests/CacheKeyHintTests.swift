import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The hint at lists of objects without a cache key.
@Suite struct CacheKeyHintTests {
  private func hints(
    _ schema: String, _ operations: String, files: [String: String] = [:],
    options: String = "{}"
  ) throws -> [Diagnostic] {
    let sources = ["s.graphqls": schema, "o.graphql": operations].merging(files) { $1 }
    let fileSystem = MemoryFileSystem(
      Dictionary(uniqueKeysWithValues: sources.map { ("/p/\($0)", $1) }))
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
          "ruleSeverities": \(options)
        }
        """)
    var generator = Generator(configuration, rootFolder: "/p")
    generator.fileSystem = fileSystem
    return try generator.changes().diagnostics.filter { $0.rule == "CacheKeys" }
  }

  private static let identified = """
    type Query { a: [A!]!, b: A, edges: [Edge] }
    type A { id: ID!, name: String, c: [A] }
    type Edge { node: A }
    """

  @Test func listsThatLackTheirIDAreOneWarning() throws {
    let found = try hints(
      Self.identified, "query Q { a { name c { name } } b { c { id name } } edges { node { id } } }"
    )
    #expect(found.count == 1)
    #expect(found.first?.severity == .warning)
    #expect(
      found.first?.message == """
        The objects of the list "a" have no cache key, so watchers of the list do not notice when a \
        mutation changes one of them. Select "id" in it, or return another key in \
        'SchemaConfiguration'.
        """)
    #expect(found.first?.notes.count == 1)
  }

  @Test func fragmentsCanSelectTheID() throws {
    #expect(
      try hints(Self.identified, "query Q { a { ...F } } fragment F on A { ... { id } }").isEmpty)
  }

  @Test func schemasWithoutIDsNeedAKey() throws {
    let schema = "type Query { a: [A], b: A } type A { name: String }"
    let found = try hints(schema, "query Q { a { name } b { name } }")
    #expect(
      found.map(\.message) == [
        """
        The objects of the list "a" have no cache key, so watchers of the list do not notice when a \
        mutation changes one of them. Return a key in 'SchemaConfiguration', or name key fields with \
        '@typePolicy'.
        """
      ])
    #expect(
      try hints(
        schema.replacing("type A {", with: "type A @typePolicy(keyFields: \"name\") {"),
        "query Q { a { name } }"
      ).isEmpty)
  }

  @Test func configurationsOfTheUserDecideAboutKeys() throws {
    let path = "out/Schema/SchemaConfiguration.swift"
    #expect(
      try hints(
        Self.identified, "query Q { a { name } }", files: [path: "enum SchemaConfiguration {}"]
      ).isEmpty)
  }

  @Test(arguments: ["CacheKeys", "cache-keys"]) func theHintCanBeOff(_ name: String) throws {
    #expect(
      try hints(
        Self.identified, "query Q { a { name } }", options: "{ \"\(name)\": \"off\" }"
      ).isEmpty)
  }

  private static let connected = """
    type Query { search: [Result!]!, any: [Named], humans: Humans, box: Box, both: [Both] }
    union Result = Human | Droid
    union Both = Human | Edge
    interface Named { name: String }
    type Human implements Named { id: ID!, name: String }
    type Droid implements Named { id: ID!, name: String }
    type Humans { edges: [Edge], count: Int }
    type Edge implements Named { name: String, node: Human, page: Page, results: Result }
    type Page { human: Human }
    type Box { human: Human }
    """

  @Test(arguments: [
    ("search { ... on Human { name } }", "The objects of the list \"search\" have"),
    ("search { ... on Human { id name } ... on Droid { name } }", "of the list \"search\""),
    ("search { ...F } }  fragment F on Result { ... on Droid { name }", "of the list \"search\""),
    ("search { ... on Human { id name } ... on Droid { __typename } }", nil),
    ("search { __typename }", nil), ("search { ... on Named { ... on Human { id name } } }", nil),
    ("any { name }", "of the list \"any\""),
    ("any { ... on Human { id } ... on Edge { name } }", nil),
    ("any { name ... on Human { id } ... on Droid { id } }", nil),
    ("humans { edges { node { name } } }", "objects \"node\" in the list \"edges\" have"),
    ("humans { edges { page { human { name } } } }", "objects \"human\" in the list \"edges\""),
    ("humans { edges { ...E } } } fragment E on Edge { node { name }", "\"node\" in the list"),
    ("humans { edges { results { ... on Droid { name } } } }", "\"results\" in the list \"edges\""),
    ("humans { edges { node { id name } page { human { id } } } count }", nil),
    ("box { human { name } }", nil), ("both { ... on Edge { name } }", nil),
    ("both { ... on Human { name } }", "of the list \"both\""),
  ])
  func objectsOfConnectionsAndUnionsCount(_ selection: String, _ part: String?) throws {
    let found = try hints(Self.connected, "query Q { \(selection) }")
    #expect(found.count == (part == nil ? 0 : 1), "\(found.map(\.message))")
    if let part { #expect(found.first?.message.contains(part) == true, "\(found)") }
  }

  @Test func introspectionHasNoKeys() throws {
    #expect(try hints(Self.identified, "query Q { __schema { types { name } } }").isEmpty)
  }
}
