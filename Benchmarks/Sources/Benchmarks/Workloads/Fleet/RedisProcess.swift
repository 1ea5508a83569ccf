import ApolloCache
import ApolloRedis
import CRedisPrograms
import Foundation

/// A Redis server on a socket, which ends with this process.
///
/// `@unchecked Sendable` because nothing changes after the start.
final class RedisProcess: @unchecked Sendable {
  let path = "/tmp/apollo-bench-\(UUID().uuidString.prefix(8))"
  private let process = Process()
  /// The server ends when this is closed, or when this process ends.
  private let input = Pipe()

  init() throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The threads of Swift's concurrency block signals, and so do the processes that they start.
    process.arguments = [
      "-c",
      "redis-server --port 0 --unixsocket '\(path)' --save '' >/dev/null 2>&1 & cat; kill -9 $!",
    ]
    process.standardInput = input
    try process.run()
    for _ in 0..<500 {
      if let program = redis_program_make(path, "") {
        redis_program_free(program)
        return
      }
      usleep(20_000)
    }
    throw MissingData(path: "redis-server")
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func cache(
    _ scope: String, nearRecordLimit: Int = 100_000,
    _ settings: ApolloStore.Configuration = ApolloStore.Configuration()
  ) throws -> ApolloStore {
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(10)
    configuration.nearRecordLimit = nearRecordLimit
    return ApolloStore(
      cache: try RedisNormalizedCache(
        url: URL(string: "unix://\(path)")!, scope: scope, configuration: configuration),
      configuration: settings)
  }
}
