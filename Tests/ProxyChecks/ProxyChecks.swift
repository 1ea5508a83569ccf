import Apollo
import Foundation

/// Checks what reaches a client through a proxy, and prints a line for each check: its name, a tab
/// and `ok` or what was seen. For `scripts/proxies`.
///
///     proxy-checks <url> <HTTP version> <authority> <silence> <ping interval> <check>…
///
/// - The HTTP version is `1`, `2`, or `2c` for HTTP/2 without TLS.
/// - The authority is a file of certificates, or `-`.
/// - The silence and the interval are in seconds. An interval of `0` sends no pings, `-` is the
///   default.
///
/// A check that needs something done to the proxy or its server prints the request after an
/// exclamation mark, and continues when a line arrives on the standard input.
@main
struct ProxyChecks {
  static func main() async throws {
    // A pipe to a process that has ended must fail without a signal.
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments.dropFirst()
    let checks = arguments.dropFirst(5).compactMap(Check.init(rawValue:))
    guard let endpoint = try Endpoint(arguments.prefix(5)), checks.count == arguments.count - 5
    else {
      FileHandle.standardError.write(
        Data(
          "usage: proxy-checks <url> <HTTP version> <authority> <silence> <ping interval> <check>…\n"
            .utf8))
      exit(2)
    }
    for check in checks {
      let outcome = await within(endpoint.silence + .seconds(25)) { await check.run(endpoint) }
      report("\(check.rawValue)\t\(outcome ?? "nothing")")
    }
  }
}

/// Prints a line, which arrives at once.
func report(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Asks for something to be done to the proxy or its server, and waits until it is done.
func request(_ action: String) async {
  report("!\(action)")
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      _ = readLine()
      continuation.resume()
    }
  }
}

/// Returns the value of the operation, or `nil` if it takes longer than the limit.
func within<Value: Sendable>(
  _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async rethrows -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask(operation: operation)
    group.addTask {
      try? await Task.sleep(for: limit)  // Cancelled when the operation is faster.
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}
