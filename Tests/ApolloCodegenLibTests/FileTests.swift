import ApolloCodegenLib
import Foundation
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    (["*.graphql"], ["a.graphql"]),
    (["**/*.graphql"], ["a.graphql", "x/b.graphql", "x/y/c.graphql"]),
    (["x/*.graphql"], ["x/b.graphql"]),
    (["x/**/?.graphql"], ["x/b.graphql", "x/y/c.graphql"]),
    (["**/*.graphql", "!x/y/**"], ["a.graphql", "x/b.graphql"]),
    (["**/*.graphql", "!x"], ["a.graphql"]), (["**/*.graphql", "!x/"], ["a.graphql"]),
    (["**/*.graphql", "!**/y"], ["a.graphql", "x/b.graphql"]),
    (["**/*.graphql", "!x/*"], ["a.graphql", "x/y/c.graphql"]),
    (["**/*.graphql", "!x/b.graphql"], ["a.graphql", "x/y/c.graphql"]),
    (["./x/../a.graphql"], ["a.graphql"]),
    (["none/**/*.graphql"], []),
    (["{a,x/b}.{graphql,gql}"], ["a.graphql", "x/b.graphql"]),
    (["**/*.graphql", "!**/{b,c}.graphql"], ["a.graphql"]),
    (["**/*.graphql", "*.graphql"], ["a.graphql", "x/b.graphql", "x/y/c.graphql"]),
    (["*/f.graphql"], []), (["node_modules/**/*.graphql"], ["node_modules/m/f.graphql"]),
    (["build/*.graphql", ".*/d.graphql"], ["build/f.graphql"]),
    ([".hidden/*.graphql"], [".hidden/f.graphql"]),
  ])
  func findsTheFilesThatMatch(_ patterns: [String], _ expected: [String]) throws {
    let folder = try TemporaryFolder()
    for name in [
      "a.graphql", "x/b.graphql", "x/y/c.graphql", ".build/d.graphql", "x/e.txt",
      ".hidden/f.graphql", "build/f.graphql", "x/build/f.graphql", "DerivedData/f.graphql",
      "node_modules/m/f.graphql", "x/node_modules/f.graphql",
    ] {
      try folder.write("", to: name)
    }
    try Disk().createDirectories(folder.path + "/folder.graphql")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/x/loop", withDestinationPath: folder.path)
    let glob = try Glob(patterns, root: folder.path)
    let found = try glob.files(in: Disk())
    #expect(found.map { Path.display($0, from: folder.path) } == expected)
    // The files of a commit are matched by their paths alone.
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      Disk().kind(of: "\(folder.path)/\($0)", followingLinks: false) == .file
    }
    #expect(all.filter { glob.matches("\(folder.path)/\($0)") }.sorted() == expected)
  }

  @Test(arguments: [
    ("a", ["a"]), ("{a,b}", ["a", "b"]), ("x{a,b,}y", ["xay", "xby", "xy"]),
    ("{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]), ("{a,{b,c}d}", ["a", "bd", "cd"]),
    ("!{a,b}", ["!a", "!b"]), ("{a}", ["{a}"]), ("{a}{b,c}", ["{a}b", "{a}c"]), ("{a,b", ["{a,b"]),
    ("a,b}", ["a,b}"]), ("{}", ["{}"]), ("{{a,b}}", ["{a}", "{b}"]), ("{a,{b", ["{a,{b"]),
  ])
  func expandsBracesToAlternatives(_ pattern: String, _ expected: [String]) {
    #expect(Glob.alternatives(of: pattern) == expected)
  }

  @Test(arguments: [("what?", "whatX"), ("a*", "ab"), ("**", "other")])
  func takesTheNameOfTheRootFolderAsItIs(_ name: String, _ sibling: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "\(name)/a.graphql")
    try folder.write("", to: "\(sibling)/b.graphql")
    let glob = try Glob(["*.graphql"], root: "\(folder.path)/\(name)")
    #expect(try glob.files(in: Disk()) == ["\(folder.path)/\(name)/a.graphql"])
    #expect(!glob.matches("\(folder.path)/\(sibling)/b.graphql"))
  }

  @Test(arguments: [
    ("x/*.graphql", "/r?/x"), ("**/*.graphql", "/r?"), ("../x/a.graphql", "/x"),
    ("/y/*/a.graphql", "/y"), ("x/../../y/*.graphql", "/y"),
  ])
  func findsTheFolderThatAPatternStartsIn(_ pattern: String, _ base: String) {
    #expect(Glob.base(of: pattern, root: "/r?") == base)
  }

  @Test func rejectsAnExclamationMarkInTheMiddle() {
    #expect(throws: Glob.InvalidPattern.self) { try Glob(["a/!b"], root: "/") }
  }
}

@Suite struct OutputWriterTests {
  private let ours = GeneratedFile.marker + ". Do not edit.\n"

  private func write(
    _ folder: TemporaryFolder, _ files: [String: String], pruning: [String] = []
  ) throws -> WriteSummary {
    let outputs = files.sorted { $0.key < $1.key }
      .map { OutputFile(path: "\(folder.path)/out/\($0.key)", text: $0.value) }
    return try OutputWriter(folders: [folder.path + "/out"], fileSystem: Disk())
      .write(outputs, pruning: { pruning.map { "\(folder.path)/out/\($0)" } })
  }

  @Test func writesOnlyChangedFiles() throws {
    let folder = try TemporaryFolder()
    let files = ["a.swift": ours + "a", "b/c.swift": ours + "c"]
    #expect(try write(folder, files).written.count == 2)
    let second = try write(folder, files)
    #expect(second.written.isEmpty && second.unchangedCount == 2)
    let third = try write(folder, ["a.swift": ours + "new", "b/c.swift": ours + "c"])
    #expect(third.written == [folder.path + "/out/a.swift"])
    #expect(try folder.text(of: "out/a.swift") == ours + "new")
  }

  @Test func removesOnlyLeftoversOfTheGenerator() throws {
    let folder = try TemporaryFolder()
    _ = try write(folder, ["a.swift": ours, "old/b.swift": ours])
    try folder.write("// by hand", to: "out/mine.swift")
    let summary = try write(
      folder, ["a.swift": ours], pruning: ["a.swift", "old/b.swift", "mine.swift", "none.swift"])
    #expect(summary.removed == [folder.path + "/out/old/b.swift"])
    #expect(!folder.exists("out/old"))
    #expect(folder.exists("out/mine.swift"))
  }

  @Test(arguments: ["old", "new"], [true, false])
  func replacesAFileWhoseNameChangesInLetterCaseAlone(
    _ text: String, ignoresCase: Bool
  ) throws {
    let former = "/out/GetURLQuery.graphql.swift"
    let fileSystem = MemoryFileSystem([former: ours + text], ignoringCase: ignoresCase)
    let file = OutputFile(path: "/out/GetUrlQuery.graphql.swift", text: ours + "new")
    let summary = try OutputWriter(folders: ["/out"], fileSystem: fileSystem)
      .write([file], pruning: { [former] })
    #expect(summary.written == [file.path] && summary.removed == [former])
    #expect(fileSystem.files == [file.path: file.contents])
  }

  @Test func neverOverwritesAForeignFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("// by hand", to: "out/a.swift")
    #expect(throws: WriteError.foreignFile(folder.path + "/out/a.swift")) {
      try write(folder, ["a.swift": ours, "b.swift": ours])
    }
    #expect(try folder.text(of: "out/a.swift") == "// by hand")
    #expect(!folder.exists("out/b.swift"))
  }

  @Test(arguments: [
    (["// by hand"], ". Move it away, or change the output path."),
    (["// a", "// b"], ", and so is 1 more file. Move them away, or change the output path."),
    (
      [
        "// @generated\n// This file was automatically generated and should not be edited.\n", "",
        "",
      ],
      ", and so are 2 more files. Apollo iOS generated it: 'apollo-cli migrate' replaces its files, "
        + "and lists what changes."
    ),
  ])
  func reportsForeignFilesWithAdvice(_ texts: [String], _ ending: String) throws {
    let folder = try TemporaryFolder()
    let names = texts.indices.map { "\($0).swift" }
    for (name, text) in zip(names, texts) { try folder.write(text, to: "out/\(name)") }
    let error = #expect(throws: WriteError.self) {
      try write(folder, Dictionary(uniqueKeysWithValues: names.map { ($0, ours) }))
    }
    #expect(
      error?.description
        == "'\(folder.path)/out/0.swift' was not written by apollo-cli, so it is not overwritten\(ending)"
    )
  }

  @Test func doesNotFollowLinksOutOfTheFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write(ours, to: "elsewhere/a.swift")
    try Disk().createDirectories(folder.path + "/out")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out/link", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: WriteError.self) { try write(folder, ["link/b.swift": ours]) }
    _ = try write(folder, [:], pruning: ["link/a.swift"])
    #expect(folder.exists("elsewhere/a.swift"))
    #expect(!folder.exists("elsewhere/b.swift"))
  }

  @Test func failsWhileAnotherGeneratorHoldsTheFolder() throws {
    let folder = try TemporaryFolder()
    try Disk().createDirectories(folder.path + "/out")
    let lock = try Disk.Lock(directory: folder.path + "/out")
    #expect(throws: WriteError.locked(folder.path + "/out")) {
      try write(folder, ["a.swift": ours])
    }
    _ = consume lock
    #expect(try write(folder, ["a.swift": ours]).written.count == 1)
  }

  @Test(arguments: [["a", "b"], ["b", "a"]])
  func locksEveryFolderBeforeItDecides(_ names: [String]) throws {
    let folder = try TemporaryFolder()
    let folders = names.map { "\(folder.path)/\($0)" }
    let file = OutputFile(path: folders[0] + "/x.swift", text: ours)
    try folder.write("// by hand", to: names[0] + "/x.swift")
    try Disk().createDirectories(folders[1])
    let lock = try Disk.Lock(directory: folders[1])
    let writer = OutputWriter(folders: folders, fileSystem: Disk())
    #expect(throws: WriteError.locked(folders[1])) { try writer.write([file]) }
    _ = consume lock
    #expect(throws: WriteError.foreignFile(file.path)) { try writer.write([file]) }
  }

  @Test func acceptsOneFolderUnderTwoNames() throws {
    let folder = try TemporaryFolder()
    try Disk().createDirectories(folder.path + "/out")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/out")
    let file = OutputFile(path: folder.path + "/out/a.swift", text: ours)
    let folders = ["out", "link", "out"].map { "\(folder.path)/\($0)" }
    let writer = OutputWriter(folders: folders, fileSystem: Disk())
    #expect(try writer.write([file]).written == [file.path])
  }

  @Test func replacesAFileBesideThatOfAKilledRunWithTheSameProcessNumber() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.graphql"
    try Disk().create(path, Array("old".utf8))
    try Disk().create("\(path).\(Disk.processIdentifier).tmp", Array("ha".utf8))
    try Disk().rewrite(path, Array("new".utf8))
    #expect(try folder.text(of: "a.graphql") == "new")
    try Disk().replace(path, Array("newer".utf8))
    #expect(try folder.text(of: "a.graphql") == "newer")
    let name = "a.graphql.\(Disk.processIdentifier).tmp"
    #expect(try Disk().entries(of: folder.path).map(\.name) == ["a.graphql", name])
  }

  @Test func rewritesNoFileThatWasChangedSinceItWasRead() throws {
    let folder = try TemporaryFolder()
    try folder.write("saved", to: "a.graphql")
    let path = folder.path + "/a.graphql"
    let bytes = Array("formatted".utf8)
    #expect(try !Disk().rewrite(path, bytes, ifStill: Array("read".utf8)[...]))
    #expect(try folder.text(of: "a.graphql") == "saved")
    #expect(try Disk().rewrite(path, bytes, ifStill: Array("saved".utf8)[...]))
    #expect(try folder.text(of: "a.graphql") == "formatted")
    #expect(try Disk().rewrite(path, bytes, ifStill: Array("saved".utf8)[...]))
  }

  @Test func removesFilesOfKilledRuns() throws {
    let folder = try TemporaryFolder()
    let remainders = [".apollo-codegen-0.tmp", ".apollo-codegen-12-3.old"]
    for name in remainders + ["other/.apollo-codegen-7-1.tmp", ".apollo-codegen-notes.tmp"] {
      try folder.write("half", to: "out/\(name)")
    }
    _ = try write(folder, ["a.swift": ours], pruning: ["other/.apollo-codegen-7-1.tmp"])
    #expect(
      try Disk().entries(of: folder.path + "/out").map(\.name)
        == [".apollo-codegen-notes.tmp", "a.swift", "other"])
    #expect(try Disk().entries(of: folder.path + "/out/other").isEmpty)
  }

  @Test func keepsFilesOfTheUser() throws {
    let folder = try TemporaryFolder()
    let file = OutputFile(path: folder.path + "/out/a.swift", text: "first", ownership: .user)
    let writer = OutputWriter(folders: [folder.path + "/out"], fileSystem: Disk())
    #expect(try writer.write([file]).written.count == 1)
    try folder.write("edited", to: "out/a.swift")
    #expect(try writer.write([file], pruning: { [file.path] }).written.isEmpty)
    #expect(try folder.text(of: "out/a.swift") == "edited")
  }
}
