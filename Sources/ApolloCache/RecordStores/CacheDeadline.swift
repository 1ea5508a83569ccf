/// The longest time for which a call with a short timeout waits for one response of a cache on
/// another machine.
///
/// Such a call must not spend its time on a cache that hangs: it has still to ask the server.
package enum CacheDeadline {
  /// The time, or `nil` if the timeout of the cache itself is short enough.
  @TaskLocal package static var current: Duration?

  /// The part of a call's time that one access to the cache may take.
  private static let share = 4

  /// The timeout of a call from which that of the cache itself is short enough.
  private static let longTimeout = Duration.seconds(2)

  /// Runs `body`, a call with a timeout.
  package static nonisolated(nonsending) func limiting<Result>(
    _ timeout: Duration, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard timeout < longTimeout else { return try await body() }
    return try await $current.withValue(timeout / share, operation: body)
  }
}
