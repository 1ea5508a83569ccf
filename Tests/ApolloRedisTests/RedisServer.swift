import Foundation
import TestProcesses

@testable import ApolloRedis

/// A Redis server on a socket of this machine. It ends when the test process ends, which closes its
/// standard input.
final class RedisServer: Sendable {
  private let child: ChildProcess
  private let input: FileHandle
  private let folder: URL

  static let program = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map { "\($0)/redis-server" }.first(where: FileManager.default.isExecutableFile)

  /// `true` if Redis is installed.
  static var isInstalled: Bool { program != nil }

  private static let running = Task { try await RedisServer() }

  /// The one server of the test process. Each test has scopes of its own.
  static func shared() async throws -> RedisServer { try await running.value }

  struct DidNotStart: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - options: Further options, such as `--maxmemory 1mb`.
  ///   - isStartedAgain: Whether a server that ends is started again at the same place.
  /// - Throws: ``DidNotStart`` with the server's log.
  init(_ options: String = "", isStartedAgain: Bool = false) async throws {
    folder = URL(fileURLWithPath: "/tmp/apollo-redis-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = Self.program ?? "redis-server"
    let script = """
      serve() { '\(program)' --port 0 --unixsocket '\(folder.path)/redis' --save '' --appendonly no \
        --dir '\(folder.path)' --logfile log \(options); }
      if \(isStartedAgain); then while :; do serve; done 2>/dev/null & else serve & fi
      for try in $(seq 1000); do
        redis-cli -s '\(folder.path)/redis' ping >/dev/null 2>&1 && break; sleep 0.02
      done
      echo ready
      cat >/dev/null
      kill -KILL $!; rm -rf '\(folder.path)'
      """
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, streams: streams,
      leadsGroup: true)
    input = streams.input!.fileHandleForWriting
    guard await streams.output!.fileHandleForReading.nextLine() == "ready",
      FileManager.default.fileExists(atPath: folder.path + "/redis")
    else {
      let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
      throw DidNotStart(description: "Redis did not start: \(log ?? "")")
    }
  }

  /// Kills the server. It starts again if it was told to.
  func crash() async throws {
    if let process = try await process { kill(process, SIGKILL) }
  }

  /// The number of the server's process.
  var process: pid_t? {
    get async throws {
      let info = try await send("INFO", "server").text ?? ""
      let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("process_id:") }
      return line.flatMap { pid_t($0.split(separator: ":")[1]) }
    }
  }

  /// Ends the server at once.
  func stop() async throws {
    try input.close()
    _ = await child.exitStatus()
  }

  var url: URL { URL(string: "unix://\(folder.path)/redis")! }
  var path: String { folder.path + "/redis" }

  /// Returns a cache of a scope.
  func cache(
    _ scope: String = UUID().uuidString,
    _ configure: (inout RedisNormalizedCache.Configuration) -> Void = { _ in }
  ) throws -> RedisNormalizedCache {
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)  // the machine may be busy
    configure(&configuration)
    return try RedisNormalizedCache(url: url, scope: scope, configuration: configuration)
  }

  /// Sends one command with another connection.
  @discardableResult
  func send(_ words: String...) async throws -> RedisValue {
    var command = RedisCommand("")
    command.arguments = words.map { Array($0.utf8) }
    return try await send(command)
  }

  /// Sends one command of `redis-cli` without suspending.
  func sendAtOnce(_ words: [String]) {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    program.arguments = ["redis-cli", "-s", path] + words
    program.standardOutput = FileHandle.nullDevice
    try? program.run()
    program.waitUntilExit()
  }

  func send(_ command: RedisCommand) async throws -> RedisValue {
    let client = try RedisClient(servers: [url], timeout: .seconds(60))
    return try await client.send(RedisClient.Request(command: command, slot: nil))
  }
}
