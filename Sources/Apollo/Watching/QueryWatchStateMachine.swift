package import ApolloCache

/// The logic of a ``GraphQLQueryWatcher``: events in, actions out.
///
/// The machine is synchronous and has no knowledge of tasks, locks and queries. The watcher reports
/// each event and performs the returned actions in order.
///
/// | state | fetch requested | fetch ended | data missing in the cache | cancelled |
/// | :-- | :-- | :-- | :-- | :-- |
/// | `idle` | `fetching` ¹ | – | refetch: `fetching`, or fail: `idle` ² | `cancelled` |
/// | `fetching` | `fetching` ¹ | `idle` | `fetchingAfterMiss` | `cancelled` |
/// | `fetchingAfterMiss` | `fetching` ¹ | `idle`; read the cache | `fetchingAfterMiss` | `cancelled` |
/// | `cancelled` | – | – | – | – |
///
/// 1. Or `idle`, if the fetch does not use the server. The new fetch replaces the earlier one,
///    whose events are ignored from then on.
/// 2. The watch fails if it may not refetch, or after ``maximumRefetchCount`` consecutive
///    refetches. A failed watch continues: it delivers data as soon as the cache has it again.
///
/// In every state but `cancelled`, data and errors are delivered, with two exceptions: data that
/// was read before the latest delivered data, and data that equals it.
///
/// After a response that could not be written, the cache has older data than was delivered. A
/// change of the cache is then handled like missing data, until a response is written: the query is
/// fetched again, or nothing is delivered.
///
/// A *refetch* is a fetch that the watch starts by itself. Two watches that evict each other's data
/// would refetch forever. Therefore each event carries a refetch count: the number of consecutive
/// refetches, by any watch, that led to it.
package struct QueryWatchStateMachine<Value: Sendable> {
  /// One run of the watched query.
  package struct Fetch: Equatable, Sendable {
    /// The number of the fetch. Only the events of the latest one count.
    package let number: Int
    package let behavior: FetchBehavior
    package let writesToCache: Bool
    package let refetchCount: Int
  }

  package enum Action {
    /// Starts a fetch and cancels the one before it, if that has not ended.
    case start(Fetch)
    /// Observes the dependencies of a result, in place of the earlier ones.
    case observe(ReadingTrace, refetchCount: Int)
    /// Observes everything, because the cache could not be read at this generation.
    case observeEverything(since: Generation, refetchCount: Int)
    /// Reads the query from the cache.
    case read(refetchCount: Int)
    case deliver(Value)
    case fail(any Error)
  }

  private enum State {
    /// No fetch is in progress that can deliver missing data.
    case idle
    case fetching
    /// Data went missing while the fetch was in progress, which may deliver it.
    case fetchingAfterMiss(refetchCount: Int)
    case cancelled
  }

  /// The number of consecutive refetches after which a watch fails.
  package static var maximumRefetchCount: Int { 10 }

  private let refetches: Bool
  private var state = State.idle
  private var latestFetch: Fetch?
  private var duplicates: DuplicateFilter<Value>
  /// The generation of the latest delivered data. Results of earlier generations are outdated.
  private var latestGeneration: Generation?
  /// Indicates whether the latest delivered response could not be written to the cache.
  private var isAheadOfCache = false

  /// Creates a machine in the state `idle`.
  ///
  /// - Parameters:
  ///   - refetches: `false` if missing data fails the watch at once.
  ///   - areEqual: A closure that compares the data of two results.
  package init(refetches: Bool, areEqual: @escaping @Sendable (Value, Value) -> Bool) {
    self.refetches = refetches
    duplicates = DuplicateFilter(areEqual: areEqual)
  }

  package var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  package mutating func cancel() { state = .cancelled }
}

// MARK: - Fetching

extension QueryWatchStateMachine {
  /// Handles the program's request for a fetch.
  package mutating func fetchRequested(_ behavior: FetchBehavior, writesToCache: Bool) -> [Action] {
    guard !isCancelled else { return [] }
    return startFetch(behavior, writesToCache: writesToCache, refetchCount: 0)
  }

  /// Handles a response of the fetch with this number.
  ///
  /// - Parameters:
  ///   - value: The response.
  ///   - trace: Its dependencies, or `nil` if it neither comes from the cache nor was meant for it.
  ///   - isUnwritten: Whether writing it to the cache failed.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchDelivered(
    _ value: Value, readFrom trace: ReadingTrace?, isUnwritten: Bool = false, fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if let trace, !isOutdated(trace) { isAheadOfCache = isUnwritten }
    return deliver(value, readFrom: trace, refetchCount: fetch.refetchCount)
  }

  /// Handles the failure of the fetch with this number.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - trace: The fields that were missing in the cache, if it was read.
  ///   - unreadable: The generation at which the cache could not be read, if that is a reason.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchFailed(
    _ error: any Error, readFrom trace: ReadingTrace?,
    unreadableSince unreadable: Generation? = nil,
    fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if let trace { return [.observe(trace, refetchCount: fetch.refetchCount)] + fail(error) }
    if let unreadable {
      return [.observeEverything(since: unreadable, refetchCount: fetch.refetchCount)] + fail(error)
    }
    return fail(error)
  }

  /// Handles the end of the fetch with this number, after its last response or its failure.
  package mutating func fetchEnded(_ number: Int) -> [Action] {
    guard current(number) != nil else { return [] }
    defer { state = .idle }
    guard case .fetchingAfterMiss(let refetchCount) = state else { return [] }
    return [.read(refetchCount: refetchCount)]
  }

  /// Returns the fetch with this number, unless it was replaced or the watch was cancelled.
  private func current(_ number: Int) -> Fetch? {
    guard !isCancelled, let latestFetch, latestFetch.number == number else { return nil }
    return latestFetch
  }

  private mutating func startFetch(
    _ behavior: FetchBehavior, writesToCache: Bool, refetchCount: Int
  ) -> [Action] {
    let fetch = Fetch(
      number: (latestFetch?.number ?? 0) + 1, behavior: behavior, writesToCache: writesToCache,
      refetchCount: refetchCount)
    latestFetch = fetch
    state = behavior.networkFetch == .never ? .idle : .fetching
    return [.start(fetch)]
  }
}

// MARK: - Observing the cache

extension QueryWatchStateMachine {
  /// Handles a reading of the cache that found all of the data.
  package mutating func cacheDelivered(
    _ value: Value, readFrom trace: ReadingTrace, refetchCount: Int
  ) -> [Action] {
    guard !isCancelled else { return [] }
    if isAheadOfCache {
      guard !isOutdated(trace) else { return [] }
      return fetchMissing(since: trace, refetchCount: refetchCount)
        ?? [.observe(trace, refetchCount: refetchCount)]
    }
    return deliver(value, readFrom: trace, refetchCount: refetchCount)
  }

  /// Handles a reading of the cache that some of the data was missing from.
  ///
  /// 1. An outdated reading is ignored.
  /// 2. The missing fields are observed, so that the watch notices when they return.
  /// 3. While a fetch is in progress, it may deliver them: the cache is read again at its end.
  /// 4. Otherwise the query is fetched again, if the watch may do that.
  /// 5. Otherwise the watch fails, once: not if there was no data to lose.
  package mutating func cacheMissed(
    _ error: any Error, readFrom trace: ReadingTrace, refetchCount: Int
  ) -> [Action] {
    guard !isCancelled, !isOutdated(trace) else { return [] }
    if let actions = fetchMissing(since: trace, refetchCount: refetchCount) { return actions }
    let observing = [Action.observe(trace, refetchCount: refetchCount)]
    guard duplicates.hasDelivered, !isAheadOfCache else { return observing }
    latestGeneration = trace.generation
    return observing + fail(error)
  }

  /// Observes the fields of a reading, and fetches what the cache lacks: with the fetch in
  /// progress, or with a new one. Returns `nil` if the watch may not fetch.
  private mutating func fetchMissing(
    since trace: ReadingTrace, refetchCount: Int
  ) -> [Action]? {
    let observing = [Action.observe(trace, refetchCount: refetchCount)]
    switch state {
    case .fetching:
      state = .fetchingAfterMiss(refetchCount: refetchCount)
      return observing
    case .fetchingAfterMiss(let other):
      state = .fetchingAfterMiss(refetchCount: min(refetchCount, other))
      return observing
    case .idle, .cancelled: break
    }
    guard mayRefetch(after: refetchCount) else { return nil }
    return observing
      + startFetch(.networkOnly, writesToCache: true, refetchCount: refetchCount + 1)
  }

  /// Handles a reading of the cache that failed.
  package mutating func cacheFailed(_ error: any Error) -> [Action] {
    isCancelled ? [] : fail(error)
  }

  /// Returns `true` if a miss after `refetchCount` consecutive refetches starts another one.
  ///
  /// A watch whose latest fetch uses the cache alone never refetches.
  private func mayRefetch(after refetchCount: Int) -> Bool {
    let usesServer = latestFetch.map { $0.behavior.networkFetch != .never } ?? false
    return refetches && usesServer && refetchCount < Self.maximumRefetchCount
  }
}

// MARK: - Delivering

extension QueryWatchStateMachine {
  private mutating func deliver(
    _ value: Value, readFrom trace: ReadingTrace?, refetchCount: Int
  ) -> [Action] {
    var actions: [Action] = []
    if let trace {
      guard !isOutdated(trace) else { return [] }
      latestGeneration = trace.generation
      actions.append(.observe(trace, refetchCount: refetchCount))
    }
    if duplicates.accept(value) { actions.append(.deliver(value)) }
    return actions
  }

  private mutating func fail(_ error: any Error) -> [Action] {
    duplicates.reset()
    return [.fail(error)]
  }

  private func isOutdated(_ trace: ReadingTrace) -> Bool {
    latestGeneration.map { trace.generation < $0 } ?? false
  }
}
