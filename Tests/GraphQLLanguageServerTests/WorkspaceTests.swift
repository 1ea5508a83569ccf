import ApolloCodegenLib
import Foundation
@testable import GraphQLLanguageServer
import GraphQLSyntax
import Testing

/// Projects that come and go, and that share files.
@Suite struct WorkspaceTests {
  private static func configuration(schema: String, operations: String) -> String {
    #"{"schemaNamespace": "A", "input": {"schemaSearchPaths": ["\#(schema)"], "operationSearchPaths": ["\#(operations)"]}, "output": {"schemaTypes": {"path": "G", "moduleType": {"other": {}}}}}"#
  }

  // MARK: Shared files

  private func shared() throws -> TestClient {
    try TestClient([
      "shared/f.graphql": "fragment F on Character { name }",
      "one/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "../{one,shared}/*.graphql"),
      "one/a.graphql": "query A { hero { ...F } }",
      "two/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "../{two,shared}/*.graphql"),
      "two/b.graphql": "query B { hero { ...F } }",
    ])
  }

  @Test(arguments: [
    ("shared/f.graphql", "fragment |F on Character { name }", 9),
    ("one/a.graphql", "query A { hero { ...|F } }", 20),
    ("two/b.graphql", "query B { hero { ...|F } }", 20),
  ])
  func aSharedFragmentIsRenamedInAllProjects(_ file: String, _ text: String, _ column: Int) throws {
    let client = try shared()
    let edit = try client.ask("rename", in: file, text, more: #", "newName": "G""#)
    for (path, range) in [
      ("shared/f.graphql", "0:9-0:10"), ("one/a.graphql", "0:20-0:21"),
      ("two/b.graphql", "0:20-0:21"),
    ] {
      let edits = TestClient.edits(of: client.uri(path), in: edit)
      #expect(edits.map { TestClient.range($0) } == [range], "\(path): \(edit.text)")
    }
    let references = try client.request(
      "textDocument/references",
      #"{"textDocument": {"uri": "\#(client.uri(file))"}, "position": {"line": 0, "character": \#(column)}, "context": {"includeDeclaration": true}}"#
    )
    #expect(references.items?.count == 3)
  }

  /// Two projects with the same fragment, and schemas of their own.
  private func sharedAgainstTwoSchemas(
    _ files: [String: String] = [:], options: String = "{}"
  ) throws -> TestClient {
    try TestClient(
      files.merging([
        "other.graphqls": "type Query { hero: Character } type Character { names: String }",
        "shared/f.graphql": "fragment F on Character { name }",
        "longer/apollo-codegen-config.json": Self.configuration(
          schema: "../schema.graphqls", operations: "../shared/*.graphql"),
        "two/apollo-codegen-config.json": Self.configuration(
          schema: "../other.graphqls", operations: "../shared/*.graphql"),
      ]) { $1 }, options: options)
  }

  @Test func aProblemInOneOfTheProjectsOfAFileHasItsCodeActions() throws {
    let range =
      #", "range": {"start": {"line": 0, "character": 27}, "end": {"line": 0, "character": 27}}"#
    let client = try sharedAgainstTwoSchemas()
    let actions = try client.ask(
      "codeAction", in: "shared/f.graphql", "fragment F on Character { n|ame }", more: range)
    let titles = actions.items?.compactMap { $0["title"]?.string } ?? []
    #expect(titles.contains("Replace with 'names'"), "\(actions.text)")
  }

  @Test func aProblemOfAFileInTwoProjectsIsReportedOnce() throws {
    let client = try TestClient([
      "apollo-codegen-config.json": Self.configuration(
        schema: "schema.graphqls", operations: "**/*.graphql"),
      "one/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "*.graphql"),
      "one/a.graphql": "query A { odl }",
    ])
    #expect(client.diagnostics(of: "one/a.graphql").count == 1)
  }

  @Test func aFieldThatOneOfTheProjectsOfAFileUsesIsNoHint() throws {
    let client = try sharedAgainstTwoSchemas(
      ["longer/View.swift": "hero.friends", "two/View.swift": "hero.name"],
      options: #"{"unusedFields": true}"#)
    client.open("shared/f.graphql", "fragment F on Character { name }")
    #expect(
      !client.diagnostics(of: "shared/f.graphql").contains { $0.hasPrefix("No Swift source") })
  }

  // MARK: One search path for the schema and the operations

  private func mixed(_ files: [String: String] = [:]) throws -> TestClient {
    try TestClient(
      files.merging([
        "apollo-codegen-config.json": Self.configuration(
          schema: "**/*.graphql", operations: "**/*.graphql"),
        "schema.graphql": TestClient.schema, "b.graphql": "query B { old }",
      ]) { $1 }, schema: nil)
  }

  @Test func aFileOfOperationsThatBothSearchPathsMatchIsNoFileOfTheSchema() throws {
    let client = try mixed()
    let keywords = try client.ask("completion", in: "b.graphql", "query B { old }\n|")
    let labels = (keywords["items"]?.items ?? []).compactMap { $0["label"]?.string }
    #expect(labels.contains("query") && labels.contains("fragment"), "\(labels)")
    let hints = try client.request(
      "textDocument/inlayHint",
      #"{"textDocument": {"uri": "\#(client.uri("b.graphql"))"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}}"#
    )
    #expect(hints.items?.count == 1, "\(hints.text)")
  }

  @Test(arguments: ["", "type Added { a: Int }"])
  func aNewFileThatBothSearchPathsMatchIsChecked(_ first: String) throws {
    let client = try mixed()
    client.open("a.graphql", first)
    client.replace("a.graphql", "query A { missing }")
    #expect(client.diagnostics(of: "a.graphql").contains { $0.contains("missing") })
    client.replace("a.graphql", "type Added { a: Int }")
    #expect(client.diagnostics(of: "a.graphql").isEmpty)
  }

  @Test func aNameInABrokenDefinitionIsNotRenamed() throws {
    let client = try TestClient(["b.graphql": "query B { hero { ...F "])
    for (text, name) in [
      ("fragment |F on Character { name }", "G"),
      ("query C { hero { ...|F } } fragment F on Character { name }", "G"),
    ] {
      let error = try client.ask("rename", text, more: #", "newName": "\#(name)""#)
      #expect(
        error["message"]?.string
          == "'b.graphql' has a syntax error, and 'F' in it. Correct it first.", "\(error.text)")
      client.close("a.graphql")
    }
    // Another name, and a variable of that name, are not in it.
    for text in ["fragment |H on Character { name }", "query C($|F: ID!) { rename(id: $F) }"] {
      let edit = try client.ask("rename", text, more: #", "newName": "G""#)
      #expect(edit["changes"] != nil, "\(edit.text)")
      client.close("a.graphql")
    }
  }

  @Test(arguments: [
    ("query A { |a: old name2: old }", "name2", false), ("query A { |a: old old }", "old", false),
    ("query A { hero { |a: name } a: old }", "old", true),
    ("query A { |a: old hero { name } }", "name", true),
    ("query A { |a: old ... { b: old } }", "c", true),
  ])
  func anAliasIsNotRenamedToANameBesideIt(_ text: String, _ name: String, _ isDone: Bool) throws {
    let edit = try TestClient().ask("rename", text, more: #", "newName": "\#(name)""#)
    #expect((edit["changes"] != nil) == isDone, "\(edit.text)")
  }

  @Test func editsHaveTheVersionsOfOpenFiles() throws {
    let client = try TestClient(
      ["b.graphql": "query B { hero { ...F } }"],
      capabilities: #"{"workspace": {"workspaceEdit": {"documentChanges": true}}}"#)
    let edit = try client.ask(
      "rename", "fragment |F on Character { name }", more: #", "newName": "G""#)
    let versions = edit["documentChanges"]?.items?.map { $0["textDocument"]?["version"]?.number }
    #expect(versions == [1, nil])
  }

  // MARK: Folders

  private func changeFolders(_ client: TestClient, added: [String] = [], removed: [String] = []) {
    func list(_ paths: [String]) -> String {
      paths.map { #"{"uri": "\#(client.uri($0))", "name": "x"}"# }.joined(separator: ", ")
    }
    client.notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event": {"added": [\#(list(added))], "removed": [\#(list(removed))]}}"#)
  }

  private func hover(_ client: TestClient, _ path: String) throws -> String {
    try client.request(
      "textDocument/hover",
      #"{"textDocument": {"uri": "\#(client.uri(path))"}, "position": {"line": 0, "character": 11}}"#
    ).text
  }

  @Test func aProjectStaysWhileAFolderContainsIt() throws {
    let client = try TestClient([
      "two/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "*.graphql"),
      "two/a.graphql": "query A { odl }",
    ])
    changeFolders(client, added: ["two"])
    client.open("two/a.graphql", "query A { old }")
    changeFolders(client, removed: ["two"])
    #expect(try hover(client, "two/a.graphql").contains("old: Int"))
  }

  @Test func aProjectGoesWithTheLastFolderThatLeadsToIt() throws {
    let client = try TestClient([
      "apollo-codegen-config.json": Self.configuration(
        schema: "schema.graphqls", operations: "**/*.graphql"),
      "app/a.graphql": "query A { odl }",
    ])
    #expect(client.diagnostics(of: "app/a.graphql").count == 1)
    // The configuration is above the folder.
    changeFolders(client, added: ["app"], removed: ["."])
    #expect(client.diagnostics(of: "app/a.graphql").count == 1)
    changeFolders(client, removed: ["app"])
    #expect(client.diagnostics(of: "app/a.graphql").isEmpty)
  }

  @Test func aNewConfigurationTakesThePlaceOfTheDefaults() throws {
    let files = ["one/a.graphql": "query A { old }", "one/b.graphql": "query B { old }"]
    let client = try TestClient(files)
    #expect(client.diagnostics(of: "one/a.graphql").isEmpty)
    let path = "one/apollo-codegen-config.json"
    let uri = client.uri(path)
    try client.write(
      Self.configuration(schema: "../schema.graphqls", operations: "*.graphql"), to: path)
    client.notify(
      "workspace/didChangeWatchedFiles", #"{"changes": [{"uri": "\#(uri)", "type": 1}]}"#)
    for file in files.keys { #expect(client.diagnostics(of: file).isEmpty) }
    // And the other way round.
    try client.write("query C { odl }", to: "other.graphql")
    try FileManager.default.removeItem(at: client.folder.appendingPathComponent(path))
    client.notify(
      "workspace/didChangeWatchedFiles", #"{"changes": [{"uri": "\#(uri)", "type": 3}]}"#)
    #expect(client.diagnostics(of: "other.graphql").count == 1)
  }

  @Test func aFolderThatIsDeletedTakesItsFilesAlong() throws {
    let client = try TestClient([
      "parts/f.graphql": "fragment F on Character { name }",
      "b.graphql": "query B { hero { ...F } }",
    ])
    #expect(client.diagnostics(of: "b.graphql").isEmpty)
    try FileManager.default.removeItem(at: client.folder.appendingPathComponent("parts"))
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri("parts"))", "type": 3}]}"#)
    #expect(client.diagnostics(of: "b.graphql") == ["Unknown fragment \"F\"."])
  }

  @Test func aFolderThatIsMovedInBringsItsFiles() throws {
    let client = try TestClient(["b.graphql": "query B { hero { ...F } }"])
    #expect(client.diagnostics(of: "b.graphql") == ["Unknown fragment \"F\"."])
    try client.write("fragment F on Character { name }", to: "parts/f.graphql")
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri("parts"))", "type": 1}]}"#)
    #expect(client.diagnostics(of: "b.graphql").isEmpty)
  }

  @Test func aFolderThatIsRenamedTakesItsProjectAlong() throws {
    let client = try TestClient([
      "one/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "*.graphql"),
      "one/a.graphql": "query A { odl }",
    ])
    #expect(client.diagnostics(of: "one/a.graphql").count == 1)
    try FileManager.default.moveItem(
      at: client.folder.appendingPathComponent("one"),
      to: client.folder.appendingPathComponent("two"))
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri("one"))", "type": 3}, {"uri": "\#(client.uri("two"))", "type": 1}]}"#
    )
    #expect(client.diagnostics(of: "one/a.graphql").isEmpty)
    #expect(client.diagnostics(of: "two/a.graphql").count == 1)
  }

  @Test func aLooseFileHasTheFilesBesideItOnly() throws {
    // The folder of the editor is another one.
    let client = try TestClient([
      "loose/schema.graphqls": "type Query { a: Int }", "loose/below/b.graphql": "query B { c }",
      "project/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "*.graphql"),
    ])
    client.open("loose/a.graphql", "query A { b }")
    #expect(client.diagnostics(of: "loose/a.graphql").count == 1)
    #expect(client.publicationCount(of: "loose/below/b.graphql") == 0)
    client.close("loose/a.graphql")
    #expect(client.diagnostics(of: "loose/a.graphql").isEmpty)
  }

  @Test func aLooseFileBelowAnotherHasTheFilesBesideIt() throws {
    // The folder of the editor is another one.
    let client = try TestClient([
      "loose/schema.graphqls": "type Query { a: Int }",
      "loose/below/schema.graphqls": "type Query { b: Int }",
      "project/apollo-codegen-config.json": Self.configuration(
        schema: "../schema.graphqls", operations: "*.graphql"),
    ])
    client.open("loose/a.graphql", "query A { a }")
    client.open("loose/below/b.graphql", "query B { nothing }")
    #expect(client.diagnostics(of: "loose/a.graphql").isEmpty)
    #expect(client.diagnostics(of: "loose/below/b.graphql").count == 1)
  }

  @Test func aFolderThatCannotBeReadLeavesTheOthers() throws {
    let disk = UnreadableDisk(folder: "secret")
    let client = try TestClient(
      ["secret/x.graphql": "query X { old }", "b.graphql": "query B { odl }"], fileSystem: disk)
    #expect(client.diagnostics(of: "b.graphql").count == 1)
    let messages = client.messages.filter { $0["method"]?.string == "window/showMessage" }
    #expect(messages.count == 1 && messages[0].text.contains("secret"))
  }

  @Test(arguments: ["../elsewhere/schema.graphqls", "{../elsewhere,GraphQL}/*.graphqls"])
  func filesOutsideOfTheFoldersAreWatched(_ schema: String) throws {
    let watching =
      #"{"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}}}"#
    let client = try TestClient(
      [
        "apollo-codegen-config.json": Self.configuration(
          schema: schema, operations: "*.graphql")
      ], capabilities: watching)
    let outside = client.folder.deletingLastPathComponent().path + "/elsewhere"
    #expect(
      client.messages.contains {
        $0["method"]?.string == "client/registerCapability"
          && $0.text.contains(#""baseUri":"\#(FileURI.uri(of: outside))""#)
      })
  }

  @Test func filesOfAnyEndingThatASearchPathMatchesAreWatched() throws {
    let client = try TestClient(
      [
        "apollo-codegen-config.json": Self.configuration(
          schema: "schema.graphqls", operations: "**/*.{graphql,query}")
      ],
      capabilities: #"{"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}"#)
    let registrations = client.messages.filter {
      $0["method"]?.string == "client/registerCapability"
    }.flatMap { $0["params"]?["registrations"]?.items ?? [] }
    let watchers = registrations.flatMap { $0["registerOptions"]?["watchers"]?.items ?? [] }
    let patterns = watchers.compactMap { $0["globPattern"]?.string }
    #expect(patterns.contains("**/*.query"))
    #expect(Set(patterns).count == patterns.count, "\(patterns)")
  }

  @Test func filesOutsideOfTheFoldersAreWatchedWhenAConfigurationNamesThem() throws {
    let watching =
      #"{"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}}}"#
    let path = "apollo-codegen-config.json"
    let inside = Self.configuration(schema: "schema.graphqls", operations: "*.graphql")
    let client = try TestClient([path: inside], capabilities: watching)
    let outside = client.folder.deletingLastPathComponent().path + "/elsewhere"
    func registrations() -> Int {
      client.messages.count {
        $0["method"]?.string == "client/registerCapability"
          && $0.text.contains(#""baseUri":"\#(FileURI.uri(of: outside))""#)
      }
    }
    #expect(registrations() == 0)
    client.open(path, inside)
    client.replace(
      path, Self.configuration(schema: "../elsewhere/schema.graphqls", operations: "*.graphql"))
    #expect(registrations() == 1)
  }

  @Test func hintsAndTokensAreRefreshedWithTheSchema() throws {
    let refreshing =
      #"{"workspace": {"inlayHint": {"refreshSupport": true}, "semanticTokens": {"refreshSupport": true}}}"#
    let client = try TestClient(["a.graphql": "{ old }"], capabilities: refreshing)
    func refreshes() -> [String] {
      client.messages.compactMap { $0["method"]?.string }.filter { $0.hasSuffix("/refresh") }
    }
    client.open("a.graphql", "{ hero { name } }")
    #expect(refreshes().isEmpty)
    client.open("schema.graphqls", TestClient.schema)
    client.replace("schema.graphqls", TestClient.schema + " scalar X")
    #expect(refreshes() == ["workspace/inlayHint/refresh", "workspace/semanticTokens/refresh"])
    // JSON-RPC has no parameters that are null.
    #expect(client.messages.allSatisfy { $0["params"]?.kind != .null })
  }

  @Test(arguments: ["schema.graphqls", "apollo-codegen-config.json"])
  func hintsAndTokensAreRefreshedWithANewSchemaOrConfiguration(_ file: String) throws {
    let refreshing =
      #"{"workspace": {"inlayHint": {"refreshSupport": true}, "semanticTokens": {"refreshSupport": true}}}"#
    let texts = [
      "schema.graphqls": TestClient.schema,
      "apollo-codegen-config.json": Self.configuration(
        schema: "other/schema.graphqls", operations: "*.graphql"),
    ]
    let client = try TestClient(
      ["other/schema.graphqls": "type Query { other: Int }"], schema: nil, capabilities: refreshing)
    client.open("a.graphql", "{ other }")
    try client.write(try #require(texts[file]), to: file)
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri(file))", "type": 1}]}"#)
    let refreshes = client.messages.compactMap { $0["method"]?.string }
      .filter { $0.hasSuffix("/refresh") }
    #expect(refreshes == ["workspace/inlayHint/refresh", "workspace/semanticTokens/refresh"])
  }
}

/// The real file system, one folder of which cannot be read.
private struct UnreadableDisk: FileSystem {
  let folder: String
  private let disk = Disk()

  init(folder: String) { self.folder = folder }

  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    if Path.name(of: directory) == folder { return try disk.entries(of: directory + "/nothing") }
    return try disk.entries(of: directory)
  }

  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    try disk.read(path, limit: limit)
  }
  func kind(of path: String, followingLinks: Bool) -> FileKind? {
    disk.kind(of: path, followingLinks: followingLinks)
  }
  func contents(of path: String, equal bytes: [UInt8]) -> Bool {
    disk.contents(of: path, equal: bytes)
  }
  func resolved(_ path: String) -> String? { disk.resolved(path) }
  func stamp(of path: String) -> String? { disk.stamp(of: path) }
  func createDirectory(_ path: String) throws(DiskError) { try disk.createDirectory(path) }
  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) { try disk.create(path, bytes) }
  func link(_ path: String, as name: String) throws(DiskError) { try disk.link(path, as: name) }
  func move(_ path: String, to target: String) throws(DiskError) { try disk.move(path, to: target) }
  func remove(_ path: String) throws(DiskError) { try disk.remove(path) }
  func removeDirectory(_ path: String) throws(DiskError) { try disk.removeDirectory(path) }
  func touch(_ path: String) throws(DiskError) { try disk.touch(path) }
  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) { try disk.rewrite(path, bytes) }
  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? {
    try disk.lock(directory)
  }
}
