internal import ApolloAPI

/// A value that is decided once, for one who waits for it. Deciding again does nothing.
final class Once<Value: Sendable>: Sendable {
  private enum State {
    case undecided
    // `indirect`: the layout of a continuation is unknown to the compiler.
    indirect case awaited(CheckedContinuation<Value, Never>)
    case decided(Value)
    case delivered
  }

  private let state = Lock(State.undecided)

  /// Resumes `waiter` when the value is decided, perhaps at once. To be called once.
  func wait(_ waiter: CheckedContinuation<Value, Never>) {
    let value: Value? = state.withLock { state in
      guard case .decided(let value) = state else {
        state = .awaited(waiter)
        return nil
      }
      state = .delivered
      return value
    }
    if let value { waiter.resume(returning: value) }
  }

  func decide(_ value: Value) {
    let before = state.withLock { state in
      let before = state
      switch before {
      case .undecided: state = .decided(value)
      case .awaited: state = .delivered
      case .decided, .delivered: break
      }
      return before
    }
    if case .awaited(let waiter) = before { waiter.resume(returning: value) }
  }
}

extension Once {
  /// Returns the value that a closure decides, now or later. The first decision counts.
  ///
  /// - Parameters:
  ///   - cancelled: The decision if the task is cancelled.
  ///   - released: The decision if the closure is released without a call.
  ///   - start: Starts the work. It receives the closure that takes the decision.
  /// - Returns: The first decision.
  static func decision(
    ifCancelled cancelled: Value, ifReleased released: Value,
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    let once = Once()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        once.wait(continuation)
        let handler = Handler(once, released)
        start { handler.decide($0) }
      }
    } onCancel: {
      once.decide(cancelled)
    }
  }

  /// Decides for a closure that is released without a call.
  private final class Handler: Sendable {
    private let once: Once
    private let released: Value

    init(_ once: Once, _ released: Value) {
      self.once = once
      self.released = released
    }

    deinit { once.decide(released) }

    func decide(_ value: Value) { once.decide(value) }
  }
}
