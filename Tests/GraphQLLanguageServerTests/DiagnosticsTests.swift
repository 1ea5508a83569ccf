import ApolloCodegenLib
import Foundation
@testable import GraphQLLanguageServer
import GraphQLSyntax
import SeededRandom
import Testing

/// The problems of projects while their files change.
@Suite struct DiagnosticsTests {
  @Test func reportsWhatIsWrongWhileItIsWritten() throws {
    let client = try TestClient()
    client.open("a.graphql", "query A { hero { nme } }")
    #expect(client.diagnostics(of: "a.graphql").first?.contains("Did you mean \"name\"?") == true)
    client.edit("a.graphql", 0, 17, 20, "name")
    #expect(client.diagnostics(of: "a.graphql").isEmpty)
    client.edit("a.graphql", 0, 24, 25, "")
    #expect(client.diagnostics(of: "a.graphql") == ["Syntax Error: Expected Name, found <EOF>."])
  }

  @Test func reportsFilesThatAnEditOfAnotherConcerns() throws {
    let client = try TestClient([
      "f.graphql": "fragment F on Character { name }", "b.graphql": "query B { hero { ...F } }",
    ])
    #expect(client.diagnostics(of: "b.graphql").isEmpty)
    client.open("f.graphql", "fragment G on Character { name }")
    #expect(client.diagnostics(of: "b.graphql") == ["Unknown fragment \"F\"."])
    // A definition with a mistake is still there for others.
    client.replace("f.graphql", "fragment F on Character { name(")
    #expect(client.diagnostics(of: "b.graphql").isEmpty)
  }

  @Test func readsTheSchemaAgainWhenItChanges() throws {
    let client = try TestClient(["b.graphql": "query B { hero { name } }"])
    client.open("schema.graphqls", "type Query { villain: String }")
    #expect(client.diagnostics(of: "b.graphql").count == 1)
    client.notify(
      "textDocument/didClose", #"{"textDocument": {"uri": "\#(client.uri("schema.graphqls"))"}}"#)
    #expect(client.diagnostics(of: "b.graphql").isEmpty)
    try client.write("type Query { villain: String }", to: "schema.graphqls")
    client.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes": [{"uri": "\#(client.uri("schema.graphqls"))", "type": 2}]}"#)
    #expect(client.diagnostics(of: "b.graphql").count == 1)
  }

  @Test func reportsMistakesOfTheConfiguration() throws {
    let client = try TestClient(["apollo-codegen-config.json": #"{"schemaNamespace": 1}"#])
    #expect(!client.diagnostics(of: "apollo-codegen-config.json").isEmpty)
  }

  @Test func keepsProjectsApart() throws {
    func configuration(_ name: String) -> String {
      #"{"schemaNamespace": "\#(name)", "output": {"schemaTypes": {"path": "G", "moduleType": {"other": {}}}}}"#
    }
    let client = try TestClient(
      [
        "one/apollo-codegen-config.json": configuration("One"),
        "one/s.graphqls": "type Query { one: Int }", "one/a.graphql": "query A { one }",
        "two/apollo-codegen-config.json": configuration("Two"),
        "two/s.graphqls": "type Query { two: Int }", "two/a.graphql": "query A { one }",
      ], schema: nil)
    #expect(client.diagnostics(of: "one/a.graphql").isEmpty)
    #expect(client.diagnostics(of: "two/a.graphql").count == 1)
    let result = try client.ask("completion", in: "two/a.graphql", "query A { | }")
    #expect(result["items"]?.items?.first?["label"]?.string == "two")
  }

  @Test func answersRequestsForDiagnosticsInPlaceOfReportingThem() throws {
    let client = try TestClient(capabilities: #"{"textDocument": {"diagnostic": {}}}"#)
    let result = try client.ask("diagnostic", "query A { hero { nme } }|")
    #expect(result["items"]?.items?.count == 1)
    #expect(client.diagnostics(of: "a.graphql").isEmpty)
  }

  @Test func anAbilityThatIsNullIsNone() throws {
    let client = try TestClient(capabilities: #"{"textDocument": {"diagnostic": null}}"#)
    client.open("a.graphql", "query A { hero { nme } }")
    #expect(client.diagnostics(of: "a.graphql").count == 1)
  }

  @Test func theResponseToInitializeDoesNotWaitForTheFiles() throws {
    let disk = CountingDisk()
    var server = LanguageServer(version: "1", fileSystem: disk)
    let folder = NSTemporaryDirectory()
    server.receive(
      MessageFraming.framed(
        #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": "file://\#(folder)none", "capabilities": {}}}"#
      ))
    #expect(TestClient.messages(in: server.run()).count == 1)
    #expect(disk.readCount == 0 && server.hasWork)
  }

  private static let pulling =
    #"{"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}}"#

  @Test func withdrawsWhatItHasPublishedWhenTheClientRequestsIt() throws {
    let client = try TestClient(
      ["a.graphql": "query A { nme }", "b.graphql": "query B { old }"], capabilities: Self.pulling)
    #expect(client.diagnostics(of: "a.graphql").count == 1)
    let result = try client.ask("diagnostic", "query A { nme }|")
    #expect(result["items"]?.items?.count == 1)
    #expect(client.diagnostics(of: "a.graphql").isEmpty)
    // What the request has returned is shown until the file is closed.
    client.close("a.graphql")
    #expect(client.diagnostics(of: "a.graphql").count == 1)
    let count = client.publicationCount(of: "b.graphql")
    client.open("b.graphql", "query B { old }")
    client.close("b.graphql")
    #expect(client.publicationCount(of: "b.graphql") == count)
  }

  /// A fragment of the file is wrong only for the operations of others, which are many in the
  /// second case.
  @Test(arguments: [1, 12])
  func returnsProblemsThatOtherFilesFind(_ count: Int) throws {
    let others = Dictionary(
      uniqueKeysWithValues: (0..<count).map {
        ("o\($0).graphql", "query O\($0) { hero { ...F } }")
      })
    let client = try TestClient(others, capabilities: Self.pulling)
    let request = #"{"textDocument": {"uri": "\#(client.uri("f.graphql"))"}}"#
    func pulledCount() throws -> Int? {
      try client.request("textDocument/diagnostic", request)["items"]?.items?.count
    }
    client.open("f.graphql", "fragment F on Character { name }")
    #expect(try pulledCount() == 0)
    let edited =
      #"{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "\#(client.uri("f.graphql"))", "version": 2}, "contentChanges": [{"text": "fragment F on Character { name @include(if: $x) }"}]}}"#
    let pull =
      #"{"jsonrpc": "2.0", "id": "p", "method": "textDocument/diagnostic", "params": \#(request)}"#
    let first = client.sendTogether([edited, pull]).first { $0["id"]?.string == "p" }
    if count == 1 { #expect(first?["result"]?["items"]?.items?.count == 1) }
    if first?["result"]?["items"]?.items?.count != count {
      let later = client.receiveOnce()
      #expect(later.contains { $0["method"]?.string == "workspace/diagnostic/refresh" })
    }
    #expect(try pulledCount() == count)
  }

  // MARK: - Order of work

  @Test func answersBeforeItChecksOtherFiles() throws {
    // More than are checked with the edited file itself.
    let others = Dictionary(
      uniqueKeysWithValues: (0..<12).map {
        ("o\($0).graphql", "query O\($0) { hero { ...F } }")
      })
    let client = try TestClient(others)
    client.open("f.graphql", "fragment F on Character { name }")
    let edit =
      #"{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "\#(client.uri("f.graphql"))", "version": 2}, "contentChanges": [{"text": "fragment G on Character { name }"}]}}"#
    _ = client.sendTogether([edit])
    #expect(client.serverHasWork)
    let received = client.sendTogether([
      #"{"jsonrpc": "2.0", "id": 99, "method": "textDocument/hover", "params": {"textDocument": {"uri": "\#(client.uri("f.graphql"))"}, "position": {"line": 0, "character": 27}}}"#
    ])
    #expect(received.count == 1 && received.first?["id"]?.number == 99)
    #expect(client.serverHasWork)
    #expect(client.receiveOnce().count == 12)
    #expect(!client.serverHasWork)
    // After the end, there is no client to report to.
    _ = client.sendTogether([edit])
    #expect(client.sendTogether([#"{"jsonrpc": "2.0", "method": "exit"}"#]).isEmpty)
    #expect(!client.serverHasWork)
    #expect(client.receiveOnce().isEmpty)
  }

  @Test func readsAProjectOnceForAllChangedFiles() throws {
    let disk = CountingDisk()
    let names = (0..<10).map { "o\($0).graphql" }
    let client = try TestClient(
      Dictionary(uniqueKeysWithValues: names.map { ($0, "query \($0.prefix(2)) { old }") }),
      fileSystem: disk)
    func readCount(_ body: () throws -> Void) rethrows -> Int {
      let before = disk.readCount
      try body()
      return disk.readCount - before
    }
    func notifyOfChanges(_ names: [String]) {
      let changes = names.map { #"{"uri": "\#(client.uri($0))", "type": 2}"# }
      client.notify(
        "workspace/didChangeWatchedFiles", #"{"changes": [\#(changes.joined(separator: ", "))]}"#)
    }
    // The schema and the operations, and the configuration that is not there.
    let whole = names.count + 2
    for name in names { try client.write("query \(name.prefix(2)) { nme }", to: name) }
    #expect(readCount { notifyOfChanges(names) } <= whole)
    #expect(names.allSatisfy { client.diagnostics(of: $0).count == 1 })
    // One file is read alone.
    try client.write("query o1 { old }", to: "o1.graphql")
    #expect(readCount { notifyOfChanges(["o1.graphql"]) } == 1)
    #expect(client.diagnostics(of: "o1.graphql").isEmpty)
    // The text of an open file replaces that on disk.
    client.open("o2.graphql", "query o2 { old }")
    #expect(readCount { notifyOfChanges(["o2.graphql"]) } == 0)
    #expect(client.diagnostics(of: "o2.graphql").isEmpty)
    #expect(readCount { client.close("o2.graphql") } == 1)
    #expect(client.diagnostics(of: "o2.graphql").count == 1)
    for name in names { client.open(name, "query \(name.prefix(2)) { old }") }
    let closings = names.map {
      #"{"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "\#(client.uri($0))"}}}"#
    }
    #expect(readCount { _ = client.sendTogether(closings) } <= whole)
  }

  // MARK: - Increments

  private static let files = [
    "f.graphql": "fragment F on Character { name ...G }\nfragment H on Character { x: name }",
    "g.graphql": "fragment G on Character { id friends { name } }",
    "a.graphql": "query A($e: Episode) { hero(episode: $e) { ...F ...H } }",
    "b.graphql": "query B { hero { ...G x: id } }", "c.graphql": "query C { old }",
    "d.graphql": "{ hero { ...F } }",
    "e.graphql": "mutation E { rename(id: 1, name: \"\") { id } }",
    "h.graphql": "query B { search(text: \"\") { ... on Human { ...H } } }",
    "i.graphql": "query I { hero { ...Unknown } }", "j.graphql": "subscription J { old }",
    "k.graphql": "query K { hero { name name: id } }", "l.graphql": "",
  ]

  private static let pieces = [
    "", " ", "{", "}", "(", ")", "$e", "name", "id", "x: ", "...F", "...G ", "...H", "query A ",
    "query Z ", "fragment F on Character ", "fragment G on Human ", "old", "\n", "#", "\"", "hero ",
    "hero { name }", "é", "😀", "@include(if: true)", "episode: JEDI", "type T { a: Int }",
  ]

  @Test(arguments: [
    "", #""NoUnusedFragments": "warning""#, #""RequireID": "warning", "Alphabetical": "warning""#,
  ])
  func editsLeaveTheSameProblemsAsANewStart(_ severities: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["APOLLO_RANDOM_SEED"].flatMap(UInt64.init) ?? freshSeed
    var random = SeededGenerator(seed: seed)
    let configuration = #"""
      {"schemaNamespace": "A", "ruleSeverities": {\#(severities)},
       "output": {"schemaTypes": {"path": "G", "moduleType": {"other": {}}}}}
      """#
    let client = try TestClient(
      Self.files.merging(["apollo-codegen-config.json": configuration]) { $1 })
    let root = client.folder.path
    var workspace = Workspace(Disk())
    workspace.add(folders: [root])
    workspace.check()
    let wanted = environment["APOLLO_RANDOM_EDITS"].flatMap { Int($0) }
    let count = wanted ?? 120
    let start = ContinuousClock.now
    for step in 0..<count {
      let name = Self.files.keys.sorted().randomElement(using: &random) ?? ""
      let path = "\(root)/\(name)"
      if workspace.openFiles[path] == nil {
        workspace.open("file://\(path)", version: 1, text: Self.files[name] ?? "")
      }
      if Int.random(in: 0..<12, using: &random) == 0 {
        // Most texts would be broken otherwise.
        workspace.edit(path, nil, with: Self.files[name] ?? "")
      } else {
        let position = TextPosition(
          line: Int.random(in: 0...2, using: &random),
          character: Int.random(in: 0...80, using: &random))
        let end = TextPosition(
          line: position.line, character: position.character + Int.random(in: 0...4, using: &random)
        )
        workspace.edit(
          path, TextRange(start: position, end: end),
          with: Self.pieces.randomElement(using: &random) ?? "")
      }
      workspace.takeOver(path)
      if step % 3 == 0 { workspace.check(path) }
      workspace.check()
      var fresh = Workspace(Disk())
      for (path, file) in workspace.openFiles {
        fresh.open(
          "file://\(path)", version: 1, text: String(decoding: file.buffer.bytes, as: UTF8.self))
      }
      fresh.check()
      let (known, expected) = (messages(workspace), messages(fresh))
      guard known == expected else {
        Issue.record("seed \(seed), step \(step), \(name): \(known) is not \(expected)")
        return
      }
      try ask(workspace, path, &random)
    }
    if wanted != nil {
      print(
        "\(count) random edits [\(severities)], seed \(seed): as from scratch after each. "
          + "Time \(ContinuousClock.now - start), peak memory of the process \(peakMemory).")
    }
  }

  /// The greatest resident size of this process so far, as Linux reports it.
  private var peakMemory: String {
    // Other systems have no such file.
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.map { $0.dropFirst(6).trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }

  private func messages(_ workspace: Workspace) -> [String: [Problem]] {
    workspace.problems.mapValues { $0.map(\.problem) }
  }

  /// Sends each request at a random position. None may trap.
  private func ask(
    _ workspace: Workspace, _ path: String, _ random: inout SeededGenerator
  ) throws {
    guard let request = FeatureRequest(path, in: workspace) else { return }
    let offset = Int.random(in: 0...request.buffer.bytes.count, using: &random)
    let position = request.buffer.position(of: offset, .utf16)
    let json = #"""
      {"position": \#(position.json.line), "newName": "renamed",
       "range": {"start": {"line": 0, "character": 0}, "end": \#(position.json.line)}}
      """#
    let params = try IndexedJSON(Array(json.utf8)).root
    for method in Feature.methods.subtracting(["textDocument/diagnostic"]) {
      // A refusal is a result, too.
      _ = try? Feature.response(to: method, params, request).line
    }
  }

  @Test func manyFilesAreCheckedAtOnceAsOneByOne() throws {
    var random = SeededGenerator(seed: freshSeed)
    for round in 0..<20 {
      var files: [String: String] = [:]
      for number in 0..<20 {
        let original = Self.files.values.sorted().randomElement(using: &random) ?? ""
        var text = Array(original.unicodeScalars.map(String.init))
        if Bool.random(using: &random), !text.isEmpty {
          text[Int.random(in: text.indices, using: &random)] =
            Self.pieces.randomElement(using: &random) ?? ""
        }
        files["file\(number).graphql"] = text.joined()
      }
      let client = try TestClient(files)
      var atOnce = Workspace(Disk())
      atOnce.add(folders: [client.folder.path])
      var single = atOnce
      atOnce.check()
      for name in files.keys { single.check("\(client.folder.path)/\(name)") }
      #expect(messages(atOnce) == messages(single), "seed \(freshSeed), round \(round)")
    }
  }
}
