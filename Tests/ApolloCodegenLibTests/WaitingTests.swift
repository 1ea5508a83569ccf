import ApolloCodegenLib
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Two generators with the same output folder.
@Suite struct WaitingTests {
  private func project() throws -> (TemporaryFolder, Generator) {
    let folder = try TemporaryFolder()
    try folder.write("type Query { x: Int y: Int }", to: "schema.graphqls")
    try folder.write("query Q { x }", to: "operations.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    return (folder, Generator(configuration, rootFolder: folder.path))
  }

  @Test func waitsForTheOtherGenerator() throws {
    let (folder, generator) = try project()
    try Disk().createDirectories(folder.path + "/out")
    var lock = try Disk.Lock(directory: folder.path + "/out")
    #expect(lock != nil)
    var waits = 0
    let report = try generator.generate { step in
      guard case .waiting(let place) = step else { return }
      #expect(place == folder.path + "/out")
      waits += 1
      lock = nil
    }
    #expect(waits == 1)
    #expect(report.operationCount == 1)
    #expect(folder.exists("out/Operations/Queries/QQuery.graphql.swift"))
  }

  @Test func readsTheInputsAgainAfterWaiting() throws {
    let (folder, generator) = try project()
    try Disk().createDirectories(folder.path + "/out")
    var lock = try Disk.Lock(directory: folder.path + "/out")
    #expect(lock != nil)
    _ = try generator.generate { step in
      guard case .waiting = step else { return }
      #expect(throws: Never.self) { try folder.write("query Q { y }", to: "operations.graphql") }
      lock = nil
    }
    let code = try folder.text(of: "out/Operations/Queries/QQuery.graphql.swift")
    #expect(code.contains("var y: Int?"))
  }

  /// Between its fork and its execution, a program that another thread starts has a copy of every
  /// descriptor.
  @Test func releasesTheLockDespiteACopyOfTheDescriptor() throws {
    let folder = try TemporaryFolder()
    var lock = try Disk.Lock(directory: folder.path)
    let copy = dup(try #require(lock).descriptor)
    defer { close(copy) }
    #expect(try Disk.Lock(directory: folder.path) == nil)
    lock = nil
    #expect(try Disk.Lock(directory: folder.path) != nil)
  }

  @Test func failsAfterTheTimeout() throws {
    var (folder, generator) = try project()
    generator.lockTimeout = .zero
    try Disk().createDirectories(folder.path + "/out")
    let lock = try Disk.Lock(directory: folder.path + "/out")
    let error = #expect(throws: GenerationError.self) { try generator.generate() }
    #expect(
      error.map { "\($0)" }
        == "Another generator is writing to '\(folder.path)/out'. Wait until it has finished, then run again."
    )
    withExtendedLifetime(lock) {}
  }

  @Test func countsAllAttemptsTowardsTheTimeout() throws {
    var (folder, generator) = try project()
    generator.lockTimeout = .milliseconds(200)
    let patience = generator.lockTimeout
    let place = folder.path + "/out"
    try Disk().createDirectories(place)
    var lock = try Disk.Lock(directory: place)
    #expect(lock != nil)
    var waits = 0, rounds = 0
    var end: ContinuousClock.Instant?
    #expect(throws: GenerationError.self) {
      try generator.generate { step in
        switch step {
        case .reading: if end == nil { end = .now + patience }
        case .generating: break
        case .writing:
          rounds += 1
          guard rounds == 2, let end else { return }
          // Free when it was checked, but locked when there is something to write, and the timeout
          // ends meanwhile.
          while ContinuousClock.now < end {}
          do { lock = try Disk.Lock(directory: place) } catch { Issue.record(error) }
        case .waiting:
          waits += 1
          lock = nil
        }
      }
    }
    // On a busy machine the timeout ends before the first wait.
    #expect(waits <= 1)
    #expect(rounds <= 2)
    withExtendedLifetime(lock) {}
  }
}
