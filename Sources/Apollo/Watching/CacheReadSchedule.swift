/// The times at which a ``CacheObserver`` reads the cache: a state machine without tasks and locks.
///
/// Any number of changes during one reading lead to one more reading.
///
/// | state | a change occurs | a reading begins | the observer is cancelled |
/// | :-- | :-- | :-- | :-- |
/// | `idle` | `scheduled`; start a task | – | `cancelled` |
/// | `scheduled` | `scheduled` | `reading` | `cancelled` |
/// | `reading` | `readingOutdated` | `idle`; the task ends | `cancelled` |
/// | `readingOutdated` | `readingOutdated` | `reading` | `cancelled` |
/// | `cancelled` | `cancelled` | `cancelled`; the task ends | `cancelled` |
///
/// Each change carries a refetch count (`ChangeOrigin.refetchCount`). A reading has the lowest
/// count of all changes that led to it: one change that the program made is enough to start anew.
package struct CacheReadSchedule {
  private enum State {
    case idle
    case scheduled(refetchCount: Int)
    case reading
    case readingOutdated(refetchCount: Int)
    case cancelled
  }

  private var state = State.idle

  package init() {}

  package var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// Schedules a reading. Returns `true` if a task must be started for it.
  package mutating func schedule(refetchCount: Int) -> Bool {
    switch state {
    case .idle:
      state = .scheduled(refetchCount: refetchCount)
      return true
    case .scheduled(let other):
      state = .scheduled(refetchCount: min(refetchCount, other))
    case .reading:
      state = .readingOutdated(refetchCount: refetchCount)
    case .readingOutdated(let other):
      state = .readingOutdated(refetchCount: min(refetchCount, other))
    case .cancelled: break
    }
    return false
  }

  /// Begins the next reading and returns its refetch count, or `nil` if the task must end.
  package mutating func beginReading() -> Int? {
    switch state {
    case .scheduled(let refetchCount), .readingOutdated(let refetchCount):
      state = .reading
      return refetchCount
    case .reading, .idle:
      state = .idle
      return nil
    case .cancelled: return nil
    }
  }

  package mutating func cancel() { state = .cancelled }
}
