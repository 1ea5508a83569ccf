import Foundation

/// Sends requests for a long time to a server with faults, and fails if the client grows.
///
///     http-soak run <seconds> <requests a second>
///     http-soak serve
///
/// `run` starts `serve` in a process of its own, so that it measures the client alone.
@main
struct HTTPSoak {
  static func main() async throws {
    // A pipe to a process that has ended must fail without a signal.
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.count) {
    case ("serve", 2): try FaultyServer.run()
    case ("run", 4):
      guard let seconds = Int(arguments[2]), let rate = Int(arguments[3]) else { fallthrough }
      exit(try await Soak(seconds: seconds, rate: rate).run() ? 0 : 1)
    default:
      FileHandle.standardError.write(
        Data("usage: http-soak run <seconds> <requests a second>\n".utf8))
      exit(2)
    }
  }
}
