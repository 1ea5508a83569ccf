public import ApolloAPI

/// The records that a client knows: read and written in transactions, watched by whoever depends on
/// them.
///
/// Writers come one at a time, in order. Readers see the records as they are when a read begins:
/// all of a write or nothing of it; and they wait for no one, if the cache gives snapshots (those
/// of this package do). Watchers are told after a write is visible, on the writer's thread, without
/// a lock held.
///
/// A transaction inside a transaction on the same store throws ``StoreError/reentrantTransaction``.
public final class ApolloStore: Sendable {
  package let cache: any NormalizedCache
  /// The cache, if others may write to it as well.
  private let shared: (any SharedCache)?
  private let writers = WriteQueue()
  package let board: WatchRegistry
  package let plans: NormalizationPlanPool
  private let results = ResultCache()
  private let onCacheFailure: (@Sendable (any Error) -> Void)?
  /// Keeps the calls with callbacks in order.
  package let calls = CallQueue()

  /// How a store works.
  public struct Configuration: Sendable {
    /// Gives an object a key before the schema's configuration is asked, as clients before 1.0 did.
    public var cacheKeyForObject: CacheKeyForObject?

    /// Called when the cache fails and a client goes on without it: a response is delivered though it
    /// could not be written, or a cache that cannot be read counts as a miss.
    ///
    /// What a program asks of the store itself throws instead. Called on any thread, without a lock
    /// held.
    public var onCacheFailure: (@Sendable (any Error) -> Void)?

    /// The defaults.
    public init() {}
  }

  /// Opens a store on a cache.
  ///
  /// - Parameters:
  ///   - cache: where to keep the records.
  ///   - configuration: how the store works.
  public init(
    cache: any NormalizedCache = InMemoryNormalizedCache(),
    configuration: Configuration = Configuration()
  ) {
    self.cache = cache
    shared = cache as? any SharedCache
    board = WatchRegistry(
      version: (cache as? InMemoryNormalizedCache)?.currentSnapshot().version ?? 0)
    plans = NormalizationPlanPool(cacheKeyForObject: configuration.cacheKeyForObject)
    onCacheFailure = configuration.onCacheFailure
  }

  /// Tells whoever wants to know that the cache has failed, and that the client goes on without it.
  package func report(_ error: any Error) {
    onCacheFailure?(error)
  }
}

extension ApolloStore {
  /// Gives an object a key before the schema's configuration is asked, as clients before 1.0 did.
  ///
  /// Set it before anything is written: records stay under the keys that they were written with.
  public var cacheKeyForObject: CacheKeyForObject? {
    get { plans.cacheKeyForObject }
    set { plans.cacheKeyForObject = newValue }
  }
}

// MARK: - Operations

extension ApolloStore {
  /// Reads what an operation asks for.
  ///
  /// - Parameters:
  ///   - operation: what to read, with its variables.
  ///   - servesFailures: whether a field that the server could not answer is served as null, with
  ///     its error in ``CacheReading/errors``; otherwise it is a miss.
  /// - Returns: the data, or what is missing.
  /// - Throws: what the cache throws; ``StoreError/reentrantTransaction`` inside of a transaction.
  public nonisolated(nonsending) func load<Operation: GraphQLOperation>(
    _ operation: Operation, servesFailures: Bool = false
  ) async throws -> CacheReading<Operation.Data> {
    try ActiveTransactions.refuseReentry(into: self)
    if let memory = cache as? InMemoryNormalizedCache {
      return try load(operation, from: memory, servesFailures: servesFailures)
    }
    return try await withinReadTransaction { transaction throws in
      try transaction.reading(
        Operation.Data.self, from: .root(of: operation), variables: operation.__variables,
        servesFailures: servesFailures)
    }
  }

  /// The result of the last reading, if it still holds, or a new one.
  private func load<Operation: GraphQLOperation>(
    _ operation: Operation, from memory: InMemoryNormalizedCache, servesFailures: Bool
  ) throws -> CacheReading<Operation.Data> {
    let (generation, version) = board.counts
    let variables = operation.__variables
    let key = SelectionKey(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: variables)
    // If the counts differ, a write is just being noted, or somebody wrote without the store.
    if memory.version == version,
      let (object, trace) = results.result(
        of: key, at: generation, changesSince: board.changes(since:))
    {
      return CacheReading(
        data: Operation.Data(__object: object), misses: [], errors: [], trace: trace)
    }
    let snapshot = memory.currentSnapshot()
    let isExact = snapshot.version == version
    let reading: CacheReading<Operation.Data> = try plans.withPlan(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: variables, key: key
    ) {
      try CacheReading(
        from: .root(of: operation), in: snapshot, plan: $0, servesFailures: servesFailures,
        generation: generation)
    }
    if isExact, reading.errors.isEmpty, let data = reading.data {
      results.remember(data.__object, reading.trace, of: key)
    }
    return reading
  }

  /// Makes a listener for the decoder of one response to `operation`.
  package func normalizer<Operation: GraphQLOperation>(for operation: Operation)
    -> ResponseNormalizer
  {
    let (plan, recycle) = plans.take(
      Operation.Data.__layout, schema: Operation.Data.Schema.self, variables: operation.__variables)
    return ResponseNormalizer(
      plan, key: .root(of: operation), memory: cache as? InMemoryNormalizedCache,
      recycle: recycle)
  }

  /// Merges the records of a response that was decoded with ``normalizer(for:)``.
  ///
  /// - Returns: what to watch in order to learn when the response is out of date.
  @discardableResult
  package nonisolated(nonsending) func publish(
    _ response: NormalizedResponse, origin: ChangeOrigin? = nil
  ) async throws -> ReadingTrace {
    try await exclusively { turn throws in
      let (changes, version) = try turn.apply(response)
      // The generation that this write begins, if it begins one: no other can come between.
      let generation = changes.isEmpty ? board.generation : board.generation.next
      let trace = ReadingTrace(dependencies: response.dependencies, generation: generation)
      return (trace, Written(changes: changes, version: version, origin: origin))
    }
  }
}

extension ApolloStore {
  /// What to watch in order to learn when a response is out of date that could not be written.
  package func trace(of response: NormalizedResponse) -> ReadingTrace {
    ReadingTrace(dependencies: response.dependencies, generation: board.generation)
  }
}

extension RecordKey {
  /// The record that holds the fields of an operation's root.
  package static func root<Operation: GraphQLOperation>(of operation: Operation) -> RecordKey {
    root(of: Operation.operationType)
  }

  /// The record that holds the fields of the root of all operations of a kind.
  package static func root(of type: GraphQLOperationType) -> RecordKey {
    switch type {
    case .query: .queryRoot
    case .mutation: .mutationRoot
    case .subscription: .subscriptionRoot
    }
  }
}

// MARK: - Writing

extension ApolloStore {
  /// Merges records, all of them or none, and tells who watches what changed.
  ///
  /// - Parameters:
  ///   - records: the records, in the order in which to merge them.
  ///   - origin: handed on to watchers, who may want to ignore what they wrote themselves.
  /// - Returns: what changed.
  /// - Throws: what the cache throws; `CancellationError` if the task is cancelled before its turn.
  @discardableResult
  public nonisolated(nonsending) func publish(
    _ records: RecordSet, origin: ChangeOrigin? = nil
  ) async throws -> ChangeSet {
    try await write([.merge(records)], origin: origin)
  }

  /// Removes one record. What refers to it is a miss when it is read next; who watches any of its
  /// fields is told.
  public nonisolated(nonsending) func removeObject(for key: RecordKey) async throws {
    try await write([.remove(key)], origin: nil)
  }

  /// Removes every record whose key contains `pattern`, ASCII letters in either case.
  public nonisolated(nonsending) func removeObjects(matching pattern: String) async throws {
    try await write([.removeMatching(pattern)], origin: nil)
  }

  /// Removes every record, and tells every watcher.
  public nonisolated(nonsending) func clearCache() async throws {
    try await write([.clear], origin: nil)
  }

  @discardableResult
  private nonisolated(nonsending) func write(
    _ mutations: [CacheMutation], origin: ChangeOrigin?
  ) async throws -> ChangeSet {
    try await exclusively { turn throws in
      let (changes, version) = try turn.apply(mutations)
      return (changes, Written(changes: changes, version: version, origin: origin))
    }
  }

  /// What a writer did.
  private struct Written {
    var changes: ChangeSet
    /// The cache's own count of writes, if it counts.
    var version: UInt64?
    var origin: ChangeOrigin?
  }

  /// The turn of one writer: what it reads is what it will change.
  private struct WriteContext {
    let cache: any NormalizedCache
    let session: (any WriteSession)?

    func snapshot() throws -> any RecordSnapshot {
      try session ?? cache.snapshot() ?? LoadingSnapshot(cache)
    }

    func apply(_ response: NormalizedResponse) throws -> (ChangeSet, version: UInt64?) {
      guard session == nil, let memory = cache as? InMemoryNormalizedCache else {
        return try apply([.merge(response.records)])
      }
      return memory.publish(response)
    }

    func apply(_ mutations: [CacheMutation]) throws -> (ChangeSet, version: UInt64?) {
      if let session { return (try session.commit(mutations), nil) }
      guard let memory = cache as? InMemoryNormalizedCache else {
        return (try cache.apply(mutations), nil)
      }
      return memory.applyCounting(mutations)
    }
  }

  /// Runs `body` as the only writer, then tells watchers of the changes it returns.
  private nonisolated(nonsending) func exclusively<Result>(
    _ body: (WriteContext) async throws -> (Result, Written)
  ) async throws -> Result {
    try ActiveTransactions.refuseReentry(into: self)
    try await writers.enter()
    let result: Result
    let change: StoreChange
    let concerned: [@Sendable (StoreChange) -> Void]
    do {
      defer { writers.leave() }
      let session = try await shared?.waitToWrite()
      defer { session?.end() }
      let (value, written) = try await body(WriteContext(cache: cache, session: session))
      result = value
      change = StoreChange(changes: written.changes, origin: written.origin)
      concerned = board.note(written.changes, version: written.version)
    }
    for notify in concerned { notify(change) }
    return result
  }
}

// MARK: - Transactions

extension ApolloStore {
  /// Runs `body` with a view of the records that does not change while it runs.
  ///
  /// ```swift
  /// let hero = try await store.withinReadTransaction { try $0.read(query: HeroQuery()).hero }
  /// ```
  public nonisolated(nonsending) func withinReadTransaction<Result>(
    _ body: (ReadTransaction) async throws -> Result
  ) async throws -> Result {
    try ActiveTransactions.refuseReentry(into: self)
    let generation = board.generation
    if let snapshot = try cache.snapshot() {
      let transaction = ReadTransaction(snapshot, generation: generation, plans: plans)
      return try await run(transaction, isExclusive: false, body)
    }
    try await writers.enter()
    defer { writers.leave() }
    let transaction = ReadTransaction(
      LoadingSnapshot(cache), generation: board.generation, plans: plans)
    return try await run(transaction, isExclusive: true, body)
  }

  private nonisolated(nonsending) func run<Result>(
    _ transaction: ReadTransaction, isExclusive: Bool,
    _ body: (ReadTransaction) async throws -> Result
  ) async throws -> Result {
    defer { transaction.end() }
    return try await ActiveTransactions.within(self, isExclusive: isExclusive) {
      try await body(transaction)
    }
  }

  /// Runs `body` as the only writer. Its changes become visible together when it returns; if it
  /// throws, nothing changes.
  ///
  /// What a body begins without awaiting it, such as a call with a callback, writes after the
  /// transaction: a body that waits for the callback would wait for ever.
  ///
  /// - Parameters:
  ///   - origin: handed on to watchers, who may want to ignore what they wrote themselves.
  ///   - body: what reads and writes. The transaction ends when it returns.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` or the cache throws; `CancellationError` if the task is cancelled before
  ///   its turn; ``StoreError/reentrantTransaction`` inside of a transaction.
  public nonisolated(nonsending) func withinReadWriteTransaction<Result>(
    origin: ChangeOrigin? = nil,
    _ body: (ReadWriteTransaction) async throws -> Result
  ) async throws -> Result {
    try await exclusively { turn async throws in
      let transaction = ReadWriteTransaction(
        try turn.snapshot(), generation: board.generation, plans: plans)
      defer { transaction.end() }
      let result = try await ActiveTransactions.within(self, isExclusive: true) {
        try await body(transaction)
      }
      let mutations = transaction.overlay.mutations
      guard !mutations.isEmpty else {
        return (result, Written(changes: ChangeSet(), origin: origin))
      }
      let (changes, version) = try turn.apply(mutations)
      return (result, Written(changes: changes, version: version, origin: origin))
    }
  }
}

// MARK: - Watching

extension ApolloStore {
  /// Registers a callback that is called after each write that changes what the watch depends on,
  /// or clears the cache.
  ///
  /// It depends on nothing until ``StoreWatch/depend(on:)``. It ends with the last reference to
  /// what is returned.
  public func watch(onChange: @escaping @Sendable (StoreChange) -> Void) -> StoreWatch {
    StoreWatch(board: board, toEverything: false, onChange: onChange)
  }

  /// Registers a callback that is called after every write that changes anything.
  public func subscribe(onChange: @escaping @Sendable (StoreChange) -> Void) -> StoreWatch {
    StoreWatch(board: board, toEverything: true, onChange: onChange)
  }
}
