import Foundation
import TestProcesses

@testable import ApolloRedis

/// A cluster of three nodes. It ends when the test process ends.
final class RedisCluster: Sendable {
  let ports: [Int]
  private let child: ChildProcess
  private let input: FileHandle

  private static let running = Task { try await RedisCluster() }
  static func shared() async throws -> RedisCluster { try await running.value }

  private init() async throws {
    // Ports cannot be reserved for another program, so others may take them meanwhile.
    for attempt in 1... {
      let first = Int.random(in: 20_000..<32_000)
      do {
        (ports, child, input) = try await Self.start(at: [first, first + 1, first + 2])
        return
      } catch  where attempt < 10 {}
    }
    preconditionFailure("The loop returns or throws.")
  }

  private static func start(at ports: [Int]) async throws -> ([Int], ChildProcess, FileHandle) {
    let folder = URL(fileURLWithPath: "/tmp/apollo-cluster-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let nodes = ports.map { "127.0.0.1:\($0)" }.joined(separator: " ")
    let script = """
      for port in \(ports.map(String.init).joined(separator: " ")); do
        '\(RedisServer.program ?? "redis-server")' --port $port --bind 127.0.0.1 --save '' \
          --appendonly no --cluster-enabled yes --cluster-node-timeout 60000 --cluster-config-file nodes-$port.conf \
          --dir '\(folder.path)' --logfile log-$port &
        pids="$pids $!"
      done
      for port in \(ports.map(String.init).joined(separator: " ")); do
        for try in $(seq 500); do redis-cli -p $port ping >/dev/null 2>&1 && break; sleep 0.02; done
      done
      redis-cli --cluster create \(nodes) --cluster-yes >create.log 2>&1 &&
        for port in \(ports.map(String.init).joined(separator: " ")); do
          for try in $(seq 500); do
            redis-cli -p $port cluster info | grep -q cluster_state:ok && break; sleep 0.02
          done
        done && echo ready || echo failed
      cat >/dev/null
      kill -KILL $pids; rm -rf '\(folder.path)'
      """
    let streams = StandardStreams(input: Pipe(), output: Pipe())
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, streams: streams,
      leadsGroup: true)
    let input = streams.input!.fileHandleForWriting
    guard await streams.output!.fileHandleForReading.nextLine() == "ready" else {
      try input.close()
      throw RedisServer.DidNotStart(description: "The cluster did not start.")
    }
    return (ports, child, input)
  }

  func url(_ node: Int) -> URL { URL(string: "redis://127.0.0.1:\(ports[node])")! }

  func cache(_ scope: String, node: Int, isSpread: Bool) throws -> RedisNormalizedCache {
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)  // the machine may be busy
    configuration.isSpread = isSpread
    return try RedisNormalizedCache(url: url(node), scope: scope, configuration: configuration)
  }

  /// Sends a command to one node, and follows no redirection.
  @discardableResult
  func send(_ words: [String], to node: Int) async throws -> RedisValue {
    // A response that redirects names another node, so it is not followed without a slot there.
    let client = try RedisClient(servers: [url(node)], timeout: .seconds(60))
    var command = RedisCommand("")
    command.arguments = words.map { Array($0.utf8) }
    return try await client.send(RedisClient.Request(command: command, slot: nil))
  }
}
