import Apollo
import Foundation
import LoopbackServer
import TestProcesses
import Testing

/// A server of the heroes, as a process that lives as long as a test needs it.
struct HeroServer: Sendable {
  /// A server library, with the protocols that it speaks.
  struct Library: Sendable, CustomTestStringConvertible {
    let name: String
    let subprotocol: WebSocketSubprotocol
    var arguments: [String] = []
    /// The folder of its virtual environment under `.build`.
    let environment: String
    /// `false` if the library accepts only subscriptions over this protocol.
    var acceptsQueries = true
    /// `false` if the library ends the connection when a client stops a subscription that waits.
    var survivesStops = true

    var testDescription: String { "\(name) of \(environment), \(subprotocol.rawValue)" }

    static let all = [
      Library(name: "strawberry", subprotocol: .graphqlTransportWS, environment: "venv"),
      Library(
        name: "strawberry", subprotocol: .graphqlWS, environment: "venv", acceptsQueries: false),
      Library(
        name: "ariadne", subprotocol: .graphqlTransportWS, arguments: ["graphql-transport-ws"],
        environment: "venv-ariadne"),
      Library(
        name: "ariadne", subprotocol: .graphqlWS, arguments: ["graphql-ws"],
        environment: "venv-ariadne", survivesStops: false),
      Library(name: "graphene", subprotocol: .graphqlWS, environment: "venv-graphene"),
      Library(
        name: "strawberry", subprotocol: .graphqlTransportWS, environment: "venv-hypercorn"),
    ]

    static let strawberry = all[0]

    /// Sends subscriptions over HTTP as server-sent events.
    static let ariadneWithEvents = Library(
      name: "ariadne", subprotocol: .graphqlTransportWS, arguments: ["events"],
      environment: "venv-ariadne")

    /// Delivers deferred data in the format of 2022, over HTTP alone.
    static let core = Library(
      name: "core", subprotocol: .graphqlTransportWS, environment: "venv-core")

    /// The interpreter, or `nil` if the library is not installed.
    var interpreter: URL? {
      let environment = Self.root.appendingPathComponent(".build/\(environment)")
      let python = environment.appendingPathComponent("bin/python")
      let list = environment.appendingPathComponent("installed.txt")
      let isWhole = FileManager.default.fileExists(atPath: list.path)
      return isWhole && FileManager.default.isExecutableFile(atPath: python.path) ? python : nil
    }

    fileprivate var script: URL {
      Self.root.appendingPathComponent(
        "Tests/SubscriptionServerTests/Servers/\(name)_heroes.py")
    }

    private static let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  let url: URL
  private let child: ChildProcess
  /// The server stops when this end of its standard input is closed.
  private let input: FileHandle?

  /// Starts a server, and returns when it has printed its URL.
  ///
  /// With a reserved port, another one can take its place later: no other program is given the port
  /// meanwhile.
  init(_ library: Library, port: ReservedPort? = nil) async throws {
    let interpreter = try #require(library.interpreter)
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(
      interpreter,
      [library.script.path] + library.arguments + (port.map { ["\($0.number)"] } ?? []),
      streams: streams)
    input = streams.input?.fileHandleForWriting
    // The file ends instead of a line if the server dies.
    let line = await streams.output?.fileHandleForReading.nextLine()
    url = try #require(line.flatMap(URL.init(string:)))
  }

  func send(_ signal: Int32) { child.send(signal) }

  func stop() async {
    child.send(SIGKILL)
    _ = await child.exitStatus()
  }
}

extension WebSocketTransport.Configuration {
  /// One whose attempts to connect do not fail because the machine is busy.
  static var patient: Self {
    var configuration = Self()
    configuration.connectTimeout = .seconds(600)
    configuration.acknowledgementTimeout = .seconds(600)
    return configuration
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests if the servers are not installed.
  static var needsHeroServers: Self {
    .enabled(
      if: (HeroServer.Library.all + [.core]).allSatisfy { $0.interpreter != nil },
      "scripts/test installs the servers that this test talks to.")
  }
}
