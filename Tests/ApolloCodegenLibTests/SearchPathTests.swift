import ApolloCodegenLib
import Testing

/// Search paths that match the same files.
@Suite struct SearchPathTests {
  private func generate(_ files: [String: String]) throws -> Generator.Report {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "input": { "schemaSearchPaths": ["*.graphql"], "operationSearchPaths": ["*.graphql"] },
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    return try Generator(configuration, rootFolder: folder.path).generate()
  }

  @Test func aSchemaInBothSearchPathsIsNotAnOperationFile() throws {
    let report = try generate([
      "schema.graphql": "type Query { a: Int }", "more.graphql": "extend type Query { b: Int }",
      "q.graphql": "query Q { a b }",
    ])
    #expect(report.operationCount == 1 && report.diagnostics.isEmpty)
  }

  @Test func reportsOperationsBesideTypes() throws {
    let error = #expect(throws: GenerationError.self) {
      try generate(["all.graphql": "type Query { a: Int } query Q { a }"])
    }
    #expect(error?.messages.contains("[ExecutableDefinitions]") == true)
  }

  @Test func reportsAProjectWithoutOperations() throws {
    let error = #expect(throws: GenerationError.self) {
      try generate(["schema.graphql": "type Query { a: Int }"])
    }
    #expect(error?.code == .noInput)
    #expect(
      error?.description
        == "No operations found: there are only schemas and empty files in what "
        + "'input.operationSearchPaths' finds. Add the files with the operations to it.")
  }
}
