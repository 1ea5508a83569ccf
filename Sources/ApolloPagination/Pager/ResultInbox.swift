import ApolloAPI

/// The results that a consumer has not read. Unlike those of a stream, they can be dropped.
///
/// Isolation: `state` is guarded by a lock.
final class ResultInbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    /// The consumers that wait, of which there is usually one.
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isFinished = false

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Lock(State())

  func append(_ element: Element) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard !state.isFinished else { return [] }
      state.elements.append(element)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Removes and returns what was not read.
  func removeAll() -> [Element] {
    state.withLock { state in
      defer { state.elements = [] }
      return state.elements
    }
  }

  /// Ends the inbox after the elements that were not read.
  func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns the next element, or `nil` after the last one.
  ///
  /// A consumer that is resumed looks again: what it was resumed for may have been dropped.
  func next() async -> Element? {
    while true {
      let next: Element?? = state.withLock { state in
        if !state.elements.isEmpty { return state.elements.removeFirst() }
        return state.isFinished ? .some(nil) : nil
      }
      if let next { return next }
      await waitForChange()
    }
  }

  private func waitForChange() async {
    await withCheckedContinuation { continuation in
      let hasChanged = state.withLock { state in
        let hasChanged = state.isFinished || !state.elements.isEmpty
        if !hasChanged { state.waiters.append(continuation) }
        return hasChanged
      }
      if hasChanged { continuation.resume() }
    }
  }
}
