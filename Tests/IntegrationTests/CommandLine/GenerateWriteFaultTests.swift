import Apollo
import Foundation
import TestProcesses
import Testing

/// The files that `apollo-cli generate` leaves when writing fails or the process is killed.
@Suite(.timeLimit(.minutes(10)))
struct GenerateWriteFaultTests {
  private static let configuration = """
    { "schemaNamespace": "API", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } },
      "operationManifest": { "path": "manifest.json", "generateManifestOnCodeGeneration": true } }
    """
  private static let operationCount = 300

  /// A project whose every operation selects `field`.
  private func files(selecting field: String) -> [String: String] {
    let operations = (0..<Self.operationCount).map { "query Q\($0) { \(field) node { \(field) } }" }
    return [
      "apollo-codegen-config.json": Self.configuration,
      "schema.graphqls": "type Query { old: Int, new: Int, node: Query }",
      "operations.graphql": operations.joined(separator: "\n"),
    ]
  }

  private func generated(_ project: Project) throws -> [String: Data] {
    try project.contents(of: "").filter { $0.key.hasPrefix("out/") || $0.key == "manifest.json" }
      .mapValues(\.bytes)
  }

  /// The moments at which the process is killed, as seen from its files.
  enum Moment: CaseIterable {
    case start, staging, renaming

    /// A process that got further than that has passed it.
    func hasCome(in folder: URL, since old: Data) throws -> Bool {
      let queries = folder.appendingPathComponent("out/Operations/Queries")
      let isRenaming =
        try Data(contentsOf: queries.appendingPathComponent("Q0Query.graphql.swift")) != old
      switch self {
      case .start: return true
      case .renaming: return isRenaming
      case .staging:
        return try FileManager.default.contentsOfDirectory(atPath: queries.path)
          .contains { $0.hasPrefix(".") } || isRenaming
      }
    }
  }

  @Test(arguments: Moment.allCases)
  func everyFileOfAKilledRunIsWholeAndTheNextRunCompletesTheSet(_ moment: Moment) async throws {
    try await withFiles(files(selecting: "old")) { project in
      let sets = try await ["new", "old"].mapInOrder { field in
        for (name, text) in files(selecting: field) { try project.write(text, to: name) }
        let outcome = try await project.apollo("generate")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try generated(project)
      }
      try project.write("by hand", to: "out/notes.txt")
      let (new, old) = (sets[0], sets[1])
      for (name, text) in files(selecting: "new") { try project.write(text, to: name) }
      let first = try #require(old["out/Operations/Queries/Q0Query.graphql.swift"])

      let child = try ChildProcess(
        try Repository.commandLineTool(), ["generate"], in: project.folder)
      let isOver = Lock(false)
      let status = Task {
        defer { isOver.withLock { $0 = true } }
        return await child.exitStatus()
      }
      while try !moment.hasCome(in: project.folder, since: first), !isOver.get() {
        try Task.checkCancellation()
        await Task.yield()
      }
      child.send(SIGKILL)
      _ = await status.value

      for (name, bytes) in try generated(project) where !name.contains("/.") {
        if name == "out/notes.txt" { continue }
        #expect(bytes == old[name] || bytes == new[name], "\(name)")
      }
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 0, "\(outcome.errors)")
      var left = try generated(project)
      #expect(left.removeValue(forKey: "out/notes.txt") == Data("by hand".utf8))
      #expect(left.keys.sorted() == new.keys.sorted())
      #expect(left == new)
    }
  }

  @Test func oneOfSeveralGeneratorsAtOnceMakesTheSet() async throws {
    try await withFiles(files(selecting: "old")) { project in
      let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
        for _ in 0..<4 { group.addTask { try await project.apollo("generate") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for outcome in outcomes where outcome.status != 0 {
        expectOneError(in: outcome, naming: "Another generator is writing to", "run again")
      }
      #expect(outcomes.contains { $0.status == 0 })
      let made = try generated(project)
      try project.remove("out")
      try project.remove("manifest.json")
      let alone = try await project.apollo("generate")
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try generated(project) == made)
    }
  }

  // MARK: - Disks

  /// A disk of our own in a folder; only an administrator may make one.
  ///
  /// It is detached from the folder at once, even if a program that another test is just starting
  /// has a file on it open still.
  private func withDisk(
    kilobytes: Int, at folder: URL, _ body: (Project) async throws -> Void
  ) async throws {
    func mount(_ arguments: String...) async throws -> Int32 {
      try await run(URL(fileURLWithPath: "/usr/bin/env"), arguments, in: folder).status
    }
    let disk = folder.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let status = try await mount(
      "mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", disk.path)
    try #require(status == 0, "The disk cannot be mounted.")
    do {
      try await body(Project(folder: disk))
    } catch {
      _ = try await mount("umount", "-l", disk.path)
      throw error
    }
    #expect(try await mount("umount", "-l", disk.path) == 0)
  }

  private static let mayMount: Bool = {
    #if os(Linux)
      guard geteuid() == 0 else { return false }
      // Even an administrator may not where containers forbid it.
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("apollo-swift-mount-\(UUID().uuidString)")
      guard
        (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true))
          != nil
      else { return false }
      defer { try? FileManager.default.removeItem(at: folder) }
      guard mount("tmpfs", folder.path, "tmpfs", 0, nil) == 0 else { return false }
      return umount(folder.path) == 0
    #else
      return false
    #endif
  }()

  @Test(.enabled(if: mayMount, "Making a disk needs an administrator."))
  func aFullDiskLeavesTheOldSet() async throws {
    try await withTemporaryFolder { folder in
      try await withDisk(kilobytes: 2000, at: folder) { project in
        for (name, text) in files(selecting: "old") { try project.write(text, to: name) }
        let first = try await project.apollo("generate")
        #expect(first.status == 0, "\(first.errors)")
        let before = try project.contents(of: "out")
        for (name, text) in files(selecting: "new") { try project.write(text, to: name) }
        let outcome = try await project.apollo("generate")
        expectOneError(
          in: outcome, naming: "No space left on device", "Nothing was changed", "Free some space")
        #expect(try project.contents(of: "out") == before)
      }
    }
  }

  @Test(.enabled(if: mayMount, "Making a disk needs an administrator."))
  func aDiskThatCannotBeWrittenToIsNamed() async throws {
    try await withTemporaryFolder { folder in
      try await withDisk(kilobytes: 10_000, at: folder) { project in
        for (name, text) in files(selecting: "old") { try project.write(text, to: name) }
        _ = try await project.apollo("generate")
        let before = try project.contents(of: "out")
        for (name, text) in files(selecting: "new") { try project.write(text, to: name) }
        let remounted = try await run(
          URL(fileURLWithPath: "/usr/bin/env"),
          ["mount", "-o", "remount,ro", project.folder.path], in: folder)
        #expect(remounted.status == 0, "\(remounted.errors)")
        let outcome = try await project.apollo("generate")
        expectOneError(
          in: outcome, naming: "Read-only file system", "Nothing was changed", "Choose an output")
        #expect(try project.contents(of: "out") == before)
      }
    }
  }
}

extension Array {
  /// `map` for what suspends, one element after the other.
  fileprivate func mapInOrder<Result>(
    _ body: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
