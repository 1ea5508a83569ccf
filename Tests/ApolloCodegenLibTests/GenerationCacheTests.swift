import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// Runs with a cache: they skip their work if nothing has changed, and only then.
@Suite struct GenerationCacheTests {
  private let folder: TemporaryFolder
  private static let configuration = """
    {
      "schemaNamespace": "API",
      "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["*.graphql"]},
      "output": {
        "schemaTypes": {"path": "out", "moduleType": {"other": {}}},
        "operations": {"inSchemaModule": {}}
      }
    }
    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("type Query { hero: String, villain: String }", to: "schema.graphqls")
    try folder.write("query Hero { hero }", to: "Hero.graphql")
    _ = try steps()
  }

  private func report() throws -> Generator.Report {
    try Generator(
      try ApolloCodegenConfiguration(json: Self.configuration), rootFolder: folder.path,
      cache: GenerationCache(
        folder: "\(folder.path)/cache", configuration: Self.configuration,
        rootFolder: folder.path, tool: "1")
    ).generate()
  }

  /// Returns the steps of a run. A run that finds nothing changed only reads.
  private func steps(
    tool: String = "1", cache: String = "cache", warnings: Int = 0
  ) throws -> [Generator.Step] {
    let generator = Generator(
      try ApolloCodegenConfiguration(json: Self.configuration), rootFolder: folder.path,
      cache: GenerationCache(
        folder: "\(folder.path)/\(cache)", configuration: Self.configuration,
        rootFolder: folder.path, tool: tool))
    var steps: [Generator.Step] = []
    let report = try generator.generate { steps.append($0) }
    #expect((report.operationCount, report.fragmentCount) == (1, 0))
    #expect(report.diagnostics.count == warnings)
    #expect(folder.exists("out/Operations/Queries/HeroQuery.graphql.swift"))
    return steps
  }

  @Test func aRunWithoutChangesOnlyReads() throws {
    #expect(try steps() == [.reading])
    #expect(try steps() == [.reading])
  }

  @Test func aRunWithoutChangesRepeatsWarnings() throws {
    try folder.write("type Query { hero: String, __villain: String }", to: "schema.graphqls")
    #expect(try steps(warnings: 1).count == 5)
    #expect(try steps(warnings: 1) == [.reading])
  }

  @Test func aRunWithoutChangesPrintsTheSameWarnings() throws {
    try folder.write(
      """
      type Query { hero: Hero, heroes: [Hero!], villain: [Hero!] @deprecated(reason: "One\\two\\n\\tthree.") }
      type Hero { name: String, __vigor: String }
      """, to: "schema.graphqls")
    try folder.write(
      "# \u{E9}\nquery Hero { hero { name __vigor } heroes { name } villain { name } }",
      to: "Hero.graphql")
    let first = try report()
    #expect(first.diagnostics.count > 1 && !first.summary.written.isEmpty)
    #expect(first.diagnostics.contains { !$0.notes.isEmpty })
    let second = try report()
    #expect(second.summary.unchangedCount > 0 && second.summary.written.isEmpty)
    let texts = [first, second].map {
      DiagnosticFormat.text.render($0.diagnostics, in: $0.sources)
    }
    #expect(texts[0] == texts[1])
    #expect(try steps(warnings: first.diagnostics.count) == [.reading])
  }

  @Test func damagedWarningsAreNotRepeated() throws {
    try folder.write("type Query { hero: String, __villain: String }", to: "schema.graphqls")
    _ = try steps(warnings: 1)
    let file = "cache/" + (try #require(try Disk().entries(of: "\(folder.path)/cache").first).name)
    let record = try folder.text(of: file)
    #expect(record.contains("\nD\t"))
    for damaged in [("\nD\t", "\nX\t"), ("warning", "remark"), ("\t0:", "\t9:")] {
      try folder.write(record.replacing(damaged.0, with: damaged.1), to: file)
      #expect(try steps(warnings: 1).count == 5, "\(damaged)")
    }
  }

  enum Change: CaseIterable {
    case operation, schema, output, outputWithItsTime, missingOutput, foreignFileBesideOutput,
      oldFileInANewFolder, damagedMemory
  }

  @Test(arguments: Change.allCases)
  func detectsEveryChange(_ change: Change) throws {
    let output = "out/Operations/Queries/HeroQuery.graphql.swift"
    let generated = try folder.text(of: output)
    switch change {
    case .operation: try folder.write("query Hero { hero villain }", to: "Hero.graphql")
    case .schema: try folder.write("type Query { hero: String! }", to: "schema.graphqls")
    case .output: try folder.write(generated + "\n", to: output)
    case .outputWithItsTime:
      try Disk().replace("\(folder.path)/saved", [])
      try touch("saved", like: output)
      try folder.write(String(generated.dropLast()) + " ", to: output)
      try touch(output, like: "saved")
    case .missingOutput: try Disk().remove("\(folder.path)/\(output)")
    case .foreignFileBesideOutput:
      try folder.write("", to: "out/Operations/Queries/Other.graphql.swift")
    case .oldFileInANewFolder:
      try folder.write(generated, to: "out/Operations/Mutations/OldMutation.graphql.swift")
    case .damagedMemory:
      for entry in try Disk().entries(of: "\(folder.path)/cache") {
        try folder.write("apollo-codegen-memory 4\n", to: "cache/\(entry.name)")
      }
    }
    #expect(try steps().count == 5)
    #expect(try steps() == [.reading], "The run that noticed it remembers what it left.")
    #expect(!folder.exists("out/Operations/Mutations/OldMutation.graphql.swift"))
    switch change {
    case .operation, .schema: #expect(try folder.text(of: output) != generated)
    default: #expect(try folder.text(of: output) == generated)
    }
  }

  /// Gives a file the time of another one.
  private func touch(_ path: String, like other: String) throws {
    var status = stat()
    try #require(stat("\(folder.path)/\(other)", &status) == 0)
    #if canImport(Darwin)
      let times = [status.st_atimespec, status.st_mtimespec]
    #else
      let times = [status.st_atim, status.st_mtim]
    #endif
    try #require(utimensat(AT_FDCWD, "\(folder.path)/\(path)", times, 0) == 0)
  }

  @Test func anotherBuildOfTheToolIgnoresTheCache() throws {
    #expect(try steps(tool: "2").count == 5)
    #expect(try steps(tool: "2") == [.reading])
  }

  @Test func runsWithoutACacheThatCannotBeWritten() throws {
    try folder.write("a file", to: "blocked")
    #expect(try steps(cache: "blocked").count == 5)
    #expect(try steps(cache: "blocked").count == 5)
  }
}
