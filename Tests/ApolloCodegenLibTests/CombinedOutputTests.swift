import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// The output for build plugins: two files with fixed names.
@Suite struct CombinedOutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("scalar Date type Query { today: Date }", to: "schema.graphqls")
    try folder.write("query Today { today }", to: "Today.graphql")
  }

  private func generator(
    operations: String = #"{"inSchemaModule": {}}"#, options: String = "{}"
  ) throws -> Generator {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "API",
          "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["*.graphql"]},
          "output": {
            "schemaTypes": {"path": "out", "moduleType": {"embeddedInTarget": {"name": "App"}}},
            "operations": \(operations)
          },
          "options": \(options)
        }
        """)
    return Generator(configuration, rootFolder: folder.path)
  }

  private func generate(
    operations: String = #"{"inSchemaModule": {}}"#, options: String = "{}",
    ownSources: String? = nil
  ) throws -> WriteSummary {
    let output = CombinedOutput(folder: "combined", ownSources: ownSources)
    return try generator(operations: operations, options: options).generate(into: output).summary
  }

  @Test func writesExactlyTwoFiles() throws {
    let written = try generate().written.map { Path.name(of: $0) }
    #expect(written == [CombinedOutput.operationsFile, CombinedOutput.schemaFile])
    #expect(!folder.exists("out"))
    let schema = try folder.text(of: "combined/\(CombinedOutput.schemaFile)")
    #expect(schema.contains("enum SchemaMetadata"))
    #expect(schema.contains("enum SchemaConfiguration"))
    #expect(schema.contains("typealias Date"))
    let operations = try folder.text(of: "combined/\(CombinedOutput.operationsFile)")
    #expect(operations.contains("struct TodayQuery"))
    #expect(try generate().written == [])
  }

  @Test func omitsFilesThatTheTargetHas() throws {
    try folder.write("", to: "Sources/Scalars/Date.swift")
    _ = try generate(ownSources: "Sources")
    let schema = try folder.text(of: "combined/\(CombinedOutput.schemaFile)")
    #expect(!schema.contains("typealias Date"))
    #expect(schema.contains("enum SchemaConfiguration"))
  }

  /// A file of the user is moved when the option changes, and a plugin cannot move it.
  @Test(arguments: [("Date.swift", true), ("Date.scalar.swift", false)])
  func omitsFilesThatTheTargetHasUnderTheOtherName(_ name: String, _ isSuffixed: Bool) throws {
    try folder.write("", to: "Sources/Scalars/\(name)")
    _ = try generate(
      options: #"{"appendSchemaTypeFilenameSuffix": \#(isSuffixed)}"#, ownSources: "Sources")
    let schema = try folder.text(of: "combined/\(CombinedOutput.schemaFile)")
    #expect(!schema.contains("typealias Date"))
  }

  @Test func ownSourcesAreInputsAndTheTwoFilesAreNot() throws {
    try folder.write("", to: "Sources/Scalars/Date.swift")
    let output = CombinedOutput(folder: "Sources/Generated", ownSources: "Sources")
    _ = try generator().generate(into: output)
    let inputs = try generator().inputPaths(into: output)
    #expect(
      inputs.map { Path.display($0, from: folder.path) }
        == ["schema.graphqls", "Today.graphql", "Sources/Scalars/Date.swift"])
  }

  @Test func rejectsOperationsInAnotherModule() throws {
    let error = #expect(throws: GenerationError.self) {
      _ = try generate(operations: #"{"absolute": {"path": "elsewhere"}}"#)
    }
    #expect(error?.problems.map(\.path) == ["output.operations"])
    #expect(!folder.exists("combined"))
  }

  // MARK: Warnings

  private func warnings(ownSources: String? = nil) throws -> [Diagnostic] {
    let output = CombinedOutput(folder: "combined", ownSources: ownSources)
    return try generator().generate(into: output).diagnostics
  }

  @Test func warnsOfObjectsWithoutCacheKeys() throws {
    try folder.write("type Query { all: [A!]! } type A { id: ID! b: Int }", to: "schema.graphqls")
    try folder.write("query Today { all { b } }", to: "Today.graphql")
    #expect(try warnings().map(\.rule) == ["CacheKeys"])
    try folder.write(
      "extension API { enum SchemaConfiguration {} }", to: "Sources/SchemaConfiguration.swift")
    #expect(try warnings(ownSources: "Sources") == [], "Code of the user can give other keys.")
    #expect(try warnings(ownSources: "Elsewhere").map(\.rule) == ["CacheKeys"])
  }

  @Test(arguments: ["Sources", "Sources/Deep"])
  func warnsOfCastsInTheSchemaConfigurationOfTheTarget(_ place: String) throws {
    try folder.write(
      """
      extension API {
        enum SchemaConfiguration { static let id = object["id"] as? String }
      }
      """, to: "\(place)/SchemaConfiguration.swift")
    let diagnostics = try warnings(ownSources: "Sources")
    #expect(diagnostics.map(\.rule) == ["KeyCasts"])
    let message = try #require(diagnostics.first).message
    #expect(message.hasPrefix("'\(place)/SchemaConfiguration.swift:2' casts"), "\(message)")
  }

  /// A build plugin has written no files of scalars that could be left over.
  @Test func doesNotLookAtTheConfiguredOutput() throws {
    try folder.write("object[\"id\"] as? String", to: "out/Schema/SchemaConfiguration.swift")
    try folder.write("", to: "out/Schema/CustomScalars/Old.swift")
    #expect(try warnings() == [])
  }
}
