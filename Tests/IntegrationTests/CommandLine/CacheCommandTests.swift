import Foundation
import TestProcesses
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `apollo-cli cache …`. The tests of the module CacheInspection are about what it says.
@Suite(.timeLimit(.minutes(10)))
struct CacheCommandTests {
  private static let dump = """
    {"apolloCache":1}
    {"key":"QUERY_ROOT","fields":{"hero":{"$reference":"Hero:1"}},"writes":[{"time":1000.0,"operation":"Hero"}]}
    {"key":"Hero:1","fields":{"__typename":"Hero","name":"Luke","friend":{"$reference":"Hero:2"}}}
    {"key":"Hero:3","fields":{"__typename":"Hero","name":"Leia"}}
    {"apolloCache":1,"records":3}
    """

  private func withCache(_ body: (Project) async throws -> Void) async throws {
    try await withFiles(["dump.jsonl": Self.dump, "text": "no cache"]) { project in
      let outcome = try await project.apollo("cache", "import", "c.sqlite", "dump.jsonl")
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors == "Imported 3 records.\n")
      try await body(project)
    }
  }

  @Test func eachCommandPrintsLines() async throws {
    try await withCache { project in
      let cases: [(arguments: [String], status: Int32, lines: Int)] = [
        (["stats", "c.sqlite"], 0, 4),
        (["list", "c.sqlite"], 0, 3),
        (["list", "c.sqlite", "--type", "Hero", "-m", ":3"], 0, 1),
        (["get", "c.sqlite", "Hero:1", "Hero:3"], 0, 2),
        (["find", "c.sqlite", "luke"], 0, 1),
        (["find", "c.sqlite", "nothing"], 1, 0),
        (["find", "c.sqlite", "--references-to", "Hero:2"], 0, 1),
        (["check", "c.sqlite"], 1, 2),
        (["check", "c.sqlite", "--ignore", "dangling", "--ignore", "unreachable"], 0, 0),
        (["dump", "c.sqlite"], 0, 5),
        (["diff", "c.sqlite", "c.sqlite", "--writes"], 0, 0),
      ]
      for (arguments, status, lines) in cases {
        let outcome = try await project.apollo(["cache"] + arguments)
        #expect(outcome.status == status && outcome.errors.isEmpty, "\(arguments): \(outcome)")
        let found = outcome.output.split(separator: "\n")
        #expect(found.count == lines, "\(arguments): \(outcome)")
        for line in found {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
      }
    }
  }

  @Test func damageIsAProblemAndAFileThatWasOnlyReadStaysAlone() async throws {
    try await withCache { project in
      let url = project.folder.appendingPathComponent("c.sqlite")
      try Data(contentsOf: url).prefix(4_096).write(
        to: project.folder.appendingPathComponent("cut"))
      try Data().write(to: project.folder.appendingPathComponent("zero"))
      let before = try Project.contents(of: project.folder)
      for command in ["stats", "list", "dump"] {
        let outcome = try await project.apollo("cache", command, "cut")
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("cut' is damaged: "), "\(outcome)")
        #expect(outcome.errors.contains("Delete the file, or let the program open it"))
        let empty = try await project.apollo("cache", command, "zero")
        #expect(empty.status == 2 && empty.errors.contains("has no tables: nothing was written"))
      }
      let check = try await project.apollo("cache", "check", "cut")
      #expect(check.status == 1 && check.errors.isEmpty, "\(check)")
      #expect(check.output.hasPrefix(#"{"problem":"unreadable","message":"#), "\(check)")
      #expect(try Project.contents(of: project.folder) == before)
    }
  }

  @Test func aDumpGoesThroughAPipe() async throws {
    try await withCache { project in
      let dump = try await project.apollo("cache", "dump", "c.sqlite")
      let copied = try await project.apollo(["cache", "import", "copy.sqlite"], input: dump.output)
      #expect(copied.status == 0, "\(copied)")
      let same = try await project.apollo("cache", "diff", "c.sqlite", "copy.sqlite", "--writes")
      #expect(same.status == 0 && same.output.isEmpty)
      let other = #"{"key":"Hero:1","fields":{"name":"Luke Skywalker"}}"#
      _ = try await project.apollo(["cache", "import", "copy.sqlite"], input: other)
      let different = try await project.apollo("cache", "diff", "c.sqlite", "copy.sqlite")
      #expect(different.status == 1)
      #expect(
        different.output
          == #"{"change":"changed","key":"Hero:1","field":"name","left":"Luke","right":"Luke Skywalker"}"#
          + "\n")
    }
  }

  @Test func aDumpThatWasCutShortIsNotImported() async throws {
    try await withCache { project in
      let dump = try await project.apollo("cache", "dump", "c.sqlite").output
      let part = dump.split(separator: "\n").dropLast().joined(separator: "\n")
      let outcome = try await project.apollo(["cache", "import", "copy.sqlite"], input: part)
      #expect(outcome.status == 2 && outcome.errors.contains("it was cut short"), "\(outcome)")
      // A dump that fails prints nothing.
      let nothing = try await project.apollo(["cache", "import", "copy.sqlite"], input: "")
      #expect(nothing.status == 2 && nothing.errors.contains("The dump is empty."), "\(nothing)")
      let files = try Project.contents(of: project.folder)
      #expect(files.keys.sorted() == ["c.sqlite", "dump.jsonl", "text"])
    }
  }

  @Test func aStreamThatFailsIsReported() async throws {
    let input = (#""$0" cache import c.sqlite < ."#, "error: Standard input cannot be read: ")
    #if os(Linux)
      let output = (
        #""$0" cache dump c.sqlite > /dev/full"#, "error: Standard output cannot be written: "
      )
      let commands = [input, output]
    #else
      let commands = [input]
    #endif
    try await withCache { project in
      for (command, message) in commands {
        let outcome = try await run(
          URL(fileURLWithPath: "/bin/sh"), ["-c", command, Repository.commandLineTool().path],
          in: project.folder)
        #expect(outcome.status == 2 && outcome.errors.hasPrefix(message), "\(outcome)")
      }
    }
  }

  @Test func noErrorPrintsAPassword() async throws {
    try await withCache { project in
      for arguments in [
        ["stats", "redis:/user:s3cret@host"], ["stats", "c.sqlite", "redis://user:s3cret@host"],
        ["import", "c.sqlite", "redis://user:s3cret@host"],
        ["diff", "c.sqlite", "valkey://user:s3cret@host"],
      ] {
        let outcome = try await project.apollo(["cache"] + arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(!outcome.errors.isEmpty && !outcome.errors.contains("s3cret"), "\(outcome)")
      }
    }
  }

  @Test func mistakesAreExplained() async throws {
    try await withCache { project in
      let cases: [(arguments: [String], message: String)] = [
        (
          [],
          "'cache' needs a subcommand: stats, list, get, find, check, diff, dump, import, serve."
        ),
        (["state"], "'state' is not a subcommand of 'cache'. Did you mean 'stats'?"),
        (["stats"], "Name a cache: apollo-cli cache stats CACHE"),
        (["stats", "c.sqlite", "x"], "Unexpected argument 'x'."),
        (["get", "c.sqlite"], "Name the key of a record"),
        (
          ["get", "c.sqlite", "Hero:2"],
          "has no record 'Hero:2'. 1 fields refer to it. Did you mean"
        ),
        (["find", "c.sqlite"], "Name one text, or a record"),
        (["find", "c.sqlite", "a", "--references-to", "b"], "Name one text, or a record"),
        (["check", "c.sqlite", "--ignore", "x"], "--ignore cannot be 'x'. Use one of dangling,"),
        (["diff", "c.sqlite"], "Name two caches"),
        (["import", "c.sqlite", "none"], "none"),
        (["import", "c.sqlite", "text"], "Line 1 of the dump cannot be imported: it is not JSON"),
        (["stats", "text"], "is not a cache: it is no SQLite database."),
        (["stats", "none.sqlite"], "There is no file"),
        (["stats", "redis://127.0.0.1:1?scope=x"], "cannot be reached"),
        (["stats", "rediss://127.0.0.1:1?scope=x"], "has no TLS"),
        (["stats", "http://127.0.0.1:1"], "is neither a file nor the URL of a Redis server."),
        (["serve", "c.sqlite", "--port", "70000"], "--port needs a number up to 65535"),
      ]
      for (arguments, message) in cases {
        let outcome = try await project.apollo(["cache"] + arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(arguments): \(outcome)")
        #expect(outcome.errors.contains(message), "\(arguments): \(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(arguments): \(outcome)")
      }
    }
  }

  @Test func thePageIsServedUntilTheCommandIsInterrupted() async throws {
    try await withCache { project in
      let before = try Project.contents(of: project.folder)
      let streams = StandardStreams(output: Pipe())
      let child = try ChildProcess(
        try Repository.commandLineTool(), ["cache", "serve", "c.sqlite", "--quiet"],
        in: project.folder, streams: streams)
      let output = try #require(streams.output).fileHandleForReading
      let address = try #require(await output.nextLine())
      let url = try #require(URL(string: address + "record?key=Hero:1"))
      let (record, _) = try await URLSession.shared.data(from: url)
      #expect(String(decoding: record, as: UTF8.self).contains(#""value":"Luke""#))
      child.send(SIGINT)
      #expect(await child.exitStatus() == 0)
      #expect(try Project.contents(of: project.folder) == before)
    }
  }
}
