import ApolloAPI

/// Elements in order, for one reader at a time, who waits for the next one.
final class WaitingQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    /// Returned when there are no elements left, on every call.
    var last: Element?
    var reader: CheckedContinuation<Element, any Error>?
  }

  private let state = Lock(State())

  func append(_ element: Element) {
    let reader = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      if reader == nil { state.elements.append(element) }
      return reader
    }
    reader?.resume(returning: element)
  }

  /// Ends the queue with an element that every later call returns. Only the first end counts.
  func end(with last: Element) {
    let reader: CheckedContinuation<Element, any Error>? = state.withLock { state in
      guard state.last == nil else { return nil }
      state.last = last
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: last)
  }

  var hasEnded: Bool { state.withLock { $0.last != nil } }

  /// - Throws: `CancellationError`, which leaves the elements as they are.
  func next() async throws -> Element {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Element, any Error>? = state.withLock { state in
          if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
          if let last = state.last { return .success(last) }
          if Task.isCancelled { return .failure(CancellationError()) }
          precondition(state.reader == nil, "Two tasks wait for the same queue.")
          state.reader = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(throwing: CancellationError())
    }
  }
}
