internal import ApolloAPI

/// Notices commits by other connections to the cache of a store, such as those of another process,
/// while the store has watches, and the end of a suspension of the cache.
///
/// SQLite has no events for them. Asking for the version of the file costs microseconds, so the
/// monitor asks a few times a second, and not at all while nothing is watched.
///
/// Isolation: `task` is guarded by a lock. The monitor's owner is the store; releasing it ends the
/// task.
final class ForeignCommitMonitor: Sendable {
  private let records: any RecordStore
  private let registry: WatchRegistry
  private let siblings: SiblingStores
  private let task = Lock<Task<Void, Never>?>(nil)

  /// The time between two checks.
  private static let interval = Duration.milliseconds(400)

  init(_ records: any RecordStore, _ registry: WatchRegistry, _ siblings: SiblingStores) {
    self.records = records
    self.registry = registry
    self.siblings = siblings
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Starts to check if there are watches, and stops if there are none.
  func update() {
    let ended = task.withLock { task -> Task<Void, Never>? in
      guard registry.hasWatches else { return task.take() }
      if task == nil { task = start() }
      return nil
    }
    ended?.cancel()
  }

  private func start() -> Task<Void, Never> {
    Task.detached(priority: .utility) { [weak self] in
      while !Task.isCancelled {
        do { try await Task.sleep(for: Self.interval) } catch { return }  // cancelled
        self?.check()
      }
    }
  }

  private func check() {
    // A cache that is suspended or busy is asked again soon.
    guard let haveOthersWritten = try? records.takeForeignCommits() else { return }
    if haveOthersWritten { siblings.notify(of: nil, version: nil) }
    if records.takeResumption() { siblings.notifyOfResumption() }
  }
}
