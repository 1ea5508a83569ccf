import ApolloAPI

/// The sequences and handles of a program that follow a queue.
struct QueueFollowers: Sendable {
  private var events: [Int: AsyncStream<OfflineEvent>.Continuation] = [:]
  private var counts: [Int: AsyncStream<OfflineCounts>.Continuation] = [:]
  private var handles: [Int64: EndOfMutation] = [:]
  private var streamCount = 0

  mutating func add(_ continuation: AsyncStream<OfflineEvent>.Continuation) -> Int {
    streamCount += 1
    events[streamCount] = continuation
    return streamCount
  }

  mutating func add(_ continuation: AsyncStream<OfflineCounts>.Continuation) -> Int {
    streamCount += 1
    counts[streamCount] = continuation
    return streamCount
  }

  mutating func add(_ handle: EndOfMutation, for id: Int64) { handles[id] = handle }

  /// Removes a sequence and returns it, so that it is released without a lock.
  mutating func remove(_ stream: Int) -> Any? {
    events.removeValue(forKey: stream) ?? counts.removeValue(forKey: stream)
  }

  mutating func takeHandle(of id: Int64) -> EndOfMutation? { handles.removeValue(forKey: id) }

  /// Reports changes of state.
  ///
  /// - Returns: The handles of mutations that have left the queue without a response.
  mutating func report(
    _ new: [OfflineEvent], _ newCounts: OfflineCounts
  ) -> [(EndOfMutation, any Error)] {
    for continuation in events.values {
      for event in new { continuation.yield(event) }
    }
    for continuation in counts.values { continuation.yield(newCounts) }
    var ended: [(EndOfMutation, any Error)] = []
    // The reasons of those that a rule has dropped.
    var failures: [Int64: OfflineFailure] = [:]
    for event in new {
      let id = event.id.rawValue
      switch event.state {
      case .failed(let failure): failures[id] = failure
      case .done(let ending) where ending != .performed:
        if let handle = handles.removeValue(forKey: id) {
          ended.append((handle, failures[id] ?? OfflineError(ending)))
        }
      default: break
      }
    }
    return ended
  }

  /// Removes and returns all sequences and handles.
  ///
  /// They end outside of the lock, because the end of a sequence removes it.
  mutating func takeAll() -> QueueFollowers {
    defer { self = QueueFollowers() }
    return self
  }

  /// Ends all sequences and handles.
  func end(_ error: any Error) {
    for continuation in events.values { continuation.finish() }
    for continuation in counts.values { continuation.finish() }
    for handle in handles.values { handle.end(.failure(error)) }
  }
}
