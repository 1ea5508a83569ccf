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
@Suite(.timeLimit(.minutes(10))) struct WaitingTests {
  private func project() throws -> (TemporaryFolder, Generator) {
    let folder = try TemporaryFolder()
    try folder.write("type Query { x: Int y: Int }", to: "schema.graphqls")
    try folder.write("query Q { x }", to: "operations.graphql")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    var generator = Generator(configuration, rootFolder: folder.path)
    // A busy machine may take long for the first attempt.
    generator.lockTimeout = .seconds(600)
    return (folder, generator)
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

  @Test func waitsAsLongAsTheFolderIsLocked() throws {
    let fileSystem = try memory()
    var lock = try fileSystem.lock("/project/out")
    #expect(lock != nil)
    let clock = ScriptedClock()
    clock.whilePausing = { if $0 == 3 { lock = nil } }
    let report = try generator(fileSystem, clock).generate()
    #expect(report.operationCount == 1)
    #expect(clock.pauseCount == 3)
  }

  @Test func failsWhenTheTimeoutEndsDuringTheWait() throws {
    let fileSystem = try memory()
    let lock = try fileSystem.lock("/project/out")
    let clock = ScriptedClock()
    let error = #expect(throws: GenerationError.self) {
      try generator(fileSystem, clock).generate()
    }
    #expect(error?.code == .locked)
    #expect(clock.pauseCount == 10, "The timeout is ten seconds, and a pause one.")
    withExtendedLifetime(lock) {}
  }

  /// The folder is free when it is checked, but locked again when there is something to write.
  @Test func countsAllAttemptsTowardsTheTimeout() throws {
    let fileSystem = try memory()
    var lock = try fileSystem.lock("/project/out")
    let clock = ScriptedClock()
    clock.whilePausing = { if $0.isMultiple(of: 4) { lock = nil } }
    var waits = 0
    var attempts = 0
    let error = #expect(throws: GenerationError.self) {
      try generator(fileSystem, clock).generate { step in
        switch step {
        case .writing:
          attempts += 1
          do { lock = try lock ?? fileSystem.lock("/project/out") } catch { Issue.record(error) }
        case .waiting: waits += 1
        case .reading, .checking, .naming, .rendering: break
        }
      }
    }
    #expect(error?.code == .locked)
    #expect(attempts == 3, "The first, and one after four and after eight seconds.")
    #expect(waits == 1, "Each folder is reported once.")
    #expect(clock.pauseCount == 10)
    withExtendedLifetime(lock) {}
  }

  private func memory() throws -> MemoryFileSystem {
    let fileSystem = MemoryFileSystem([
      "/project/schema.graphqls": "type Query { x: Int }",
      "/project/operations.graphql": "query Q { x }",
    ])
    try fileSystem.createDirectories("/project/out")
    return fileSystem
  }

  private func generator(_ fileSystem: MemoryFileSystem, _ clock: ScriptedClock) throws -> Generator
  {
    let configuration = try ApolloCodegenConfiguration(
      json: """
        { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } } }
        """)
    var generator = Generator(configuration, rootFolder: "/project")
    generator.fileSystem = fileSystem
    generator.clock = clock
    return generator
  }
}

/// A clock that moves by a second with each pause, and at no other time.
// Because each test creates its own and uses it on one thread.
private final class ScriptedClock: WaitingClock, @unchecked Sendable {
  private(set) var now = ContinuousClock.now
  private(set) var pauseCount = 0
  /// Called during each pause with its number, starting at 1.
  var whilePausing: (Int) -> Void = { _ in }

  func pause() {
    pauseCount += 1
    now += .seconds(1)
    whilePausing(pauseCount)
  }
}
