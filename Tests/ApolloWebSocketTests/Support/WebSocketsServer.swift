import Foundation
import TestProcesses
import Testing

/// The server of `Servers/websockets-server.py`, running. It ends when the test process ends.
final class WebSocketsServer: Sendable {
  private let port: Int
  private let scheme: String
  private let child: ChildProcess
  private let input: FileHandle

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The interpreter with the servers: `APOLLO_TEST_PYTHON`, or that of `scripts/test`.
  static let interpreter: URL? = {
    if let path = ProcessInfo.processInfo.environment["APOLLO_TEST_PYTHON"] {
      return URL(fileURLWithPath: path)
    }
    let environment = root.appendingPathComponent(".build/venv")
    // The list is written last, so an installation that was interrupted has none.
    let isWhole = FileManager.default.contentsEqual(
      atPath: environment.appendingPathComponent("installed.txt").path,
      andPath: root.appendingPathComponent("Examples/StarWars/Server/requirements.txt").path)
    return isWhole ? environment.appendingPathComponent("bin/python") : nil
  }()

  /// - Parameter authority: The authority whose certificate the server has, or `nil` without TLS.
  /// - Throws: An error of the system, or of a server that does not start.
  init(_ authority: CertificateAuthority? = nil) async throws {
    let interpreter = try #require(Self.interpreter)
    let script = Self.root
      .appendingPathComponent("Tests/ApolloWebSocketTests/Servers/websockets-server.py")
    let files = ["server.pem", "server.key"].compactMap {
      authority?.folder.appendingPathComponent($0).path
    }
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(interpreter, [script.path] + files, streams: streams)
    input = try #require(streams.input).fileHandleForWriting
    let line = await streams.output?.fileHandleForReading.nextLine()
    port = try #require(line.flatMap { Int($0) }, "the server did not start")
    scheme = authority == nil ? "ws" : "wss"
  }

  func url(_ path: String) -> URL {
    guard let url = URL(string: "\(scheme)://localhost:\(port)\(path)") else {
      preconditionFailure("The path '\(path)' is not part of a URL.")
    }
    return url
  }

  func stop() async {
    child.send(SIGKILL)
    _ = await child.exitStatus()
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests where the package `websockets` is not installed, and says how to install it.
  static var needsWebSockets: Self {
    .enabled(
      if: WebSocketsServer.interpreter != nil,
      "scripts/test installs the server that this test talks to.")
  }
}
