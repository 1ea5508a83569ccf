import ApolloCodegenLib
import Foundation
import GraphQLSyntax
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

  /// Creates a project with a configuration, and generates its code.
  private func generate(
    _ files: [String: String], links: [String: String] = [:], schema: [String],
    operations: [String]
  ) throws -> (report: Generator.Report, warnings: String) {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }
    func list(_ patterns: [String]) -> String {
      patterns.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API",
          "input": { "schemaSearchPaths": [\(list(schema))], "operationSearchPaths": [\(list(operations))] },
          "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    let report = try Generator(configuration, rootFolder: folder.path).generate()
    return (report, DiagnosticFormat.xcode.render(report.diagnostics, in: report.sources))
  }

  @Test func aFileAndLinksToItAreReadOnce() throws {
    let (report, warnings) = try generate(
      ["schema.graphqls": "type Query { a: Int }", "q.graphql": "query Q { a }"],
      links: [
        "a.graphqls": "schema.graphqls", "z.graphqls": "a.graphqls", "b.graphql": "q.graphql",
      ],
      schema: ["*.graphqls"], operations: ["*.graphql"])
    #expect(report.operationCount == 1 && warnings.isEmpty, "\(warnings)")
  }

  @Test func warnsOfOperationsInFilesOfTheSchemaAlone() throws {
    let (report, warnings) = try generate(
      [
        "schema.graphqls": "type Query { a: Int }\nquery Lost { a }\nfragment F on Query { a }",
        "q.graphql": "query Q { a }",
      ], schema: ["*.graphqls"], operations: ["*.graphql"])
    #expect(report.operationCount == 1)
    #expect(
      warnings == """
        schema.graphqls:2:7: warning: No code is generated for this, nor for 1 more in the file, \
        because the file is one of the schema. Let 'operationSearchPaths' match it, or move it to a \
        file that they match. [IgnoredOperations]

        """, "\(warnings)")
  }

  @Test func warnsOfFilesThatLookLikeOperationsAndAreNotRead() throws {
    let files = [
      "schema.graphqls": "type Query { a: Int }", "q.graphql": "query Q { a }",
      "b/lost.gql": "query Lost { a }", "b/types.graphqls": "type Other { a: Int }",
      "b/hero.graphqls": "fragment F on Query { a }", "b/empty.gql": "# nothing",
    ]
    let (report, warnings) = try generate(
      files, schema: ["*.graphqls"], operations: ["**/*.graphql"])
    #expect(report.operationCount == 1)
    #expect(
      warnings == """
        warning: 'b/hero.graphqls', 'b/lost.gql' are not read, because no search path matches them. \
        Add '**/*.graphqls' to 'input.operationSearchPaths', or rename them. [IgnoredOperations]

        """, "\(warnings)")
    let (all, none) = try generate(
      files, schema: ["*.graphqls"], operations: ["**/*.{graphql,gql}", "b/hero.graphqls"])
    #expect(all.operationCount == 2 && all.fragmentCount == 1 && none.isEmpty, "\(none)")
  }

  @Test(arguments: [
    (["*.graphql", "b/*.gql"], 2, "'a.gql'"), (["*.graphql", "**/*.g*"], 3, nil),
    (["*.gql"], 1, "'q.graphql'"),
    (["**/*.graphql", "!a.*"], 1, "'b/b.gql'"), (["q.graphql", "a.gql"], 2, nil),
  ])
  func readsWhatTheSearchPathsMatchAndNamesTheRest(
    _ patterns: [String], _ count: Int, _ unread: String?
  ) throws {
    let (report, warnings) = try generate(
      [
        "s.json.graphqls": "type Query { a: Int }", "q.graphql": "query Q { a }",
        "a.gql": "query A { a }", "b/b.gql": "query B { a }",
      ], schema: ["*.graphqls"], operations: patterns)
    #expect(report.operationCount == count, "\(warnings)")
    #expect(warnings.contains("not read") == (unread != nil), "\(warnings)")
    if let unread { #expect(warnings.hasPrefix("warning: \(unread) "), "\(warnings)") }
  }

  @Test func namesTheFilesThatOtherSearchPathsWouldMatch() throws {
    let error = #expect(throws: GenerationError.self) {
      try generate(
        ["schema.graphqls": "type Query { a: Int }", "q.gql": "query Q { a }"],
        schema: ["*.graphqls"], operations: ["*.graphql"])
    }
    #expect(error?.code == .noInput)
    #expect(error?.description.hasSuffix("of the configuration. There is 'q.gql'.") == true)
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
