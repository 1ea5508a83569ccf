internal import ApolloAPI

/// The stores of one cache, which notify each other of their writes.
///
/// The stores of memory in front of the cache are among them (``RecordStore/slowestCache``).
final class SiblingStores: Sendable {
  /// The parts of a store that others need.
  private struct Sibling: Sendable {
    weak var registry: WatchRegistry?
    weak var layers: OptimisticLayers?
    weak var events: LatestEvents?
  }
  private struct WeakSiblings: Sendable {
    weak var siblings: SiblingStores?
  }

  /// The siblings of each cache that has a store.
  private static let all = Lock<[ObjectIdentifier: WeakSiblings]>([:])

  private let stores = Lock<[Sibling]>([])

  /// The records that the program keeps, also through other caches of the same records.
  let retained: RetainedRecords
  /// The times at which fields were written.
  let freshness: FreshnessTracker
  /// The order of requests and writes.
  let order: RequestOrder
  let commits = CommitsUnderWay()
  /// The pages of the lists that directives have changed last.
  let listEnds = ListEnds()
  /// The collections that are under way.
  private let trackers = Lock<[WriteTracker]>([])

  private init(sharedName: String?, keepsWrites: Bool) {
    freshness = FreshnessTracker(ofCacheThatKeepsWrites: keepsWrites)
    order = sharedName.map(RequestOrder.of) ?? RequestOrder()
    retained = sharedName.map(RetainedRecords.of) ?? RetainedRecords()
  }

  /// Returns the stores of a cache, whose records may have a name that other caches share, and
  /// which may keep the writes of its fields.
  static func of(
    _ cache: AnyObject, sharedName: String?, keepsWrites: Bool
  ) -> SiblingStores {
    all.withLock { all in
      if let known = all[ObjectIdentifier(cache)]?.siblings { return known }
      all = all.filter { $0.value.siblings != nil }
      let new = SiblingStores(sharedName: sharedName, keepsWrites: keepsWrites)
      all[ObjectIdentifier(cache)] = WeakSiblings(siblings: new)
      return new
    }
  }

  /// Adds a store, whose parts these are.
  func add(_ registry: WatchRegistry, _ layers: OptimisticLayers, _ events: LatestEvents) {
    stores.withLock { stores in
      stores.removeAll { $0.registry == nil }
      stores.append(Sibling(registry: registry, layers: layers, events: events))
    }
  }

  /// Notifies the watches of all other stores: anything may have changed.
  ///
  /// - Parameters:
  ///   - writer: The registry of the store that has written, or `nil` if none of them has.
  ///   - version: The cache's own count of commits after the write, if it counts them.
  ///   - mayHaveCleared: Whether the write may have removed all records.
  ///   - hasChanges: Whether the write has changed the cache. If not, it concerns the stores alone
  ///     that show a response in a layer: one that was sent later, and brings what the cache has,
  ///     ends what they show.
  func notify(
    of writer: WatchRegistry?, version: UInt64?, mayHaveCleared: Bool = true,
    hasChanges: Bool = true
  ) {
    var others = stores.withLock { stores -> [Sibling] in
      guard stores.count > 1 || writer == nil else { return [] }
      return stores.filter { $0.registry != nil && $0.registry !== writer }
    }
    if !hasChanges { others.removeAll { !($0.layers?.stack.hasSettled ?? false) } }
    for sibling in others {
      if mayHaveCleared { sibling.events?.removeAll() }
      guard let other = sibling.registry else { continue }
      // Before the watches, so that no reader takes the layers as they were for the newest.
      let hasLayers = other.onForeignCommit.get()?() ?? false
      guard let recorded = other.recordForeignCommit(version: version, hasLayers: hasLayers)
      else { continue }
      let change = StoreChange(changes: recorded.changes, origin: nil)
      for notify in recorded.callbacks { notify(change) }
    }
  }

  /// Notifies the watches of all stores whose latest reading failed: another one may succeed now.
  func notifyOfResumption() {
    let change = StoreChange(changes: ChangeSet(), origin: nil)
    for notify in allRegistries.flatMap({ $0.recordResumption() }) { notify(change) }
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
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - written: Returns the records that were written.
  ///   - origin: The origin of the commit.
  func note(
    _ changes: ChangeSet, written: @autoclosure () -> [RecordKey] = [],
    from origin: ChangeOrigin? = nil
  ) {
    let trackers = trackers.get()
    guard !trackers.isEmpty else { return }
    let written = written()
    for tracker in trackers { tracker.insert(changes, written: written, from: origin) }
  }

  // The closure of a layer needs the records that it has read, as a watch does. When they change,
  // it runs again. If they were removed, it would fail, and the layer would show nothing.

  /// The records that watches or closures of layers of any store of the cache need.
  var neededRecords: [RecordKey] {
    stores.get().flatMap { ($0.registry?.watchedRecords ?? []) + ($0.layers?.readRecords ?? []) }
  }

  /// Returns whether a watch or a closure of a layer of any store of the cache needs a record.
  func isNeeded(_ record: RecordKey) -> Bool {
    stores.get().contains {
      $0.registry?.isWatched(record) ?? false || $0.layers?.haveRead(record) ?? false
    }
  }

  /// Returns whether a watch or a closure of a layer of any store of the cache needs a field.
  func isNeeded(_ field: FieldKey, of record: RecordKey) -> Bool {
    stores.get().contains {
      $0.registry?.isWatched(field, of: record) ?? false
        || $0.layers?.haveRead(field, of: record) ?? false
    }
  }

  private var allRegistries: [WatchRegistry] { stores.withLock { $0.compactMap(\.registry) } }

  /// Returns whether an optimistic layer of any store of the cache affects a record.
  func isInLayer(_ record: RecordKey) -> Bool {
    allEffects.contains { $0.affects(record) }
  }

  private var allEffects: [LayerEffects] {
    stores.get().compactMap { $0.layers?.effects }
  }

  /// Adds the records from which others can be reached, besides the roots of operations, watches
  /// and changes: retained records, latest events and optimistic layers.
  func insertRoots(into reachable: inout ReachableRecords) {
    for key in retained.keys { reachable.insert(key) }
    for root in stores.get().flatMap({ $0.events?.roots ?? [] }) {
      root.forEachReference { reachable.insert($0) }
    }
    for (key, fields) in allEffects.lazy.flatMap(\.records) {
      reachable.insert(key)
      fields?.forEachReference { reachable.insert($0) }
    }
  }
}
