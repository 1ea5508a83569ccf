import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// The code of a project that gives objects their cache keys, of which `apollo-cli run --cache`
/// warns.
@Suite struct OwnCacheKeyTests {
  /// Such a target has no generated folder, as that in `Examples/BuildPlugin`.
  @Test(arguments: [("API", true), ("OtherAPI", false), ("APIv2", false)])
  func areFoundAmongTheSourcesOfATargetWithTheBuildPlugin(
    _ namespace: String, isFound: Bool
  ) throws {
    let schema = Schema.build([
      .sdl(Source(name: "schema.graphqls", text: "type Query { a: A } type A { id: ID }"))
    ]).schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    #expect(document.parse(Source(name: "Q.graphql", text: "query Q { a { id } }")).isEmpty)
    let operations = try #require(validate(document, against: schema).document)
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "output": {
            "schemaTypes": {
              "path": "Generated", "moduleType": { "embeddedInTarget": { "name": "App" } }
            }
          }
        }
        """)
    let path = "/project/Sources/App/Cache/SchemaConfiguration.swift"
    let fileSystem = MemoryFileSystem([
      path: """
      import ApolloAPI

      extension \(namespace) {
        enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
          static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
            try? CacheKeyInfo(jsonValue: object["name"])
          }
        }
      }
      """
    ])
    let found = OwnCacheKeys.path(
      for: operations, configuration, root: "/project/Sources/App", fileSystem)
    #expect(found == (isFound ? path : nil))
  }
}
