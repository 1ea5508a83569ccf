internal import ApolloAPI

/// A value that is decided once, for one who waits for it. Deciding again does nothing.
final class Once<Value: Sendable>: Sendable {
  private enum State {
    case undecided(CheckedContinuation<Value, Never>?)
    case decided(Value)
    case delivered
  }

  private let state = Lock(State.undecided(nil))

  /// Resumes `waiter` when the value is decided, perhaps at once. To be called once.
  func wait(_ waiter: CheckedContinuation<Value, Never>) {
    let value: Value? = state.withLock { state in
      guard case .decided(let value) = state else {
        state = .undecided(waiter)
        return nil
      }
      state = .delivered
      return value
    }
    if let value { waiter.resume(returning: value) }
  }

  func decide(_ value: Value) {
    let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
      guard case .undecided(let waiter) = state else { return nil }
      state = waiter == nil ? .decided(value) : .delivered
      return waiter
    }
    waiter?.resume(returning: value)
  }
}
