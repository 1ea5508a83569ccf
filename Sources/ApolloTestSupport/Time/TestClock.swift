internal import ApolloAPI

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .seconds(5)) }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(5))
/// try await task.value
/// ```
///
/// Isolation: a lock guards the state. Continuations are resumed outside of it.
public final class TestClock: Clock {
  /// A time of the clock, which begins at zero.
  public struct Instant: InstantProtocol {
    private let offset: Duration

    init(offset: Duration) { self.offset = offset }

    /// Returns the time after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration until another time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns `true` if the first time is earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID = 0
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] =
      [:]
    /// The sleeps that were cancelled before they began.
    var cancelled: Set<Int> = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let ready = waiters.filter { $0.count <= count }.map(\.continuation)
      waiters.removeAll { $0.count <= count }
      return ready
    }

    /// Removes the sleepers that are due, the earliest first.
    mutating func takeDueSleepers() -> [CheckedContinuation<Void, any Error>] {
      let due = sleepers.filter { $0.value.deadline <= now }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for sleeper in due { sleepers[sleeper.key] = nil }
      return due.map(\.value.continuation)
    }
  }

  private let state = Lock(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current time.
  public var now: Instant { state.withLock { $0.now } }

  /// The shortest duration that the clock can measure.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock has been advanced to a time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin(id, deadline, $0) }
    } onCancel: {
      cancel(id)
    }
  }

  private func begin(
    _ id: Int, _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let (result, waiters): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) =
      state.withLock { state in
        if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
        if deadline <= state.now { return (.success(()), []) }
        state.sleepers[id] = (deadline, continuation)
        return (nil, state.takeWaiters())
      }
    if let result { continuation.resume(with: result) }
    for waiter in waiters { waiter.resume() }
  }

  private func cancel(_ id: Int) {
    let continuation = state.withLock { state in
      let continuation = state.sleepers.removeValue(forKey: id)?.continuation
      if continuation == nil { state.cancelled.insert(id) }
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Moves the time on and wakes the tasks that sleep until then.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      return state.takeDueSleepers()
    }
    for continuation in due { continuation.resume() }
  }

  /// Suspends until at least `count` tasks sleep on the clock.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        state.waiters.append((count, continuation))
        return state.takeWaiters()
      }
      for waiter in ready { waiter.resume() }
    }
  }
}
