import Foundation

/// Sends requests for a long time to a server with faults, and fails if the client grows.
///
///     http-soak run <seconds> <requests a second> [nginx | haproxy]
///     http-soak cancel <calls>
///     http-soak serve
///
/// `run` and `cancel` start `serve` in a process of its own, so that they measure the client alone.
@main
struct HTTPSoak {
  static func main() async throws {
    // A pipe to a process that has ended must fail without a signal.
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    switch (arguments.dropFirst().first, numbers.count) {
    case ("serve", 0): try FaultyServer.run()
    case ("cancel", 1): exit(try await CancelledCalls(count: numbers[0]).run() ? 0 : 1)
    case ("run", 2):
      let soak = Soak(
        seconds: numbers[0], rate: numbers[1], proxy: arguments.dropFirst(4).first)
      exit(try await soak.run() ? 0 : 1)
    default:
      FileHandle.standardError.write(
        Data("usage: http-soak run <seconds> <rate> [nginx | haproxy] | cancel <calls>\n".utf8))
      exit(2)
    }
  }
}
