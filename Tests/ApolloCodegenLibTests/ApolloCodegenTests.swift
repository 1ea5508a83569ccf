import ApolloCodegenLib
import Foundation
import Testing

/// Generation in one call, as scripts use it.
@Suite struct ApolloCodegenTests {
  private let folder: TemporaryFolder
  private let configuration: ApolloCodegenConfiguration

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("type Query { hero: String }", to: "schema.graphqls")
    try folder.write("query Hero { hero }", to: "Hero.graphql")
    configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["*.graphql"]},
          "output": {
            "schemaTypes": {"path": "out", "moduleType": {"other": {}}},
            "operations": {"inSchemaModule": {}}
          },
          "operationManifest": {"path": "operations", "version": "persistedQueries"}
        }
        """)
  }

  private var root: URL { URL(fileURLWithPath: folder.path) }

  @Test func generatesTheCodeBelowTheRoot() async throws {
    try await ApolloCodegen.build(with: configuration, withRootURL: root)
    #expect(folder.exists("out/Operations/Queries/HeroQuery.graphql.swift"))
    #expect(!folder.exists("operations.json"))
  }

  @Test func generatesOnlyTheRequestedItems() async throws {
    let report = try await ApolloCodegen.build(
      with: configuration, withRootURL: root, itemsToGenerate: .operationManifest,
      operationIdentifierProvider: { "id of \($0.name)" })
    #expect(report.operationCount == 1)
    #expect(!folder.exists("out"))
    #expect(try folder.text(of: "operations.json").contains("id of Hero"))
  }

  @Test func reportsTheLocationOfAnError() async throws {
    try folder.write("query Hero { nero }", to: "Hero.graphql")
    let error = await #expect(throws: GenerationError.self) {
      try await ApolloCodegen.build(with: configuration, withRootURL: root)
    }
    #expect("\(try #require(error))".contains("Hero.graphql:1:14: error: "))
    #expect(!folder.exists("out"))
  }
}
