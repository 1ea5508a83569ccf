package import Foundation

/// Runs `body` and cancels it when it takes longer than `limit`.
///
/// `body` must end soon after it was cancelled. Time is measured by a clock that nobody can set.
///
/// - Throws: What `body` throws, or ``NetworkError/Code/deadlineExceeded``.
package func withDeadline<T: Sendable>(
  _ limit: Duration?, url: URL, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
  guard let limit else { return try await body() }
  return try await withThrowingTaskGroup(of: T?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await ContinuousClock().sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let result = first else {
      throw NetworkError(.deadlineExceeded, url: url, detail: limit.inWords)
    }
    return result
  }
}

extension Duration {
  /// "2 seconds", "1.5 seconds", "1 second".
  var inWords: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    if seconds == 1 { return "1 second" }
    let number = seconds == seconds.rounded() ? String(Int64(seconds)) : String(seconds)
    return "\(number) seconds"
  }
}
