import Foundation
import TestProcesses
import Testing

/// `apollo-cli generate --watch` while files are edited.
@Suite(.timeLimit(.minutes(10)))
struct WatchModeTests {
  private static let isWaiting = "Watching for changes. End with Control-C."

  /// Starts the tool in the project, runs `body` with what reads its next report, and ends it.
  private func watching(
    _ project: Project, _ options: String...,
    body: (_ nextReport: () async throws -> String) async throws -> Void
  ) async throws {
    let streams = StandardStreams(output: Pipe(), errors: Pipe())
    let child = try ChildProcess(
      try Repository.commandLineTool(), ["generate", "--watch"] + options, in: project.folder,
      environment: ["XDG_CACHE_HOME": project.folder.appendingPathComponent("caches").path],
      streams: streams)
    let output = streams.output!.fileHandleForReading
    let errors = streams.errors!.fileHandleForReading
    async let complaints = errors.remainingText()
    func nextReport() async throws -> String {
      var report: [String] = []
      while let line = await output.nextLine(), line != Self.isWaiting { report.append(line) }
      return report.joined(separator: "\n")
    }
    do {
      try await body(nextReport)
    } catch {
      child.send(SIGKILL)
      _ = await child.exitStatus()  // It writes to the project until then, which is removed next.
      throw error
    }
    child.send(SIGINT)
    #expect(await child.exitStatus() == 128 + SIGINT)
    _ = await complaints
  }

  @Test func generatesAgainWhenAnOperationChanges() async throws {
    try await withProject { project in
      try await watching(project) { nextReport in
        #expect(try await nextReport().contains("nothing has changed"))
        let before = try project.contents(of: "Sources/StarWarsAPI")
        try project.writeAtOnce("query Added { hero { name } }", to: "GraphQL/Added.graphql")
        #expect(try await nextReport().contains("1 file written"))
        try project.writeAtOnce("query Added { hero { id name } }", to: "GraphQL/Added.graphql")
        #expect(try await nextReport().contains("1 file written"))
        try project.remove("GraphQL/Added.graphql")
        #expect(try await nextReport().contains("1 removed"))
        #expect(try project.contents(of: "Sources/StarWarsAPI") == before)
      }
    }
  }

  @Test func generatesAgainWhenTheSchemaChanges() async throws {
    try await withProject { project in
      try await watching(project) { nextReport in
        _ = try await nextReport()
        let fragment = "Sources/StarWarsAPI/Fragments/CharacterSummary.graphql.swift"
        #expect(try project.text(of: fragment).contains("which a mutation can change"))
        let schema = try project.text(of: "GraphQL/schema.graphqls")
        try project.writeAtOnce(
          schema.replacingOccurrences(of: "which a mutation can change", with: "as it is said"),
          to: "GraphQL/schema.graphqls")
        #expect(try await nextReport().contains("written"))
        #expect(try project.text(of: fragment).contains("/// The name, as it is said."))
      }
    }
  }

  @Test func generatesAgainWhenTheFileOfALinkChanges() async throws {
    try await withProject { project in
      let schema = try project.text(of: "GraphQL/schema.graphqls")
      try project.write(schema, to: "shared-schema")
      try project.remove("GraphQL/schema.graphqls")
      try FileManager.default.createSymbolicLink(
        atPath: project.folder.appendingPathComponent("GraphQL/schema.graphqls").path,
        withDestinationPath: "../shared-schema")
      try await watching(project) { nextReport in
        _ = try await nextReport()
        try project.writeAtOnce(
          schema.replacingOccurrences(of: "which a mutation can change", with: "as it is said"),
          to: "shared-schema")
        #expect(try await nextReport().contains("written"))
      }
    }
  }

  @Test func followsTheConfiguration() async throws {
    try await withProject { project in
      try await watching(project) { nextReport in
        _ = try await nextReport()
        let configuration = try project.text(of: "apollo-codegen-config.json")
        try project.writeAtOnce(
          configuration.replacingOccurrences(
            of: "\"input\": {",
            with: "\"options\": {\"schemaDocumentation\": \"exclude\"}, \"input\": {"),
          to: "apollo-codegen-config.json")
        #expect(try await nextReport().contains("written"))
        let fragment = "Sources/StarWarsAPI/Fragments/CharacterSummary.graphql.swift"
        #expect(try !project.text(of: fragment).contains("which a mutation can change"))
      }
    }
  }

  @Test func writesTheFilesOfABuildPluginAlone() async throws {
    try await withProject { project in
      let before = try project.contents(of: "Sources")
      try await watching(project, "--combine-into", "combined") { nextReport in
        #expect(try await nextReport().contains("2 files written"))
        try project.writeAtOnce("query Added { hero { name } }", to: "GraphQL/Added.graphql")
        #expect(try await nextReport().contains("1 file written"))
      }
      #expect(
        try project.text(of: "combined/Operations.graphql.swift").contains("struct AddedQuery"))
      #expect(try project.contents(of: "Sources") == before)
    }
  }

  @Test func aFileOfTheUserTakesThePlaceOfGeneratedCode() async throws {
    try await withProject { project in
      let own = project.folder.appendingPathComponent("Own")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      try await watching(project, "--combine-into", "combined", "--own-sources", "Own") {
        nextReport in
        #expect(try await nextReport().contains("2 files written"))
        let schema = "combined/Schema.graphql.swift"
        #expect(try project.text(of: schema).contains("enum SchemaConfiguration"))
        try project.writeAtOnce("enum SchemaConfiguration {}", to: "Own/SchemaConfiguration.swift")
        #expect(try await nextReport().contains("1 file written"))
        #expect(try !project.text(of: schema).contains("enum SchemaConfiguration"))
        try project.remove("Own/SchemaConfiguration.swift")
        #expect(try await nextReport().contains("1 file written"))
      }
    }
  }

  /// A project can be in the folder of another one.
  @Test func aConfigurationThatIsGoneIsNotReplacedByOneAbove() async throws {
    try await withProject { outer in
      try outer.remove("Sources")
      let project = Project(folder: outer.folder.appendingPathComponent("Inner"))
      try FileManager.default.createDirectory(
        at: project.folder, withIntermediateDirectories: true)
      for part in ["GraphQL", "apollo-codegen-config.json"] {
        try FileManager.default.copyItem(
          at: outer.folder.appendingPathComponent(part),
          to: project.folder.appendingPathComponent(part))
      }
      try await watching(project) { nextReport in
        #expect(try await nextReport().contains("written"))
        try project.remove("apollo-codegen-config.json")
        #expect(try await nextReport().contains("nothing has changed"))
        #expect(
          !FileManager.default.fileExists(
            atPath: outer.folder.appendingPathComponent("Sources").path))
      }
    }
  }

  @Test func survivesMistakes() async throws {
    try await withProject { project in
      try await watching(project) { nextReport in
        _ = try await nextReport()
        try project.writeAtOnce("query Added { hero { nome } }", to: "GraphQL/Added.graphql")
        #expect(try await nextReport() == "", "A failed run reports on standard error.")
        try project.writeAtOnce("query Added { hero { name } }", to: "GraphQL/Added.graphql")
        #expect(try await nextReport().contains("1 file written"))
        try project.writeAtOnce("{", to: "apollo-codegen-config.json")
        #expect(try await nextReport().contains("nothing has changed"))
      }
    }
  }
}
