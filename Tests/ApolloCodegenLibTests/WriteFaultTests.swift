import ApolloCodegenLib
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Failures at every step of writing. Afterwards the folder holds the old files or the new ones.
@Suite struct WriteFaultTests {
  /// A folder with every kind of file that a run can meet, and a run that changes all of it.
  private struct Scene {
    let folder: TemporaryFolder
    static let ours = GeneratedFile.marker + ". Do not edit.\n"
    static let manifest = #"{"format": "apollo-persisted-query-manifest", "operations": []}"#

    static let before = [
      "out/changed.graphql.swift": ours + "old",
      "out/deep/changed.graphql.swift": ours + "old",
      "out/same.graphql.swift": ours + "same",
      "out/gone/stale.graphql.swift": ours + "stale",
      "out/stale.graphql.swift": ours + "stale",
      "out/Date.swift": "typealias Date = Double",
      "out/notes.txt": "by hand",
      "out/mine.graphql.swift": "// by hand",
      "manifest.json": manifest,
    ]
    static let after = [
      "out/changed.graphql.swift": ours + "new",
      "out/deep/changed.graphql.swift": ours + "new",
      "out/same.graphql.swift": ours + "same",
      "out/Date.scalar.swift": "typealias Date = Double",
      "out/SchemaConfiguration.swift": "// yours",
      "out/new/deeper/new.graphql.swift": ours + "new",
      "out/notes.txt": "by hand",
      "out/mine.graphql.swift": "// by hand",
      "manifest.json": manifest + "\n",
    ]

    init() throws {
      folder = try TemporaryFolder()
      for (name, text) in Self.before { try folder.write(text, to: name) }
    }

    func run(on fileSystem: any FileSystem) throws(WriteError) -> WriteSummary {
      let out = folder.path + "/out"
      let files = [
        OutputFile(path: out + "/changed.graphql.swift", text: Self.ours + "new"),
        OutputFile(path: out + "/deep/changed.graphql.swift", text: Self.ours + "new"),
        OutputFile(path: out + "/same.graphql.swift", text: Self.ours + "same"),
        OutputFile(path: out + "/new/deeper/new.graphql.swift", text: Self.ours + "new"),
        OutputFile(path: out + "/SchemaConfiguration.swift", text: "// yours", ownership: .user),
        OutputFile(
          path: out + "/Date.scalar.swift", text: "typealias Date = String", ownership: .user,
          formerPaths: [out + "/Date.swift"]),
        OutputFile(
          path: folder.path + "/manifest.json", text: Self.manifest + "\n",
          origin: .operationManifest),
      ]
      return try OutputWriter(folders: [out, folder.path], fileSystem: fileSystem)
        .write(
          files,
          pruning: { () throws(DiskError) in
            try Glob(
              trusting: ["out/**/*.graphql.swift", "out/**/.apollo-codegen-*"], root: folder.path
            ).files(in: Disk())
          })
    }

    /// Returns every file with its text.
    func contents() throws -> [String: String] {
      var result: [String: String] = [:]
      for path in try Glob(trusting: ["**/*"], root: folder.path).files(in: Disk()) {
        let name = Path.display(path, from: folder.path)
        result[name] = try folder.text(of: name)
      }
      return result
    }

    /// Returns the files without the hidden ones that a killed run may leave.
    func visibleContents() throws -> [String: String] {
      try contents().filter { !Path.name(of: $0.key).hasPrefix(".apollo-codegen-") }
    }
  }

  /// The number of steps of a run without failures.
  private let stepCount: Int

  init() throws {
    let disk = FaultyDisk(failingAt: .max, with: .error(0))
    _ = try Scene().run(on: disk)
    stepCount = disk.stepCount
  }

  @Test func aRunWithoutFaultsWritesTheNewSet() throws {
    let scene = try Scene()
    let summary = try scene.run(on: Disk())
    #expect(try scene.contents() == Scene.after)
    #expect(summary.written.count == 6 && summary.removed.count == 3 && summary.unchangedCount == 1)
    #expect(!scene.folder.exists("out/gone"))
    #expect(stepCount > 20, "The loops below are as long as this run has steps.")
  }

  @Test(arguments: [ENOSPC, EACCES, EROFS, EIO])
  func aFailedStepLeavesTheOldSet(_ code: Int32) throws {
    for step in 0..<stepCount {
      let scene = try Scene()
      do {
        _ = try scene.run(on: FaultyDisk(failingAt: step, with: .error(code)))
        // A failure after the last essential step has no effect, except for files that the next run
        // removes.
        #expect(try scene.visibleContents() == Scene.after, "step \(step)")
      } catch {
        #expect(try scene.contents() == Scene.before, "step \(step): \(error)")
        #expect(!scene.folder.exists("out/new"), "step \(step)")
        #expect("\(error)".contains("Nothing was changed."), "step \(step): \(error)")
      }
      _ = try scene.run(on: Disk())
      #expect(try scene.contents() == Scene.after, "step \(step), and again")
    }
  }

  /// Renaming needs no space: once everything is on the disk, a run succeeds.
  @Test func aFullDiskLeavesTheOldOrTheNewSet() throws {
    var (old, new) = (0, 0)
    for step in 0..<stepCount {
      let scene = try Scene()
      do {
        _ = try scene.run(on: FaultyDisk(failingAt: step, with: .fullDisk))
        #expect(try scene.contents() == Scene.after, "step \(step)")
        new += 1
      } catch {
        #expect(try scene.contents() == Scene.before, "step \(step): \(error)")
        #expect("\(error)".contains("Nothing was changed. Free some space there"), "\(error)")
        old += 1
      }
    }
    #expect(old > 0 && new > 0)
  }

  /// A killed process cannot revert anything. Each file is whole, the user's files are unchanged,
  /// and the next run completes the set.
  @Test func aRunThatIsKilledLeavesWholeFiles() throws {
    var mixtures = 0
    for step in 0..<stepCount {
      let scene = try Scene()
      _ = try? scene.run(on: FaultyDisk(failingAt: step, with: .death))
      let contents = try scene.visibleContents()
      for (name, text) in contents {
        #expect(text == Scene.before[name] || text == Scene.after[name], "step \(step): \(name)")
      }
      for (name, text) in Scene.before where Scene.after[name] == text {
        #expect(contents[name] == text, "step \(step): \(name)")
      }
      #expect(contents.values.contains("typealias Date = Double"), "step \(step)")
      // No file that exists before and after is ever missing.
      for name in Scene.before.keys where Scene.after[name] != nil {
        #expect(contents[name] != nil, "step \(step): \(name)")
      }
      if contents != Scene.before, contents != Scene.after { mixtures += 1 }
      _ = try scene.run(on: Disk())
      #expect(try scene.contents() == Scene.after, "step \(step), and again")
    }
    #expect(mixtures > 0, "Some of these deaths were between two names.")
  }

  @Test func copiesFilesIfThereAreNoHardLinks() throws {
    let scene = try Scene()
    _ = try scene.run(on: FaultyDisk(failingAt: .max, with: .error(0), linksWork: false))
    #expect(try scene.contents() == Scene.after)
    for step in 0..<stepCount {
      let scene = try Scene()
      let disk = FaultyDisk(failingAt: step, with: .error(EIO), linksWork: false)
      guard (try? scene.run(on: disk)) == nil else { continue }
      #expect(try scene.contents() == Scene.before, "step \(step)")
    }
  }

  @Test func reportsFilesThatCannotBeRestored() throws {
    let scene = try Scene()
    // All later steps fail, but the process continues: the renamed files stay as they are.
    let error = #expect(throws: WriteError.self) {
      try scene.run(on: FaultyDisk(failingAt: stepCount - 8, with: .error(EIO), lasting: true))
    }
    let text = "\(try #require(error))"
    #expect(
      text.contains("could not be put back: '") && text.contains(".graphql.swift'"), "\(text)")
  }
}

/// The real file system, with a fault at one step.
private final class FaultyDisk: FileSystem {
  enum Fault {
    /// The step fails. Later ones succeed, unless the fault lasts.
    case error(Int32)
    /// From this step on nothing can be created, and half of the bytes remain.
    case fullDisk
    /// The process ends at this step, without cleaning up.
    case death
  }

  private let faultyStep: Int
  private let fault: Fault
  private let isLasting: Bool
  private let linksWork: Bool
  /// The number of steps so far.
  private(set) var stepCount = 0

  init(failingAt step: Int, with fault: Fault, lasting: Bool = false, linksWork: Bool = true) {
    faultyStep = step
    self.fault = fault
    isLasting = lasting
    self.linksWork = linksWork
  }

  /// Throws if this step has its fault.
  private func step(_ path: String, needsRoom: Bool = false, half: () -> Void = {})
    throws(DiskError)
  {
    let step = stepCount
    stepCount += 1
    guard step >= faultyStep else { return }
    switch fault {
    case .error(let code) where step == faultyStep || isLasting:
      throw DiskError(action: "change", path: path, code: code)
    case .error: return
    case .fullDisk where needsRoom:
      half()
      throw DiskError(action: "write", path: path, code: ENOSPC)
    case .fullDisk: return
    case .death:
      if step == faultyStep { half() }
      throw DiskError(action: "live", path: path, code: EINTR)
    }
  }

  // MARK: Reading, which has no faults

  func kind(of path: String, followingLinks: Bool) -> FileKind? {
    Disk().kind(of: path, followingLinks: followingLinks)
  }

  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    try Disk().read(path, limit: limit)
  }

  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    try Disk().entries(of: directory)
  }

  func resolved(_ path: String) -> String? { Disk().resolved(path) }
  func stamp(of path: String) -> String? { Disk().stamp(of: path) }

  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? {
    try Disk().lock(directory)
  }

  // MARK: Writing

  func createDirectory(_ path: String) throws(DiskError) {
    try step(path, needsRoom: true)
    try Disk().createDirectory(path)
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try step(path, needsRoom: true) {
      try? Disk().create(path, Array(bytes.prefix(bytes.count / 2)))
    }
    try Disk().create(path, bytes)
  }

  func link(_ path: String, as name: String) throws(DiskError) {
    guard linksWork else { throw DiskError(action: "link", path: path, code: EPERM) }
    try step(path, needsRoom: true)
    try Disk().link(path, as: name)
  }

  func move(_ path: String, to target: String) throws(DiskError) {
    try step(path)
    try Disk().move(path, to: target)
  }

  func remove(_ path: String) throws(DiskError) {
    try step(path)
    try Disk().remove(path)
  }

  func removeDirectory(_ path: String) throws(DiskError) {
    try step(path)
    try Disk().removeDirectory(path)
  }

  func touch(_ path: String) throws(DiskError) {
    try step(path)
    try Disk().touch(path)
  }

  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try step(path, needsRoom: true)
    try Disk().rewrite(path, bytes)
  }
}
