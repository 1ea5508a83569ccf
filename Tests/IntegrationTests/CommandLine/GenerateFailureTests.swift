import ApolloCodegenLib
import Foundation
import Testing

/// The diagnostics of `apollo-cli generate` when it fails.
@Suite(.timeLimit(.minutes(10)))
struct GenerateFailureTests {
  @Test func aFieldThatDoesNotExistIsReportedWhereItIsWritten() async throws {
    try await withProject { project in
      try project.write(
        """
        query Planets {
          hero {
            name
            planet
          }
        }
        """, to: "GraphQL/Planets.graphql")
      let outcome = try await project.apollo("generate")
      expectOneError(
        in: outcome, naming: "GraphQL/Planets.graphql:4:5", #""planet""#, #""Character""#)
    }
  }

  @Test func aMisspelledFieldHasASuggestion() async throws {
    try await withProject { project in
      try project.write("query Names { hero { nam } }", to: "GraphQL/Names.graphql")
      let outcome = try await project.apollo("generate")
      expectOneError(
        in: outcome, naming: "GraphQL/Names.graphql:1:22", #""nam""#, #"Did you mean "name"?"#)
    }
  }

  @Test func aConfigurationInAnotherEncodingIsReportedWhereItBegins() async throws {
    try await withProject { project in
      // In Latin-1, `è` is the byte E8.
      let start = Array("{\n  \"schemaNamespace\": \"Mod".utf8)
      let bytes = start + [0xE8] + Array("le\" }".utf8)
      try Data(bytes).write(
        to: project.folder.appendingPathComponent("apollo-codegen-config.json"))
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      expectOneError(
        in: outcome, naming: "apollo-codegen-config.json:2:26",
        "Invalid UTF-8; save the file with the encoding UTF-8.")
    }
  }

  @Test func aMissingSchemaFileIsNamed() async throws {
    try await withProject { project in
      try project.remove("GraphQL/schema.graphqls")
      let outcome = try await project.apollo("generate")
      expectOneError(in: outcome, naming: "GraphQL/*.graphqls", "schema")
    }
  }

  @Test func anotherVersionOfTheRuntimeIsRejectedUnlessItIsAllowed() async throws {
    try await withProject { project in
      try project.write(
        #"{ "pins": [{ "location": "https://example.org/apollo-swift", "state": { "version": "99.1.0" } }], "version": 3 }"#,
        to: "Package.resolved")
      for command in ["generate", "generate-operation-manifest"] {
        let outcome = try await project.apollo(command)
        expectOneError(
          in: outcome, naming: "Package.resolved' names version 99.1.0",
          "--ignore-version-mismatch")
      }
      let outcome = try await project.apollo("generate", "--ignore-version-mismatch")
      #expect(outcome.status == 0, "\(outcome.errors)")
      // It is enough that one of several files agrees.
      let place = "App.xcworkspace/xcshareddata/swiftpm"
      try FileManager.default.createDirectory(
        at: project.folder.appendingPathComponent(place), withIntermediateDirectories: true)
      try project.write(
        #"{ "pins": [{ "location": "https://example.org/apollo-swift", "state": { "version": "\#(generatorVersion)" } }], "version": 3 }"#,
        to: "\(place)/Package.resolved")
      let second = try await project.apollo("generate")
      #expect(second.status == 0, "\(second.errors)")
    }
  }

  @Test func aMissingConfigurationIsNamed() async throws {
    try await withProject { project in
      try project.remove("apollo-codegen-config.json")
      let outcome = try await project.apollo("generate")
      expectOneError(in: outcome, naming: "apollo-codegen-config.json", "apollo-cli init")
    }
  }

  /// A file has the name of the folder, which is an error for an administrator as well.
  @Test func anOutputFolderThatCannotBeWrittenIsNamed() async throws {
    try await withProject { project in
      try project.remove("Sources/StarWarsAPI")
      try project.write("", to: "Sources/StarWarsAPI")
      let outcome = try await project.apollo("generate")
      expectOneError(in: outcome, naming: "Sources/StarWarsAPI")
    }
  }

  @Test func nothingIsWrittenWhenAnOperationHasAnError() async throws {
    try await withProject { project in
      let before = try project.contents(of: "Sources")
      try project.write("query Names { hero { nam } }", to: "GraphQL/Names.graphql")
      _ = try await project.apollo("generate")
      #expect(try project.contents(of: "Sources") == before)
    }
  }
}

/// Expects that a command failed with one message which contains each of `parts`.
func expectOneError(
  in outcome: Outcome, naming parts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(outcome.status > 0, sourceLocation: sourceLocation)
  let messages = outcome.errors.components(separatedBy: "error: ").count - 1
  #expect(messages == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
  for part in parts {
    #expect(
      outcome.errors.contains(part), "'\(part)' is not in: \(outcome.errors)",
      sourceLocation: sourceLocation)
  }
}
