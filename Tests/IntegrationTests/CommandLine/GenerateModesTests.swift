import Foundation
import Testing

/// The options of `apollo-cli generate` that decide about writing and printing.
@Suite(.timeLimit(.minutes(10)))
struct GenerateModesTests {
  @Test func checkListsWhatIsOutOfDate() async throws {
    try await withProject { project in
      let upToDate = try await project.apollo("generate", "--check")
      #expect(upToDate.status == 0, "\(upToDate)")
      #expect(
        upToDate.output == "Checked 6 operations and 1 fragment: 23 files up to date.\n")

      try project.write("query Names { hero { name } }", to: "GraphQL/Names.graphql")
      try project.remove("GraphQL/HeroName.graphql")
      let before = try project.contents(of: ".")
      let outcome = try await project.apollo("generate", "--check")
      #expect(outcome.status == 1)
      #expect(
        outcome.output == """
            would write  Sources/StarWarsAPI/Operations/Queries/NamesQuery.graphql.swift
            would remove Sources/StarWarsAPI/Operations/Queries/HeroNameQuery.graphql.swift

          """)
      #expect(
        outcome.errors
          == "error: 2 generated files are out of date. Run 'apollo-cli generate', and commit the result.\n"
      )
      #expect(try project.contents(of: ".") == before)
    }
  }

  @Test func dryRunsChangeNothingAndAreNoError() async throws {
    try await withProject { project in
      try project.write("query Names { hero { name } }", to: "GraphQL/Names.graphql")
      let before = try project.contents(of: ".")
      for option in ["--dry-run", "-n"] {
        let outcome = try await project.apollo("generate", option)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(
          outcome.output == """
              would write  Sources/StarWarsAPI/Operations/Queries/NamesQuery.graphql.swift
            Checked 7 operations and 1 fragment: 1 file would be written, 23 unchanged.

            """)
      }
      #expect(try project.contents(of: ".") == before)
    }
  }

  /// The output folder does not exist, and is not made.
  @Test func theFirstGenerationCanBeDry() async throws {
    try await withProject { project in
      try project.remove("Sources")
      let outcome = try await project.apollo("generate", "--dry-run", "--quiet")
      #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count > 20, "\(outcome)")
      #expect(throws: (any Error).self) { try project.contents(of: "Sources") }
    }
  }

  @Test func quietRunsPrintProblemsAlone() async throws {
    try await withProject { project in
      try project.remove("Sources/StarWarsAPI/Operations")
      let good = try await project.apollo("generate", "--quiet", "--verbose")
      #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty, "\(good)")
      try project.write("query Names { hero { nam } }", to: "GraphQL/Names.graphql")
      let bad = try await project.apollo("-q", "generate")
      #expect(bad.status == 1 && bad.output.isEmpty)
      expectOneError(in: bad, naming: "GraphQL/Names.graphql:1:22")
    }
  }

  @Test func errorsOfAllFilesAreReportedTogether() async throws {
    try await withProject { project in
      try project.write("query Broken { hero { name ", to: "GraphQL/Broken.graphql")
      try project.write("query Names { hero { nam } }", to: "GraphQL/Names.graphql")
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == """
          GraphQL/Broken.graphql:1:28: error: Syntax Error: Expected Name, found <EOF>. [Syntax]
             1 | query Broken { hero { name 
               |                            ^
          GraphQL/Names.graphql:1:22: error: Cannot query field "nam" on type "Character". Did you \
          mean "name"? [FieldsOnCorrectType]
             1 | query Names { hero { nam } }
               |                      ^~~
              fix: replace with 'name'
          Nothing was generated: 2 errors.

          """)
    }
  }

  @Test func theConfigurationOfAFolderAboveIsUsed() async throws {
    try await withProject { project in
      let folder = project.folder.appendingPathComponent("Sources/Deep")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let inner = Project(folder: folder)
      for command in [["generate", "--check"], ["validate"], ["schema", "print"]] {
        let outcome = try await inner.apollo(command)
        #expect(outcome.status == 0, "\(command): \(outcome)")
        #expect(outcome.errors.contains("/apollo-codegen-config.json'."), "\(outcome)")
      }
      let quiet = try await inner.apollo("generate", "--quiet")
      #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet)")
    }
  }

  // MARK: - Configurations

  @Test func problemsOfTheConfigurationHavePlacesAndFrames() async throws {
    let configuration = """
      {
        "schemaNamespace": "Query API",
        "inputs": {},
        "output": {
          "schemaTypes": { "path": "out", "moduleType": { "othr": {} } },
          "operations": 3
        },
      }
      """
    let outcome = try await withFiles(["apollo-codegen-config.json": configuration]) {
      try await $0.apollo("generate")
    }
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        apollo-codegen-config.json:3:3: error: inputs: Unknown key. Did you mean 'input'? [Configuration]
           3 |   "inputs": {},
             |   ^~~~~~~~
        apollo-codegen-config.json:5:53: error: output.schemaTypes.moduleType.othr: Unknown key. Did \
        you mean 'other'? [Configuration]
           5 |     "schemaTypes": { "path": "out", "moduleType": { "othr": {} } },
             |                                                     ^~~~~~
        apollo-codegen-config.json:6:19: error: output.operations: Expected an object, found a \
        number. [Configuration]
           6 |     "operations": 3
             |                   ^

        """)
  }

  @Test func aConfigurationThatIsNotJSONHasAPlace() async throws {
    let outcome = try await withFiles([:]) {
      try await $0.apollo("generate", "--string", "{\n  \"é\": }")
    }
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        --string:2:8: error: Invalid JSON. Expected a value. [Configuration]
           2 |   "é": }
             |        ^

        """)
  }
}
