import ApolloAPI
import ApolloSQLite
import Foundation
import LoopbackServer
import SeededRandom
import TestProcesses
import Testing

@testable import ApolloOffline

/// The server of `Examples/TodoList`: Strawberry, with an SQLite database and idempotency keys.
/// Between it and the program is a proxy that cuts connections in each phase, and the program is
/// killed at random instants. `OFFLINE_REAL_KILLS` sets the number of kills.
@Suite(.timeLimit(.minutes(60)))
struct RealServerTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The interpreter with the server's libraries, or `nil` if they are not installed.
  private static let interpreter: URL? = {
    if let path = ProcessInfo.processInfo.environment["APOLLO_TEST_PYTHON"] {
      return URL(fileURLWithPath: path)
    }
    let environment = root.appendingPathComponent(".build/venv")
    let list = environment.appendingPathComponent("installed.txt")
    guard FileManager.default.fileExists(atPath: list.path) else { return nil }
    return environment.appendingPathComponent("bin/python")
  }()

  @Test(
    .enabled(
      if: interpreter != nil, "scripts/test installs the servers that this test talks to."))
  func aServerWithADatabaseHasEachChangeOnceAndInOrder() async throws {
    let kills =
      ProcessInfo.processInfo.environment["OFFLINE_REAL_KILLS"].flatMap(Int.init) ?? 4
    let seed = freshSeed
    var random = SeededGenerator(seed: seed)
    let machine = try Machine()
    let database = machine.folder.appendingPathComponent("server.sqlite")
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    let server = try ChildProcess(
      try #require(Self.interpreter),
      [
        Self.root.appendingPathComponent("Examples/TodoList/Server/server.py").path, database.path,
      ], streams: streams)
    // The file ends instead of a line if the server dies.
    let line = await streams.output?.fileHandleForReading.nextLine()
    let url = try #require(line.flatMap(URL.init(string:)))
    let proxy = try CuttingProxy(to: UInt16(try #require(url.port)), seed: seed &+ 1)
    defer { proxy.stop() }
    let address = "http://127.0.0.1:\(proxy.port)/graphql"
    let acknowledgements = machine.folder.appendingPathComponent("acknowledged")
    for run in 0..<kills {
      let streams = StandardStreams(output: Pipe())
      let output = try #require(streams.output?.fileHandleForReading)
      let program = try ChildProcess(
        try KilledProgramTests.program,
        ["add", machine.file.path, address, "\(run)", acknowledgements.path], streams: streams)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        _ = try #require(await output.nextLine(), "The program has ended. Seed \(seed).")
      }
      program.send(SIGKILL)
      #expect(await program.exitStatus() == 128 + SIGKILL)
    }
    let drain = try ChildProcess(
      try KilledProgramTests.program, ["drain", machine.file.path, address])
    #expect(await drain.exitStatus() == 0)
    try streams.input?.fileHandleForWriting.close()
    _ = await server.exitStatus()

    let titles = try titles(in: database)
    let lines = try String(contentsOf: acknowledgements, encoding: .utf8).split(separator: "\n")
    #expect(Set(titles).count == titles.count, "A mutation was performed twice. Seed \(seed).")
    #expect(Set(lines.map(String.init)).subtracting(titles) == [], "Seed \(seed).")
    #expect(titles.count <= lines.count + kills)
    for lane in ["0 ", "1 ", "2 "] {
      let order = titles.filter { $0.hasPrefix(lane) }.map { title in
        title.dropFirst(lane.count).split(separator: ".").compactMap { Int($0) }
      }
      #expect(
        order == order.sorted { $0.lexicographicallyPrecedes($1) },
        "The lane \(lane)has lost its order. Seed \(seed).")
    }
    #expect(proxy.cuts.count == CuttingProxy.Phase.allCases.count)
  }

  /// The titles of the to-dos that were added, in the order of the server.
  private func titles(in url: URL) throws -> [String] {
    let database = try DatabaseConnection(path: url.path, access: .reading, busyTimeout: 10_000)
    let statement = try database.statement("SELECT title FROM todos WHERE id > 1 ORDER BY id")
    var titles: [String] = []
    while try statement.step() { titles.append(statement.text(0)) }
    return titles
  }
}

/// A proxy that ends four of five connections: before their first request, in it, after it, and in
/// the response.
private final class CuttingProxy: Sendable {
  enum Phase: CaseIterable { case before, inRequest, afterRequest, inResponse }

  private struct State {
    var random: SeededGenerator
    var requestCount = 0
    var cuts: Set<Phase> = []

    /// Chooses the phase of a connection, which has its first request.
    mutating func next() -> Phase? {
      defer { requestCount += 1 }
      let phases = Phase.allCases.map(Optional.some) + [nil]
      let phase = phases[requestCount % phases.count]
      if let phase { cuts.insert(phase) }
      return phase
    }

    mutating func cut(_ bytes: [UInt8]) -> [UInt8] {
      Array(bytes.prefix(Int.random(in: 1...max(1, bytes.count - 1), using: &random)))
    }
  }
  private let state: Lock<State>
  private let listener: Socket
  let port: UInt16

  init(to target: UInt16, seed: UInt64) throws {
    state = Lock(State(random: SeededGenerator(seed: seed)))
    (listener, port) = try Socket.bound(isListening: true)
    let (listener, state) = (listener, state)
    Thread.detachNewThread {
      while let client = listener.accept() {
        guard let server = try? Socket.connected(to: target) else {
          client.closeDescriptor()
          continue
        }
        let connection = Connection(client: client, server: server, state: state)
        Thread.detachNewThread { connection.passRequests() }
        Thread.detachNewThread { connection.passResponses() }
      }
      listener.closeDescriptor()
    }
  }

  var cuts: Set<Phase> { state.withLock { $0.cuts } }

  func stop() { listener.shutDown() }

  /// A connection of the program and the one to the server, which end together.
  private final class Connection: Sendable {
    let client: Socket
    let server: Socket
    let state: Lock<State>
    private let phase = Lock<Phase?>(nil)

    init(client: Socket, server: Socket, state: Lock<State>) {
      (self.client, self.server, self.state) = (client, server, state)
    }

    /// Each thread has a reference, so the numbers are not another connection's before both end.
    deinit {
      client.closeDescriptor()
      server.closeDescriptor()
    }

    private func end() {
      client.shutDown()
      server.shutDown()
    }

    func passRequests() {
      defer { end() }
      var isFirst = true
      while case let bytes = client.receive(), !bytes.isEmpty {
        if isFirst {
          isFirst = false
          let next = state.withLock { $0.next() }
          phase.withLock { $0 = next }
        }
        switch phase.get() {
        case .before: return
        case .inRequest:
          _ = server.send(state.withLock { $0.cut(bytes) })
          return
        default: guard server.send(bytes) else { return }
        }
      }
    }

    func passResponses() {
      defer { end() }
      while case let bytes = server.receive(), !bytes.isEmpty {
        switch phase.get() {
        case .afterRequest: return
        case .inResponse:
          _ = client.send(state.withLock { $0.cut(bytes) })
          return
        default: guard client.send(bytes) else { return }
        }
      }
    }
  }
}
