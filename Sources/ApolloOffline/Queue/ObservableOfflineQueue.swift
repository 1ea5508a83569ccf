import Apollo
public import Observation

/// The counts of a queue, for user interfaces.
///
/// ```swift
/// struct SyncView: View {
///   @State private var changes = ObservableOfflineQueue(queue)
///
///   var body: some View { Text(changes.counts.description) }  // "3 changes are waiting"
/// }
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class ObservableOfflineQueue {
  /// The number of mutations in each state.
  public private(set) var counts: OfflineCounts
  /// The mutations in the queue, in their order. They are listed when they are asked for.
  public var entries: [OfflineEntry] {
    _ = changeCount
    return queue?.entries ?? []
  }
  private var changeCount = 0
  @ObservationIgnored private weak var queue: OfflineMutationQueue?
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows a queue until this object is released.
  public init(_ queue: OfflineMutationQueue) {
    counts = queue.counts
    self.queue = queue
    let updates = queue.countUpdates
    following = Task { [weak self] in
      for await counts in updates {
        guard let self else { return }
        self.counts = counts
        self.changeCount += 1
      }
    }
  }

  deinit { following?.cancel() }
}
