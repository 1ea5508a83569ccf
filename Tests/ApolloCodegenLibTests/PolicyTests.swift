import ApolloAPI
import ApolloCache
import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// `@typePolicy` and `@fieldPolicy`: golden code that uses them, and diagnostics.
@Suite struct PolicyTests {
  // MARK: - The golden code

  private static let heroes = Data(
    #"""
    {"data":{"heroes":[{"__typename":"Human","id":"1","name":"Luke"},{"__typename":"Droid","id":"2","name":"R2-D2"}]}}
    """#.utf8)

  @Test func findsAnObjectOfAListByItsID() async throws {
    let store = ApolloStore()
    try await store.publish(body: Self.heroes, of: PoliciesAPI.HeroesQuery())
    let luke = try await store.load(PoliciesAPI.HeroQuery(id: "1"))
    #expect(luke.data?.hero?.name == "Luke")
    #expect(luke.data?.hero?.__typename == "Human")
    let robot = try await store.load(PoliciesAPI.HeroQuery(id: "2"))
    #expect(robot.data?.hero?.name == "R2-D2")
    #expect(try await store.load(PoliciesAPI.HeroQuery(id: "3")).data == nil)
    let search = try await store.load(PoliciesAPI.SearchQuery(id: "1"))
    #expect(search.misses == [])
    #expect(search.data?.search?.friend?.name == "R2-D2")
  }

  /// A fragment that is read alone has the default that all its operations give a variable.
  @Test func aFragmentKnowsTheDefaultsOfItsOperations() async throws {
    let store = ApolloStore()
    let query = PoliciesAPI.HeroWithNameQuery(id: "2")
    let body =
      #"{"data":{"hero":{"__typename":"Droid","id":"2","name":"R2-D2"}}}"#
    try await store.publish(body: Array(body.utf8), of: query)
    let hero = try await store.withinReadTransaction { transaction in
      try transaction.readObject(
        ofType: PoliciesAPI.MaybeNamed.self, withKey: "Droid:2")
    }
    #expect(hero.fragments.named?.name == "R2-D2")
  }

  @Test func theCodeHasTheMaximumAgesOfTheSchema() {
    let expected: MaxAges = [
      "Character": .seconds(60), "Character.name": .inherited, "Planet.name": .seconds(0),
    ]
    #expect(PoliciesAPI.SchemaMetadata.maxAges == expected)
  }

  // MARK: - Maximum ages of operations

  /// A rule of a field replaces that of the schema, which is 60 seconds. One of the query is a
  /// limit for all of its data.
  @Test func theMaximumAgesOfOperationsCount() async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
    let store = ApolloStore(configuration: configuration)
    try await store.publish(body: Self.heroes, of: PoliciesAPI.HeroesQuery())
    func expiry(of query: some GraphQLQuery) async throws -> Double? {
      let reading = try await store.load(query)
      #expect(reading.data != nil)
      return reading.freshness?.earliestExpiry.map { $0.timeIntervalSince1970 - 1_000 }
    }
    #expect(try await expiry(of: PoliciesAPI.HeroesQuery()) == 60)
    #expect(try await expiry(of: PoliciesAPI.FreshHeroesQuery()) == 10)
    #expect(try await expiry(of: PoliciesAPI.FreshIDsQuery()) == 30)
    #expect(try await expiry(of: PoliciesAPI.SlowHeroesQuery()) == 90)
  }

  @Test func theMaximumAgesOfOperationsAreNotSent() {
    #expect(
      PoliciesAPI.FreshHeroesQuery.operationDocument.definition?.queryDocument
        == "query FreshHeroes { heroes { __typename id name @include(if: true) ...FreshName } }\n"
        + "fragment FreshName on Character { __typename id name }")
  }

  /// The schema of a server can allow the directive in documents, and can define it for itself
  /// only.
  @Test(
    arguments: [
      ("OBJECT", "query Q { a }"),
      ("OBJECT | FIELD", "query Q { a @cacheControl(maxAge: 5) }"),
      ("QUERY", "query Q @cacheControl(maxAge: 7) { a }"),
      ("QUERY | FIELD", "query Q @cacheControl(maxAge: 7) { a @cacheControl(maxAge: 5) }"),
    ])
  func aDirectiveOfTheServerIsSentWhereItAllowsIt(locations: String, sent: String) throws {
    let project = try GeneratedProject(
      schema: "directive @cacheControl(maxAge: Int) on \(locations) type Query { a: Int }",
      operations: "query Q @cacheControl(maxAge: 7) { a @cacheControl(maxAge: 5) }")
    func text(of name: String) throws -> String {
      try project.text(of: try #require(project.files.first { $0.hasSuffix("/\(name)") }))
    }
    let query = try text(of: "QQuery.graphql.swift")
    #expect(query.contains("#\"\(sent)\"#"))
    #expect(query.contains("@cacheControl(maxAge: 7) Query {a Int @cacheControl(maxAge: 5)}"))
    let metadata = try text(of: "SchemaMetadata.graphql.swift")
    #expect(metadata.contains("static let _hasMaxAgesInOperations = true"))
  }

  @Test(arguments: [
    (
      "{ a @cacheControl }",
      "'a' has no maximum age. Add 'maxAge:' with a number of seconds, or 'inheritMaxAge: true'."
    ),
    (
      "{ b: a @cacheControl(maxAge: -1) }",
      "'b' has a negative maximum age. Write a number of seconds, or 0 to fetch always."
    ),
    (
      "($age: Int) { a @cacheControl(maxAge: $age) }",
      "'a' has a variable as its maximum age. Write a number of seconds."
    ),
    (
      "{ a @cacheControl(maxAge: 1, inheritMaxAge: true) }",
      "'a' has a maximum age and inherits one. Remove 'maxAge' or 'inheritMaxAge'."
    ),
    (
      "@cacheControl(inheritMaxAge: true) { a }",
      "'Q' inherits a maximum age, but no field leads to it. Write 'maxAge:'."
    ),
  ])
  func reportsAMaximumAgeOfAnOperation(rest: String, problem: String) throws {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(schema: "type Query { a: Int }", operations: "query Q \(rest)")
    }
    #expect(error?.messages.contains("'@cacheControl' of \(problem) [CachePolicies]") == true)
  }

  // MARK: - Wrong names

  private static let schema = """
    type Query { hero(id: ID!, ids: [ID!], input: Input): Hero  count(id: ID): Int
      heroes(id: ID, ids: [ID!], more: [ID!], nested: [[ID]]): [Hero]  table(ids: [ID!]): [[Hero]] }
    interface Named { id: ID!  name: String! }
    interface Numbered { id: ID!  number: Int! }
    type Hero implements Named & Numbered { id: ID!  name: String!  number: Int!  friend: Hero  tags: [String!]! }
    input Input { id: ID  inputs: [Input!] }

    """

  @Test(arguments: [
    (
      #"extend type Hero @typePolicy(keyFields: "id nmae")"#,
      "'@typePolicy' of 'Hero' names the key field 'nmae', which 'Hero' does not have. Name fields of the type."
    ),
    (
      #"extend type Hero @typePolicy(keyFields: "friend")"#,
      "'@typePolicy' of 'Hero' names the key field 'friend', which is an object. Name fields that are scalars or enums."
    ),
    (
      #"extend type Hero @typePolicy(keyFields: "id tags")"#,
      "'@typePolicy' of 'Hero' names the key field 'tags', which is a list. Name fields that are scalars or enums."
    ),
    (
      "extend type Hero @cacheControl",
      "'@cacheControl' of 'Hero' has no maximum age. Add 'maxAge:' with a number of seconds, or 'inheritMaxAge: true'."
    ),
    (
      "extend type Hero @cacheControl(maxAge: -1)",
      "'@cacheControl' of 'Hero' has a negative maximum age. Write a number of seconds, or 0 to fetch always."
    ),
    (
      "type Moon { name: String @cacheControl(maxAge: 1, inheritMaxAge: true) }",
      "'@cacheControl' of 'Moon.name' has a maximum age and inherits one. Remove 'maxAge' or 'inheritMaxAge'."
    ),
    (
      #"extend type Hero @cacheControlField(name: "nmae", maxAge: 1)"#,
      "'@cacheControlField' of 'Hero' is for the field 'nmae', which 'Hero' does not have. Name a field of the type."
    ),
    (
      #"extend type Hero @cacheControlField(name: "name", inheritMaxAge: false)"#,
      "'@cacheControlField' of 'Hero.name' has no maximum age. Add 'maxAge:' with a number of seconds, or 'inheritMaxAge: true'."
    ),
    (
      #"extend type Hero @typePolicy(keyFields: "id") extend interface Named @typePolicy(keyFields: "name")"#,
      "'@typePolicy' of 'Hero' and of 'Named' name different key fields, and 'Hero' is both. Name the same fields."
    ),
    (
      #"extend interface Numbered @typePolicy(keyFields: "id") extend interface Named @typePolicy(keyFields: "name")"#,
      "'@typePolicy' of 'Named' and of 'Numbered' name different key fields, and 'Hero' is both. Name the same fields."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "heroes", keyArgs: "id")"#,
      "'@fieldPolicy' of 'Query' is for the field 'heroes', which is a list, and names no argument that is one. Name the argument with a value for each object."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "ids")"#,
      "'@fieldPolicy' of 'Query' is for the field 'hero', which is one object, and names an argument that is a list. Name arguments with one value."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "heroes", keyArgs: "ids more")"#,
      "'@fieldPolicy' of 'Query' is for the field 'heroes', and names lists of lists, or more than one list. Name one list at most."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "heroes", keyArgs: "nested")"#,
      "'@fieldPolicy' of 'Query' is for the field 'heroes', and names lists of lists, or more than one list. Name one list at most."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "table", keyArgs: "ids")"#,
      "'@fieldPolicy' of 'Query' is for the field 'table', whose lists are nested. Name a field that leads to objects or to one list of them."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "input")"#,
      "'@fieldPolicy' of 'Query' names the argument 'input', which is an object. Name one of its fields: 'input.…'."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "input.inputs.id")"#,
      "'@fieldPolicy' of 'Query' names the argument 'input.inputs.id', which the field 'hero' does not have. Name arguments of the field."
    ),
    (
      #"extend type Hero @typePolicy(keyFields: " ")"#,
      "'@typePolicy' of 'Hero' names no field. Name those that tell objects apart."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "heroo", keyArgs: "id")"#,
      "'@fieldPolicy' of 'Query' is for the field 'heroo', which 'Query' does not have. Name a field of the type."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "count", keyArgs: "id")"#,
      "'@fieldPolicy' of 'Query' is for the field 'count', which has no objects. Name a field that leads to objects."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "id name")"#,
      "'@fieldPolicy' of 'Query' names the argument 'name', which the field 'hero' does not have. Name arguments of the field."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "input.name")"#,
      "'@fieldPolicy' of 'Query' names the argument 'input.name', which the field 'hero' does not have. Name arguments of the field."
    ),
    (
      #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "")"#,
      "'@fieldPolicy' of 'Query' names no argument. Name those that tell the objects apart."
    ),
  ])
  func reportsAnUnknownNameAtItsLocation(policy: String, message: String) throws {
    let project = try TemporaryFolder()
    try project.write(Self.schema + policy, to: "schema.graphqls")
    try project.write("query Hero { hero(id: 1) { name } }", to: "operations.graphql")
    let configuration = try String(
      contentsOf: GoldenTests.folder.appendingPathComponent("Fixtures/Policies/config.json"),
      encoding: .utf8)
    let generator = try Generator(
      ApolloCodegenConfiguration(json: configuration), rootFolder: project.path)
    let error = #expect(throws: GenerationError.self) { try generator.generate() }
    guard case .input(let diagnostics, _) = error?.reason else {
      Issue.record("It is refused for another reason: \(String(describing: error))")
      return
    }
    #expect(diagnostics.map(\.message) == [message])
    #expect(diagnostics.allSatisfy { $0.span != nil })
  }

  @Test func acceptsArgumentsInsideOfInputObjects() throws {
    let project = try TemporaryFolder()
    try project.write(
      Self.schema + #"extend type Query @fieldPolicy(forField: "hero", keyArgs: "input.id")"#,
      to: "schema.graphqls")
    try project.write("query Hero { hero(id: 1) { name } }", to: "operations.graphql")
    let configuration = try String(
      contentsOf: GoldenTests.folder.appendingPathComponent("Fixtures/Policies/config.json"),
      encoding: .utf8)
    let generator = try Generator(
      ApolloCodegenConfiguration(json: configuration), rootFolder: project.path)
    #expect(try !generator.generate().summary.written.isEmpty)
  }

  /// An object of the first operation implements the interface that the second one selects from.
  @Test(arguments: [
    "query A { book { title } } query B { node { id } }",
    "query B { node { id } } query A { book { title } }",
  ])
  func theObjectsOfAnInterfaceHaveKeysInAnyOrderOfOperations(_ operations: String) throws {
    let project = try GeneratedProject(
      schema: """
        type Query { book: Book node: Node }
        interface Node { id: ID! }
        type Book implements Node @typePolicy(keyFields: "id") { id: ID! title: String }
        type User implements Node @typePolicy(keyFields: "id") { id: ID! name: String }
        """, operations: operations)
    let file = try #require(project.files.first { $0.hasSuffix("SchemaMetadata.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("type Book: Node; key id"), "\(text)")
    #expect(text.contains("type User: Node; key id"), "\(text)")
  }

  @Test func warnsOfNullableKeyFields() throws {
    let project = try GeneratedProject(
      schema: #"type Query { a: A } type A @typePolicy(keyFields: "id") { id: ID }"#,
      operations: "query Q { a { id } }")
    #expect(
      project.warnings == """
        schema.graphqls:1:51: warning: '@typePolicy' of 'A' names the key field 'id', which may be null. An object without it is not found again. [CachePolicies]

        """)
  }
}
