import ApolloCodegenLib
import Testing

/// Runs of the generator in memory: everything is read and written through the file system that it
/// is given.
@Suite struct GeneratorFileSystemTests {
  private static let configuration = """
    {
      "schemaNamespace": "API",
      "input": {"schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["**/*.graphql"]},
      "output": {"schemaTypes": {"path": "out", "moduleType": {"swiftPackage": {}}}},
      "operationManifest": {"path": "manifest", "generateManifestOnCodeGeneration": true}
    }
    """
  private static let query = "/project/out/Sources/Operations/Queries/HeroQuery.graphql.swift"

  private let fileSystem = MemoryFileSystem([
    "/project/schema.graphqls": "type Query { hero: String, villain: String }",
    "/project/Sources/Hero.graphql": "query Hero { hero }",
  ])

  private func generate(
    cache: Bool = false, progress: (Generator.Step) -> Void = { _ in }
  ) throws -> WriteSummary {
    var generator = Generator(
      try ApolloCodegenConfiguration(json: Self.configuration), rootFolder: "/project",
      cache: cache
        ? GenerationCache(
          folder: "/cache", configuration: Self.configuration, rootFolder: "/project", tool: "1")
        : nil)
    generator.fileSystem = fileSystem
    return try generator.generate(progress: progress).summary
  }

  @Test func generatesAProjectInMemory() throws {
    let written = try generate().written
    #expect(written.contains(Self.query))
    #expect(written.contains("/project/out/Package.swift"))
    #expect(written.contains("/project/manifest.json"))
    #expect(Set(written).isSubset(of: fileSystem.files.keys))
    #expect(fileSystem.text(of: Self.query)?.contains("var hero: String?") == true)
    #expect(fileSystem.files.count == written.count + 2, "No temporary file is left.")
  }

  @Test func writesOnlyTheChangesOfASecondRun() throws {
    let first = try generate().written
    let unchanged = try generate()
    #expect(unchanged.written == [] && unchanged.removed == [])
    #expect(unchanged.unchangedCount == first.count)
    try fileSystem.remove("/project/Sources/Hero.graphql")
    try fileSystem.create("/project/Sources/Hero.graphql", Array("query Villain { villain }".utf8))
    let second = try generate()
    #expect(second.removed == [Self.query])
    #expect(fileSystem.text(of: Self.query) == nil)
  }

  @Test func skipsARunThatTheCacheKnows() throws {
    _ = try generate(cache: true)
    var steps: [Generator.Step] = []
    _ = try generate(cache: true) { steps.append($0) }
    #expect(steps == [.reading])
  }

  @Test func waitsForALockInMemory() throws {
    try fileSystem.createDirectories("/project/out")
    var lock = try fileSystem.lock("/project/out")
    #expect(lock != nil)
    var waits = 0
    _ = try generate { step in
      guard case .waiting(let folder) = step else { return }
      #expect(folder == "/project/out")
      waits += 1
      lock = nil
    }
    #expect(waits == 1)
  }
}
