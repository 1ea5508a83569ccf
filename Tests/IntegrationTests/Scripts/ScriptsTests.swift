import Foundation
import TestProcesses
import Testing

/// The promise of `scripts/lib/common.sh`: when a script ends, its server, its children and its
/// files end with it.
@Suite(.needsServers, .timeLimit(.minutes(10)))
struct ScriptsTests {
  enum Ending: CaseIterable {
    case normally, withAFailure, byInterrupt, byTermination, byHangUp

    /// The rest of a script that has started a server.
    var script: String {
      switch self {
      case .normally: "stop_server"
      case .withAFailure: "false; echo 'not reached'"
      case .byInterrupt, .byTermination, .byHangUp: "run sleep 600"
      }
    }

    var signal: Int32? {
      switch self {
      case .normally, .withAFailure: nil
      case .byInterrupt: SIGINT
      case .byTermination: SIGTERM
      case .byHangUp: SIGHUP
      }
    }

    var status: Int32 {
      signal.map { 128 + $0 } ?? (self == .normally ? 0 : 1)
    }
  }

  @Test(arguments: Ending.allCases)
  func aScriptLeavesNothingBehind(ending: Ending) async throws {
    try await withTemporaryFolder { folder in
      let temporary = folder.appendingPathComponent("tmp")
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
      let script = folder.appendingPathComponent("script")
      let interpreter = try #require(Python.interpreter)
      let environment = interpreter.deletingLastPathComponent().deletingLastPathComponent()
      try Data(
        """
        source scripts/lib/common.sh
        venv='\(environment.path)'
        start_server
        start sleep 600
        echo "$server_process $!"
        \(ending.script)
        """.utf8
      ).write(to: script)

      let output = Pipe()
      let child = try ChildProcess(
        URL(fileURLWithPath: "/bin/bash"), [script.path], in: Repository.root,
        environment: ["TMPDIR": temporary.path], streams: StandardStreams(output: output))
      let line = try #require(await output.fileHandleForReading.nextLine())
      let children = line.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
      #expect(children.count == 2, "The script printed '\(line)'.")
      if let signal = ending.signal {
        #expect(children.allSatisfy(isRunning))
        child.send(signal)
      }

      #expect(await child.exitStatus() == ending.status)
      #expect(!children.contains(where: isRunning))
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }
  }

  @Test func aServerEndsWhenItsInputIsClosed() async throws {
    for server in [try await TestServer.starWars(), try await TestServer.faults()] {
      #expect(isRunning(server.child.identifier))
      try await server.finish()
      #expect(!isRunning(server.child.identifier))
    }
  }
}

private func isRunning(_ process: Int32) -> Bool {
  kill(process, 0) == 0
}
