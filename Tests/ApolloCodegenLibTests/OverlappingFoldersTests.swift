import ApolloCodegenLib
import Testing

/// Code that is generated into folders from which operations and schemas are read.
@Suite struct OverlappingFoldersTests {
  private static let schema = "type Query { hero: Hero } type Hero { name: String }"

  /// Files between generated ones, which do not belong to the generator.
  private static let others = [
    "notes.md", "Operations/Queries/Old.graphql.swift", "Schema/mine.swift",
    "Schema/SchemaConfiguration.swift",
  ]

  private func configuration(_ output: String) throws -> ApolloCodegenConfiguration {
    try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "input": { "schemaSearchPaths": ["**/*.graphqls*"], "operationSearchPaths": ["**/*.graphql*", "!**/*.graphqls*"] },
          "output": { "schemaTypes": { "path": "\(output)", "moduleType": { "other": {} } },
            "operations": { "relative": {} } } }
        """)
  }

  @Test(arguments: [".", "GraphQL", "GraphQL/out", "a b/../GraphQL"])
  func ignoresGeneratedCodeAsInputAndKeepsOtherFiles(_ output: String) throws {
    let project = try TemporaryFolder()
    try Disk().createDirectories(project.path + "/a b")
    try project.write(Self.schema, to: "GraphQL/schema.graphqls")
    try project.write("query Hero { hero { name } }", to: "GraphQL/Hero.graphql")
    for name in Self.others { try project.write("// \(name)", to: "\(output)/\(name)") }
    let generator = try Generator(configuration(output), rootFolder: project.path)
    #expect(try generator.generate().summary.written.count > 3)
    #expect(project.exists("GraphQL/HeroQuery.graphql.swift"))
    let second = try generator.generate().summary
    #expect(second.written.isEmpty && second.removed.isEmpty)
    for name in Self.others {
      #expect(try project.text(of: "\(output)/\(name)") == "// \(name)")
    }
    #expect(try project.text(of: "GraphQL/schema.graphqls") == Self.schema)
  }
}
