import ApolloCache
import ApolloSQLite
import Foundation
import TestProcesses
import Testing

/// One cache file, and several processes that write to it and are killed.
@Suite(.timeLimit(.minutes(10)))
struct ProcessesOnOneFileTests {
  /// A process that writes one transaction after the other and reports each commit.
  private struct Writer {
    let name: String
    let process: ChildProcess
    let output: FileHandle

    init(_ name: String, in folder: URL) throws {
      self.name = name
      let streams = StandardStreams(output: Pipe())
      output = streams.output!.fileHandleForReading  // given above
      process = try ChildProcess(
        try Repository.product("cache-stress"),
        ["write", "cache.sqlite", name, "acknowledged-by-\(name)"], in: folder, streams: streams)
    }

    /// Waits for so many transactions; returns how many there have been in all.
    func committed(_ count: Int) async throws -> Int64 {
      var last: Int64 = 0
      for _ in 0..<count {
        let line = try #require(await output.nextLine(), "\(name) has ended.")
        last = try #require(Int64(line))
      }
      return last
    }

    func kill() async {
      process.send(SIGKILL)
      #expect(await process.exitStatus() == 128 + SIGKILL)
    }
  }

  private func check(_ name: String, in folder: URL) async throws {
    let outcome = try await run(
      try Repository.product("cache-stress"),
      ["check", "cache.sqlite", name, "acknowledged-by-\(name)"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func number(of writer: String, in folder: URL) throws -> Int64 {
    let cache = try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("cache.sqlite"))
    guard
      case .int(let number)? = try cache.loadRecords(forKeys: ["Counter"])["Counter"]?[
        FieldKey(writer)]
    else { return 0 }
    return number
  }

  @Test func twoWritersLoseNothingAndOneSurvivesTheOther() async throws {
    try await withTemporaryFolder { folder in
      let one = try Writer("one", in: folder)
      let two = try Writer("two", in: folder)
      let first = try await one.committed(20)
      _ = try await two.committed(20)
      await one.kill()
      // The unfinished transaction of the first process blocks no other one.
      let second = try await two.committed(40)
      await two.kill()
      #expect(try number(of: "one", in: folder) >= first)
      #expect(try number(of: "two", in: folder) >= second)
      for name in ["one", "two"] { try await check(name, in: folder) }
    }
  }

  @Test func processesThatFindADamagedFileReplaceItOnce() async throws {
    try await withTemporaryFolder { folder in
      try Data(repeating: 0x2A, count: 8_192)
        .write(to: folder.appendingPathComponent("cache.sqlite"))
      let writers = try ["one", "two", "three"].map { try Writer($0, in: folder) }
      var numbers: [String: Int64] = [:]
      for writer in writers { numbers[writer.name] = try await writer.committed(3) }
      for writer in writers { await writer.kill() }
      for (name, number) in numbers {
        #expect(try self.number(of: name, in: folder) >= number)
        try await check(name, in: folder)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(
        names.filter { $0.contains("damaged") && !$0.contains("-wal") }
          == ["cache.sqlite.damaged-1"])
    }
  }
}
