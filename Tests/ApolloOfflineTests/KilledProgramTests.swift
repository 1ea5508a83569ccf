import Apollo
import ApolloAPI
import Foundation
import LoopbackServer
import SeededRandom
import TestProcesses
import Testing

/// Programs that are killed at random instants, and a server whose connections are cut at random
/// phases. `OFFLINE_KILLS` sets the number of kills of a program that has its file for itself,
/// `OFFLINE_SHARED_KILLS` that of programs which share a file.
@Suite(.timeLimit(.minutes(60)))
struct KilledProgramTests {
  /// A server that performs each key once and cuts a part of the connections: before the request is
  /// looked at, after the mutation was performed, and in the response.
  private final class CuttingServer: Sendable {
    struct State {
      var random: SeededGenerator
      var cutsConnections = true
      var responses: [String: String] = [:]
      var performed: [(lane: String, name: String)] = []
      var cutCount = 0
      /// The number of phases of requests after which a program is killed.
      var kill: (phaseCount: Int, action: @Sendable () -> Void)?

      /// Returns what kills a program in this phase, if that is to be.
      mutating func pass() -> (@Sendable () -> Void)? {
        guard let count = kill?.phaseCount else { return nil }
        kill?.phaseCount = count - 1
        guard count == 0 else { return nil }
        defer { kill = nil }
        return kill?.action
      }
    }
    let state: Lock<State>
    let server: LoopbackServer

    init(seed: UInt64) throws {
      let state = Lock(State(random: SeededGenerator(seed: seed)))
      self.state = state
      server = try LoopbackServer(keepsRequests: false) { request, reply in
        let phase = state.withLock { state in
          state.cutsConnections ? Int.random(in: 0..<8, using: &state.random) : 7
        }
        if phase < 3 { state.withLock { $0.cutCount += 1 } }
        state.withLock { $0.pass() }?()
        if phase == 0 { return reply.reset() }
        guard let json = try? JSONValue(jsonBytes: request.body),
          let id = json["variables"]?["id"]?.stringValue,
          let name = json["variables"]?["name"]?.stringValue,
          let key = request.headers["idempotency-key"]
        else { return reply.respond(400) }
        let text = state.withLock { state in
          if let known = state.responses[key] { return known }
          state.performed.append((id, name))
          let text =
            #"{"data":{"rename":{"__typename":"Hero","id":"\#(id)","name":"\#(name)"}}}"#
          state.responses[key] = text
          return text
        }
        state.withLock { $0.pass() }?()
        switch phase {
        case 1: reply.reset()
        case 2:
          reply.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"d")
          reply.close()
        default: reply.json(text)
        }
        state.withLock { $0.pass() }?()
      }
    }

    var names: Set<String> {
      Set(state.withLock { $0.performed }.map { "\($0.lane) \($0.name)" })
    }

    /// Checks that nothing is lost and nothing was performed twice.
    ///
    /// - Parameters:
    ///   - acknowledged: The mutations whose calls have returned.
    ///   - kills: The number of kills. At each, one mutation can be on disk whose call has not
    ///     returned.
    ///   - seed: The seed, for the text of a failure.
    func check(_ acknowledged: [String], kills: Int, _ seed: UInt64) {
      let (names, count) = (names, state.withLock { $0.performed.count })
      #expect(names.count == count, "A mutation was performed twice. Seed \(seed).")
      #expect(acknowledged.filter { !names.contains($0) } == [], "Seed \(seed).")
      #expect(count <= acknowledged.count + kills)
      #expect(state.withLock { $0.cutCount } > 0)
    }
  }

  static var program: URL {
    get throws {
      let folders = [
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        Bundle.main.bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL,
      ]
      return try #require(
        folders.map { $0.appendingPathComponent("offline-stress") }
          .first { FileManager.default.fileExists(atPath: $0.path) })
    }
  }

  private static func count(_ name: String, default standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
  }

  /// Every second kill comes after a line of the program, and the others in a phase of a request.
  @Test func killsAndCutsLoseNothingAndRepeatNothing() async throws {
    let kills = Self.count("OFFLINE_KILLS", default: 12)
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    let machine = try Machine()
    let server = try CuttingServer(seed: seed &+ 1)
    defer { server.server.stop() }
    let acknowledgements = machine.folder.appendingPathComponent("acknowledged")
    for run in 0..<kills {
      let streams = StandardStreams(output: Pipe())
      let output = try #require(streams.output?.fileHandleForReading)
      let process = try ChildProcess(
        try Self.program,
        ["change", machine.file.path, "\(server.server.url())", "\(run)", acknowledgements.path],
        streams: streams)
      let count = Int.random(in: 1...40, using: &random)
      if run.isMultiple(of: 2) {
        for _ in 0..<count {
          _ = try #require(await output.nextLine(), "The program has ended. Seed \(seed).")
        }
        process.send(SIGKILL)
      } else {
        server.state.withLock { $0.kill = (count, { process.send(SIGKILL) }) }
        while await output.nextLine() != nil {}
      }
      #expect(await process.exitStatus() == 128 + SIGKILL)
    }
    server.state.withLock { $0.cutsConnections = false }
    let drain = try ChildProcess(
      try Self.program, ["drain", machine.file.path, "\(server.server.url())"])
    #expect(await drain.exitStatus() == 0)

    let lines = try String(contentsOf: acknowledgements, encoding: .utf8).split(separator: "\n")
    server.check(lines.map(String.init), kills: kills, seed)
    let performed = server.state.withLock { $0.performed }
    for lane in ["0", "1", "2"] {
      let order = performed.filter { $0.lane == lane }.map { performed in
        performed.name.split(separator: ".").compactMap { Int($0) }
      }
      let sorted = order.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(order == sorted, "The lane \(lane) has lost its order. Seed \(seed).")
    }
  }

  /// One of several programs sends at a time. It is killed, or so slow that another one takes its
  /// right to send over, or gives it to the others.
  ///
  /// A program is killed when another one has added a mutation, so wherever it is at that moment.
  @Test func programsThatShareAFileLoseNothingAndRepeatNothing() async throws {
    let kills = Self.count("OFFLINE_SHARED_KILLS", default: 8)
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    let machine = try Machine()
    let server = try CuttingServer(seed: seed &+ 1)
    defer { server.server.stop() }
    let acknowledgements = machine.folder.appendingPathComponent("acknowledged")
    var runCount = 0
    func start() throws -> (process: ChildProcess, output: FileHandle) {
      let streams = StandardStreams(output: Pipe())
      let output = try #require(streams.output?.fileHandleForReading)
      defer { runCount += 1 }
      let process = try ChildProcess(
        try Self.program,
        [
          "share", machine.file.path, "\(server.server.url())", "\(runCount)",
          acknowledgements.path,
        ], streams: streams)
      return (process, output)
    }
    var programs = try (0..<3).map { _ in try start() }
    for _ in 0..<kills {
      let watched = Int.random(in: programs.indices, using: &random)
      let killed = Int.random(in: programs.indices, using: &random)
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        _ = try #require(
          await programs[watched].output.nextLine(), "The program has ended. Seed \(seed).")
      }
      programs[killed].process.send(SIGKILL)
      #expect(await programs[killed].process.exitStatus() == 128 + SIGKILL)
      programs[killed] = try start()
    }
    for program in programs {
      program.process.send(SIGKILL)
      #expect(await program.process.exitStatus() == 128 + SIGKILL)
    }
    server.state.withLock { $0.cutsConnections = false }
    let drain = try ChildProcess(
      try Self.program, ["drain", machine.file.path, "\(server.server.url())"])
    #expect(await drain.exitStatus() == 0)

    let lines = try String(contentsOf: acknowledgements, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: " ").map(String.init) }
    let numbers = Dictionary(
      lines.map { ("\($0[0]) \($0[1])", Int($0[2]) ?? 0) }, uniquingKeysWith: { first, _ in first })
    #expect(numbers.count == lines.count)
    server.check(Array(numbers.keys), kills: kills + programs.count, seed)
    // The order of a lane is that of the numbers in the file.
    let performed = server.state.withLock { $0.performed }
    for lane in ["0", "1", "2"] {
      let order = performed.filter { $0.lane == lane }.compactMap { performed in
        numbers["\(lane) \(performed.name)"]
      }
      #expect(order == order.sorted(), "The lane \(lane) has lost its order. Seed \(seed).")
    }
  }
}
