import Apollo
import ApolloAPI
import Foundation
import LoopbackServer
import SeededRandom
import TestProcesses
import Testing

/// A program that is killed at random instants, and a server whose connections are cut at random
/// phases. `OFFLINE_KILLS` sets the number of kills.
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
        switch phase {
        case 1: reply.reset()
        case 2:
          reply.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"d")
          reply.close()
        default: reply.json(text)
        }
      }
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

  @Test func killsAndCutsLoseNothingAndRepeatNothing() async throws {
    let kills = ProcessInfo.processInfo.environment["OFFLINE_KILLS"].flatMap(Int.init) ?? 12
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
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        _ = try #require(await output.nextLine(), "The program has ended. Seed \(seed).")
      }
      process.send(SIGKILL)
      #expect(await process.exitStatus() == 128 + SIGKILL)
    }
    server.state.withLock { $0.cutsConnections = false }
    let drain = try ChildProcess(
      try Self.program, ["drain", machine.file.path, "\(server.server.url())"])
    #expect(await drain.exitStatus() == 0)

    let performed = server.state.withLock { $0.performed }
    let lines = try String(contentsOf: acknowledgements, encoding: .utf8).split(separator: "\n")
    let names = Set(performed.map { "\($0.lane) \($0.name)" })
    #expect(names.count == performed.count, "A mutation was performed twice. Seed \(seed).")
    let lost = lines.map(String.init).filter { !names.contains($0) }
    #expect(lost == [], "Seed \(seed).")
    // At each kill, one mutation can be on disk whose call has not returned.
    #expect(performed.count <= lines.count + kills)
    for lane in ["0", "1", "2"] {
      let order = performed.filter { $0.lane == lane }.map { performed in
        performed.name.split(separator: ".").compactMap { Int($0) }
      }
      let sorted = order.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(order == sorted, "The lane \(lane) has lost its order. Seed \(seed).")
    }
    #expect(server.state.withLock { $0.cutCount } > 0)
  }
}
