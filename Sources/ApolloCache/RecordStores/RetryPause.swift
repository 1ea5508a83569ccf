internal import ApolloAPI

/// A pause of a task that tries again afterwards.
package enum RetryPause {
  private static let count = Lock(0)

  /// Indicates whether a task of the process pauses, for tests that wait until all tasks rest.
  package static var isUnderWay: Bool { count.get() > 0 }

  /// Suspends the task for a time.
  package nonisolated(nonsending) static func suspend(for time: Duration) async throws {
    count.withLock { $0 += 1 }
    defer { count.withLock { $0 -= 1 } }
    try await Task.sleep(for: time)
  }

  /// Suspends the task for a time, also if it is cancelled.
  package nonisolated(nonsending) static func suspendThroughCancellation(for time: Duration) async {
    // Of a task that nothing cancels, which is all that can be thrown.
    await Task { try? await suspend(for: time) }.value
  }
}
