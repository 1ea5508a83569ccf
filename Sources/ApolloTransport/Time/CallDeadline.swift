package import Foundation

/// The end of the time that one call may take, from its beginning to the last byte of its response.
///
/// Everything that happens in between counts: interceptors, delegates, persisted queries, retries,
/// redirects, and waiting for a connection.
package struct CallDeadline: Sendable {
  private let clock: any AlarmClock
  private let limit: Duration
  private let end: Duration

  /// Starts a deadline.
  ///
  /// - Parameters:
  ///   - limit: The longest time. A negative one counts as none, and a longer one than 146 years as
  ///     146 years.
  ///   - remaining: The rest of it, if some time has passed. The error names the limit.
  ///   - clock: The clock that measures it.
  package init(
    _ limit: Duration, remaining: Duration? = nil,
    clock: any AlarmClock = SystemAlarmClock.shared
  ) {
    self.clock = clock
    self.limit = limit
    end = clock.now + .nanoseconds(Int64((remaining ?? limit).clampedNanoseconds))
  }

  /// The time that is left, which is not negative.
  package var remaining: Duration { max(.zero, end - clock.now) }

  /// Runs `body` in a task of its own and returns its result, or throws when the time is over.
  /// Without any time left, `body` does not run.
  ///
  /// At the deadline, or when the caller is cancelled, the task of `body` is cancelled. If the
  /// caller was cancelled before, `body` finds itself cancelled from the beginning. A `body` that
  /// ignores that, such as one that waits for a handler that was forgotten, is left behind at the
  /// deadline.
  ///
  /// - Parameters:
  ///   - url: The endpoint of the call, for the error.
  ///   - startsHere: `true` to run `body` on the calling thread until it first suspends, where the
  ///     platform can. It must then come to that by itself. Saves a change of threads.
  ///   - body: The work to do.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or ``NetworkError`` with the code
  ///   ``NetworkError/Code/deadlineExceeded``.
  package func limit<Result: Sendable>(
    url: URL?, startsHere: Bool = false, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let outcome = Once<Swift.Result<Result, any Error>>()
    // Set before `body` begins: an alarm that is set when the time is over may never ring.
    guard let alarm = setAlarm(url: url, { outcome.decide(.failure($0)) }) else {
      throw error(url: url)
    }
    defer { alarm.cancel() }
    return try await Self.result(of: body, decidedBy: outcome, startsHere: startsHere)
  }

  /// Runs `body` in a task of its own, and returns its result, or what else decides `outcome`
  /// before.
  static func result<Result: Sendable>(
    of body: @escaping @Sendable () async throws -> Result,
    decidedBy outcome: Once<Swift.Result<Result, any Error>>, startsHere: Bool = false
  ) async throws -> Result {
    let isCancelled = Task.isCancelled
    let task = Self.task(startsHere: startsHere) {
      // The handler below cancels the task too late: `body` has already begun.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        outcome.decide(.success(try await body()))
      } catch {
        outcome.decide(.failure(error))
      }
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { outcome.wait($0) }
    } onCancel: {
      task.cancel()
    }
    if case .failure = result { task.cancel() }
    return try result.get()
  }
}

extension CallDeadline {
  /// Calls `action` once, at the deadline, with the error of an exchange that has not ended.
  ///
  /// - Parameters:
  ///   - url: The URL of the exchange, for the error.
  ///   - action: The action. It is called on any thread, with no lock held, and must not block.
  /// - Returns: The alarm, which keeps the action in memory until it is cancelled, or `nil` if the
  ///   deadline is over. The action was called then.
  func setAlarm(
    url: URL?, _ action: @escaping @Sendable (NetworkError) -> Void
  ) -> Alarm? {
    let remaining = remaining
    guard remaining > .zero else {
      action(error(url: url))
      return nil
    }
    return clock.setAlarm(after: remaining) { action(error(url: url)) }
  }
}

extension CallDeadline {
  /// The error of a call that has not ended at the deadline.
  private func error(url: URL?) -> NetworkError {
    NetworkError(.deadlineExceeded, url: url, detail: limit.inWords)
  }

  private static func task(
    startsHere: Bool, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    // Apple's systems of before 2025 cannot do this.
    #if os(Linux) && compiler(>=6.2)
      if startsHere { return Task.immediate { await body() } }
    #endif
    return Task { await body() }
  }
}

extension Duration {
  /// "2 seconds", "1.5 seconds", "1 second".
  var inWords: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    if seconds == 1 { return "1 second" }
    let number = seconds == seconds.rounded() ? String(format: "%.0f", seconds) : String(seconds)
    return "\(number) seconds"
  }
}
