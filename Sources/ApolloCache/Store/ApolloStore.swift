package import ApolloAPI

/// The normalized records of a client: read and written in transactions, and watched.
///
/// ```swift
/// let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
///
/// try await store.withinReadWriteTransaction { transaction in
///   try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
/// }
/// ```
///
/// - **Writers** run one at a time, in the order of their calls.
/// - **Readers** see the records as they were when the reading started: all of a write or nothing
///   of it. They do not wait for writers, provided that the cache has snapshots, as the caches of
///   this package do.
/// - **Watches** are notified after a write has become visible, on the writer's thread, with no
///   lock held.
///
/// A transaction inside of a transaction on the same store throws ``StoreError``.
///
/// Readers and watches also see the optimistic data of mutations that have not ended. It is in
/// layers above the cache's records, and is never written to the cache.
///
/// The steps of a write:
///
/// 1. Wait in the `WriteQueue`.
/// 2. Take the right to write to the cache (`RecordStore.beginWriting()`).
/// 3. Run the body. A transaction collects its changes in a `TransactionOverlay`.
/// 4. Commit all changes with one call. They are visible now. Closures of
///    optimistic layers that have read something of them run again first.
/// 5. Record the changes in the `WatchRegistry`, which returns the watches that they concern.
/// 6. Let the next writer in, and notify the watches.
public final class ApolloStore: Sendable {
  package let records: any RecordStore
  package let registry: WatchRegistry
  package let plans: NormalizationPlanPool
  /// The stores of the same cache, with or without memory in front of it.
  let siblings: SiblingStores
  /// The parts that follow each commit, in order.
  let followers: [Follower]
  /// Notices commits by other connections, or `nil` if there can be none.
  private let monitor: ForeignCommitMonitor?
  /// The calls with callbacks, in order.
  package let calls = CallQueue()

  package let writers = WriteQueue()
  package let results = ResultCache()
  let events = LatestEvents()
  /// The layers of mutations that have not ended.
  package let layers = OptimisticLayers()
  private let onCacheFailure: (@Sendable (any Error) -> Void)?
  /// The latest readings and responses, or `nil` if the store does not track them.
  let uses: RecentUses?
  /// Trims the cache when it has grown too large, or `nil` if it may have any size.
  let limiter: SizeLimiter?
  /// The settings for the ages of fields.
  package let freshness: CacheFreshness

  /// The settings of a store.
  ///
  /// ```swift
  /// var configuration = ApolloStore.Configuration()
  /// configuration.onCacheFailure = { error in print("The cache failed: \(error)") }
  /// let store = ApolloStore(cache: cache, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The closure that gives objects their keys before the schema's configuration does, as in
    /// clients before 1.0.
    public var cacheKeyForObject: CacheKeyForObject?

    /// The closure to call when the cache fails and the client continues without it: a response is
    /// delivered although it could not be written, or a cache that cannot be read counts as a miss.
    ///
    /// The store's own methods throw the error instead. The closure runs on any thread, with no
    /// lock held.
    public var onCacheFailure: (@Sendable (any Error) -> Void)?

    /// Indicates whether the store tracks which records were used last, so that ``trim(to:)``
    /// removes the others first.
    public var tracksUse = false

    /// The number of bytes that the records may need, or `nil` for no limit.
    ///
    /// Above it, the store trims its cache by itself (``trim(to:)``), in the background. Until then
    /// the records may need an eighth more, and further ones while a program writes faster than a
    /// trimming removes. The sizes are estimates.
    public var sizeLimit: Int?

    /// The maximum ages of cached data, and how they are determined.
    public var freshness = CacheFreshness()

    /// Creates the default settings.
    public init() {}
  }

  /// Creates a store that keeps its records in a cache.
  ///
  /// - Parameters:
  ///   - cache: The cache. The default keeps records in memory.
  ///   - configuration: The settings of the store.
  public convenience init(
    cache: any NormalizedCache = InMemoryNormalizedCache(),
    configuration: Configuration = Configuration()
  ) {
    self.init(records: cache.recordStore, configuration: configuration)
  }

  /// Creates a store that keeps its records in any record store.
  package init(records: any RecordStore, configuration: Configuration = Configuration()) {
    self.records = records
    registry = WatchRegistry(version: records.version ?? 0)
    siblings = SiblingStores.of(
      records.slowestCache, sharedName: records.sharedName, keepsWrites: records.keepsWrites)
    siblings.add(registry, layers, events)
    followers = Self.followers(siblings, layers)
    monitor = records.hasForeignWriters ? ForeignCommitMonitor(records, registry, siblings) : nil
    plans = NormalizationPlanPool(cacheKeyForObject: configuration.cacheKeyForObject)
    onCacheFailure = configuration.onCacheFailure
    uses = configuration.tracksUse || configuration.sizeLimit != nil ? RecentUses() : nil
    limiter = configuration.sizeLimit.map(SizeLimiter.init)
    freshness = configuration.freshness
    registry.onForeignCommit.withLock { [layers] in $0 = { layers.noteForeignCommit() } }
    if let monitor {
      registry.onActivity.withLock { $0 = { [weak monitor] in monitor?.update() } }
    }
    records.onForeignCommit { [weak self] changes in
      self?.recordForeignCommit(changes)
      return self != nil
    }
  }

  deinit { siblings.order.forgetWaiting(in: identity) }

  /// Notifies the watches of changes by others, which readers see already.
  private func recordForeignCommit(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    siblings.note(changes)
    siblings.listEnds.removeAll()
    siblings.freshness.forget(changes)
    layers.noteForeignCommit()
    notify(
      registry.record(changes, version: nil), origin: nil,
      mayHaveCleared: changes.includesEverything)
  }

  /// Reports that the cache has failed and that the client continues without it.
  package func report(_ error: any Error) {
    if let error = error as? any RepeatedCacheError, error.isRepeated { return }
    onCacheFailure?(error)
  }
}

extension ApolloStore {
  /// The closure that gives objects their keys before the schema's configuration does, as in
  /// clients before 1.0.
  ///
  /// Set it before anything is written: records stay under the keys that they were written with.
  public var cacheKeyForObject: CacheKeyForObject? {
    get { plans.cacheKeyForObject }
    set { plans.cacheKeyForObject = newValue }
  }
}

extension RecordKey {
  /// The record that holds the root fields of an operation.
  package static func root<Operation: GraphQLOperation>(of operation: Operation) -> RecordKey {
    root(of: Operation.operationType)
  }

  /// The record that holds the root fields of all operations of a kind.
  package static func root(of type: GraphQLOperationType) -> RecordKey {
    switch type {
    case .query: .queryRoot
    case .mutation: .mutationRoot
    case .subscription: .subscriptionRoot
    }
  }
}
