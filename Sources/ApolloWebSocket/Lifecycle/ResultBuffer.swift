import ApolloAPI

/// The results of one operation that wait for their consumer.
///
/// | state | result | end | consumer |
/// | :-- | :-- | :-- | :-- |
/// | `open` | queued, or given to the waiting consumer | `ended` | takes one, or waits |
/// | `ended` | dropped | dropped | takes the rest, then the end, then `nil` |
///
/// Of interruptions without a result between them, the last one is kept, so that a connection that
/// comes and goes takes no more memory than the results.
///
/// Isolation: everything is behind one lock. The consumer is resumed after it was released.
final class ResultBuffer: Sendable {
  /// An event for the consumer.
  enum Element: Sendable {
    /// A result, and for an event of a subscription the position in time of its arrival.
    case result(MessagePayload, event: SentRequest? = nil)
    /// There is no connection. Events may be missed until the next `resumed`.
    ///
    /// Indirect, because each task that waits has memory for an element.
    indirect case interrupted(WebSocketError)
    /// The subscription was sent, perhaps again.
    case resumed
    /// So many results were dropped before the next one, because the buffer was full.
    case dropped(Int)
  }

  fileprivate struct State {
    var elements = ElementQueue()
    var byteCount = 0
    var resultCount = 0
    var droppedCount = 0
    var end: Result<Void, any Error>?
    var consumer: Waiter<Element?>?
  }

  let policy: ResultBufferPolicy
  /// The subscription whose events wait.
  private let subscription: SentRequest?
  private let state = Lock(State())

  init(_ policy: ResultBufferPolicy, of subscription: SentRequest? = nil) {
    self.policy = policy
    self.subscription = subscription
  }

  // MARK: - Adding

  /// Adds an element. Returns `false` if the buffer overflows and the policy is to fail.
  func append(_ element: Element) -> Bool {
    let element = noted(element)
    let (consumer, isWithinLimits) = state.withLock { state in
      guard state.end == nil else {
        return (nil as Waiter<Element?>?, true)
      }
      if let consumer = state.consumer {
        state.consumer = nil
        return (consumer, true)
      }
      return (nil, state.append(element, policy))
    }
    consumer?.resume(returning: element)
    return isWithinLimits
  }

  /// Returns the element with the position of its arrival: it may wait here, and what is written
  /// until it is read is newer.
  private func noted(_ element: Element) -> Element {
    guard case .result(let payload, nil) = element, let event = subscription?.noteEvent() else {
      return element
    }
    return .result(payload, event: event)
  }

  /// Ends the buffer. Only the first end counts.
  func finish(_ end: Result<Void, any Error>) {
    let consumer: Waiter<Element?>? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.consumer = nil }
      if state.consumer != nil { state.end = .success(()) }
      return state.consumer
    }
    consumer?.resume(with: end.map { nil })
  }

  // MARK: - Taking

  /// `true` if an element waits for its consumer.
  var hasElements: Bool { state.withLock { !$0.elements.isEmpty } }

  /// Returns the next element, or `nil` after the end.
  ///
  /// - Throws: The error of the end, once, or `CancellationError`.
  func next() async throws -> Element? {
    if let element = try state.withLock({ try $0.take() }) { return element }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { consumer in
        let result: Result<Element?, any Error>? = state.withLock { state in
          do {
            if let element = try state.take() { return .success(element) }
          } catch {
            return .failure(error)
          }
          if state.end != nil { return .success(nil) }
          if Task.isCancelled { return .failure(CancellationError()) }
          precondition(
            state.consumer == nil, "Two tasks iterate over the results of one operation.")
          state.consumer = Waiter(consumer)
          return nil
        }
        if let result { consumer.resume(with: result) }
      }
    } onCancel: {
      let consumer = state.withLock { state in
        defer { state.consumer = nil }
        return state.consumer
      }
      consumer?.resume(throwing: CancellationError())
    }
  }
}

extension ResultBuffer.State {
  fileprivate mutating func append(_ element: ResultBuffer.Element, _ policy: ResultBufferPolicy)
    -> Bool
  {
    elements.append(element)
    guard case .result(let payload, _) = element else { return true }
    byteCount += payload.bytes.count
    resultCount += 1
    while resultCount > max(policy.maximumCount, 1)
      || byteCount > policy.maximumByteCount && resultCount > 1
    {
      guard policy.overflow == .dropOldest else { return false }
      dropOldestResult()
    }
    return true
  }

  private mutating func dropOldestResult() {
    guard let payload = elements.removeFirstResult() else { return }
    byteCount -= payload.bytes.count
    resultCount -= 1
    droppedCount += 1
  }

  /// Takes the next element, or throws the error of the end once the rest was taken.
  fileprivate mutating func take() throws -> ResultBuffer.Element? {
    if droppedCount > 0 {
      defer { droppedCount = 0 }
      return .dropped(droppedCount)
    }
    if let element = elements.removeFirst() {
      if case .result(let payload, _) = element {
        byteCount -= payload.bytes.count
        resultCount -= 1
      }
      return element
    }
    guard let end else { return nil }
    self.end = .success(())
    try end.get()
    return nil
  }
}

/// Elements in order. Takes no memory while it is empty.
private struct ElementQueue {
  private var elements: [ResultBuffer.Element] = []
  private var firstIndex = 0

  var isEmpty: Bool { firstIndex == elements.count }

  mutating func append(_ element: ResultBuffer.Element) {
    elements.append(element)
    mergeInterruption(at: elements.count - 1)
  }

  /// Removes the interruption, and its end, that the one at `index` follows without a result
  /// between them. Does nothing if the element there is anything else.
  private mutating func mergeInterruption(at index: Int) {
    guard elements.indices.contains(index), case .interrupted = elements[index] else { return }
    var start = index
    if start > firstIndex, case .resumed = elements[start - 1] { start -= 1 }
    guard start > firstIndex, case .interrupted = elements[start - 1] else { return }
    elements.removeSubrange(start - 1..<index)
  }

  mutating func removeFirst() -> ResultBuffer.Element? {
    guard firstIndex < elements.count else { return nil }
    let element = elements[firstIndex]
    elements[firstIndex] = .resumed  // releases the bytes
    firstIndex += 1
    compact()
    return element
  }

  /// Removes the first result and keeps the other events, of which there are a few for each result.
  mutating func removeFirstResult() -> MessagePayload? {
    for index in firstIndex..<elements.count {
      guard case .result(let payload, _) = elements[index] else { continue }
      elements.remove(at: index)
      mergeInterruption(at: index)
      return payload
    }
    return nil
  }

  private mutating func compact() {
    if firstIndex == elements.count {
      elements = []
      firstIndex = 0
    } else if firstIndex > 64, firstIndex * 2 > elements.count {
      elements.removeFirst(firstIndex)
      firstIndex = 0
    }
  }
}
