internal import ApolloAPI

/// The stores of one cache, which notify each other of their writes.
final class SiblingStores: Sendable {
  private struct WeakRegistry: Sendable {
    weak var registry: WatchRegistry?
  }
  private struct WeakSiblings: Sendable {
    weak var siblings: SiblingStores?
  }

  /// The siblings of each cache that has a store.
  private static let all = Lock<[ObjectIdentifier: WeakSiblings]>([:])

  private let registries = Lock<[WeakRegistry]>([])

  /// The records that programs keep in the cache.
  let retained = RetainedRecords()
  /// The times at which fields were written.
  let freshness = FreshnessTracker()
  /// The collections that are under way.
  private let trackers = Lock<[WriteTracker]>([])

  /// Returns the stores of a cache.
  static func of(_ cache: AnyObject) -> SiblingStores {
    all.withLock { all in
      if let known = all[ObjectIdentifier(cache)]?.siblings { return known }
      all = all.filter { $0.value.siblings != nil }
      let new = SiblingStores()
      all[ObjectIdentifier(cache)] = WeakSiblings(siblings: new)
      return new
    }
  }

  func add(_ registry: WatchRegistry) {
    registries.withLock { registries in
      registries.removeAll { $0.registry == nil }
      registries.append(WeakRegistry(registry: registry))
    }
  }

  /// Notifies the watches of all other stores: anything may have changed.
  ///
  /// - Parameters:
  ///   - writer: The registry of the store that has written, or `nil` if none of them has.
  ///   - version: The cache's own count of commits after the write, if it counts them.
  func notify(of writer: WatchRegistry?, version: UInt64?) {
    let others = registries.withLock { registries -> [WatchRegistry] in
      guard registries.count > 1 || writer == nil else { return [] }
      return registries.compactMap { $0.registry === writer ? nil : $0.registry }
    }
    for other in others {
      guard let recorded = other.recordForeignCommit(version: version) else { continue }
      other.onForeignCommit.get()?()
      let change = StoreChange(changes: recorded.changes, origin: nil)
      for notify in recorded.callbacks { notify(change) }
    }
  }

  // MARK: - For collections

  /// Starts to report the writes of all stores of the cache to a tracker.
  func add(_ tracker: WriteTracker) {
    trackers.withLock { $0.append(tracker) }
  }

  func remove(_ tracker: WriteTracker) {
    trackers.withLock { trackers in trackers.removeAll { $0 === tracker } }
  }

  /// Reports a commit to the collections that are under way.
  func note(_ changes: ChangeSet, from origin: ChangeOrigin? = nil) {
    trackers.withLock { trackers in
      for tracker in trackers { tracker.insert(changes, from: origin) }
    }
  }

  /// The records that watches of any store of the cache depend on.
  var watchedRecords: [RecordKey] { allRegistries.flatMap(\.watchedRecords) }

  /// Returns whether a watch of any store of the cache depends on a record.
  func isWatched(_ record: RecordKey) -> Bool {
    allRegistries.contains { $0.isWatched(record) }
  }

  /// Returns whether a watch of any store of the cache depends on a field of a record.
  func isWatched(_ field: FieldKey, of record: RecordKey) -> Bool {
    allRegistries.contains { $0.isWatched(field, of: record) }
  }

  private var allRegistries: [WatchRegistry] { registries.withLock { $0.compactMap(\.registry) } }
}
