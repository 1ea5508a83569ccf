package import ApolloCache
package import struct Foundation.Date

/// The logic of a ``GraphQLQueryWatcher``: events in, actions out.
///
/// The machine is synchronous and has no knowledge of tasks, locks and queries. The watcher reports
/// each event and performs the returned actions in order. The next states (– means that the event
/// is ignored):
///
/// | state | fetch requested | cache-only fetch requested | fetch ended | fetch cancelled | data missing in the cache | session ended |
/// | :-- | :-- | :-- | :-- | :-- | :-- | :-- |
/// | `idle` | `fetching` | `idle` | – | – | `fetching` by a refetch, or `idle` with an error | `paused` |
/// | `fetching` | `fetching` | `idle` | `idle` | `idle` | `fetchingBeforeReading` | `paused` |
/// | `fetchingBeforeReading` | `fetching` | `idle` | `deciding`, and the cache is read | `idle`, and the cache is read | `fetchingBeforeReading` | `paused` |
/// | `deciding` | `fetching` | `idle` | – | `idle` | `fetching` by a refetch, or `idle` with an error | `paused` |
/// | `paused` | `fetching` | `idle` | – | – | – | – |
/// | `cancelled` | – | – | – | – | – | – |
///
/// A cache-only fetch ends and is cancelled in `idle`. In `deciding`, a reading of the cache that
/// began since leads to `idle` first. A response that is overtaken during a fetch has the effect of
/// data that is missing.
///
/// - Fetching: A requested fetch replaces the earlier one, whose events are ignored from then on.
/// - Refetching: A *refetch* is a fetch that the watch starts by itself, for missing data. Two
///   watches that evict each other's data would refetch forever. Therefore each event carries a
///   refetch count: the number of consecutive refetches, by any watch, that led to it. A watch
///   reports an error instead after ``maximumRefetchCount`` of them, or if it may not refetch. It
///   delivers data again as soon as the cache has all of it.
/// - Delivering: In every state but `cancelled`, data and errors are delivered. Exceptions are data
///   that was read before the latest delivered data, and data that equals it.
/// - Own changes: What a fetch of the watch writes does not make it read the cache, because the
///   response is delivered. If that fetch was replaced, cancelled or has failed, the cache is read.
/// - Expiring: ``ExpirySchedule`` decides when data that expires is fetched again.
/// - Overtaken responses: A response of which the cache has newer values is not delivered. The
///   cache is read instead, at once and at the end of the fetch, which that reading ends. If data
///   is missing then and the watch may not refetch, a response that the cache never had is
///   delivered after all, unless data of the cache was delivered since the fetch began.
/// - Unwritten responses: After a response that was not written, because writing failed or the
///   fetch does not write, the cache has older data than was delivered. Until a response is
///   written, data from the cache is not delivered. A change of the cache starts a refetch instead,
///   if the watch may refetch.
/// - Partial data: A watch that shows a part of its data shows newer parts, until it has delivered
///   all of it.
/// - Pausing: The end of the session of a user pauses the watch until the program requests a fetch.
///   The watch forgets what it has delivered, and its fetches and readings of the ended session are
///   ignored. Then it goes on as a new one, but observes the cache at once if it did before.
package struct QueryWatchStateMachine<Value: Sendable> {
  /// One run of the watched query.
  package struct Fetch: Equatable, Sendable {
    /// The number of the fetch. Only the events of the latest one count.
    package let number: Int
    /// The number of the fetch that was requested, and of which this one is a part.
    package let request: Int
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
    /// Observes what the query reads from the cache, and reads it if it has changed since.
    case look(since: Generation)
    /// Cancels the task of the latest fetch.
    case stop
    /// Ends the observation of the cache, and ignores its readings that are under way.
    case pause
    /// Begins to observe the cache: every change, or what follows from the next result.
    case resume(everything: Bool)
    case deliver(Value)
    case fail(any Error)
  }

  private enum State {
    /// No fetch from the server is in progress. A cache-only fetch may be.
    case idle
    /// The latest fetch is in progress, and it asks the server.
    case fetching
    /// Like `fetching`, but a reading of the cache belongs to the fetch: data went missing in the
    /// meantime, which the fetch may bring, or a response was overtaken.
    case fetchingBeforeReading(refetchCount: Int)
    /// The latest fetch has ended but for its reading of the cache. That decides whether another
    /// fetch follows.
    case deciding
    /// The session of the user has ended. Every event but a request of the program is ignored.
    case paused(wasObserving: Bool)
    /// Every event is ignored.
    case cancelled
  }

  /// A response that was not delivered.
  private struct Undelivered {
    /// The response, or `nil` if the cache had it and has lost it since.
    let value: Value?
  }

  /// The number of consecutive refetches after which a watch reports an error instead.
  package static var maximumRefetchCount: Int { 10 }

  private let mayRefetch: Bool
  private var state = State.idle
  private var latestFetch: Fetch?
  private var duplicates: DuplicateFilter<Value>
  /// The state of the cache that was delivered last. Results of earlier states are outdated.
  private var latestMoment: ReadingMoment?
  /// Indicates whether the watch is notified of changes.
  private var isObserving = false
  /// The number of fetches whose end a reading of the cache had to decide.
  package private(set) var decisionCount = 0
  /// The number of sessions that have ended.
  package private(set) var sessionCount = 0
  /// Indicates whether the latest fetch has not ended, whether it asks the server or not.
  package private(set) var isRunning = false
  /// The fetch that was cancelled without another one in its place.
  private var cancelledFetch: Int?
  /// `true` if the latest delivered response is not in the cache.
  private var isAheadOfCache = false
  /// The fields that the watch observes, or `nil` if it observes nothing or everything.
  private var observed: ReadingTrace?
  /// The response of the latest fetch in whose place the cache is read.
  private var undelivered: Undelivered?
  /// The number of times that data of the cache was delivered, or found to be delivered already.
  private var readingCount = 0
  /// That number when the latest fetch began.
  private var readingCountAtStart = 0
  /// `true` if a fetch of the watch has changed the data in the cache, and no result shows it yet.
  private var hasOwnChange = false
  /// The decisions about data that expires.
  private var expiry = ExpirySchedule()

  /// Creates a machine in the state `idle`.
  ///
  /// - Parameters:
  ///   - mayRefetch: `true` if the watch fetches data that is missing in the cache, `false` if it
  ///     reports an error.
  ///   - areEqual: A closure that compares the data of two results.
  package init(mayRefetch: Bool, areEqual: @escaping @Sendable (Value, Value) -> Bool) {
    self.mayRefetch = mayRefetch
    duplicates = DuplicateFilter(areEqual: areEqual)
  }

  package var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// Indicates whether events of fetches and of the cache have an effect.
  private var isActive: Bool {
    switch state {
    case .idle, .fetching, .fetchingBeforeReading, .deciding: true
    case .paused, .cancelled: false
    }
  }

  /// Indicates whether a fetch that may ask the server is in progress.
  package var isFetching: Bool {
    switch state {
    case .fetching, .fetchingBeforeReading, .deciding: true
    case .idle, .paused, .cancelled: false
    }
  }

  /// Returns whether a fetch has not been replaced.
  package func isLatest(_ number: Int) -> Bool { current(number) != nil }

  /// Handles the cancellation of the watch.
  package mutating func cancelRequested() {
    state = .cancelled
    isRunning = false
  }

  /// Handles the end of the session of a user.
  package mutating func sessionEnded() -> [Action] {
    guard isActive else { return [] }
    state = .paused(wasObserving: isObserving)
    sessionCount += 1
    cancelledFetch = latestFetch?.number
    let wasRunning = isRunning
    (isRunning, isObserving, isAheadOfCache, hasOwnChange) = (false, false, false, false)
    (latestMoment, observed, undelivered) = (nil, nil, nil)
    duplicates.reset()
    expiry.forget()
    return (wasRunning ? [.stop] : []) + [.pause]
  }

  /// The number of the latest fetch that was requested, or 0 before the first one. A fetch that
  /// follows because data is missing is a part of it.
  package var latestRequest: Int { latestFetch?.request ?? 0 }
}

// MARK: - Fetching

extension QueryWatchStateMachine {
  /// Handles the program's request for a fetch.
  package mutating func fetchRequested(_ behavior: FetchBehavior, writesToCache: Bool) -> [Action] {
    guard !isCancelled else { return [] }
    let start: [Action]
    if case .paused(let wasObserving) = state {
      isObserving = wasObserving
      start = [.resume(everything: wasObserving)]
    } else {
      start = []
    }
    return start + startFetch(behavior, writesToCache: writesToCache, refetchCount: 0)
  }

  /// Handles the discovery that data which has expired at a time has not been renewed.
  package mutating func dataNotRenewed(_ time: Date) -> [Action] {
    guard waits(for: time) else { return [] }
    // The program has begun a fetch while the cache was checked, which may renew the data.
    guard !isFetching else {
      _ = alarmRang(for: time)
      return []
    }
    return startFetch(.networkOnly, writesToCache: true, refetchCount: 0)
  }

  /// Handles a change of the data in the cache by a fetch of the watch. The fetch may have been
  /// cancelled or replaced while its response was written.
  package mutating func ownChangeOccurred() -> [Action] {
    guard isActive else { return [] }
    hasOwnChange = true
    return isRunning ? [] : readOwnChange(refetchCount: latestFetch?.refetchCount ?? 0)
  }

  /// Reads what a fetch has written whose response is not delivered.
  private mutating func readOwnChange(refetchCount: Int) -> [Action] {
    defer { hasOwnChange = false }
    return hasOwnChange ? [.read(refetchCount: refetchCount)] : []
  }

  /// Handles a response of the fetch with this number.
  ///
  /// - Parameters:
  ///   - value: The response.
  ///   - dependencies: The records that the response was read from or written to, or `nil` if the
  ///     fetch does not use the cache.
  ///   - isUnwritten: Whether writing it to the cache failed.
  ///   - isCached: Whether it was read from the cache.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchDelivered(
    _ value: Value, dependencies: ReadingTrace?, isUnwritten: Bool = false,
    isCached: Bool = false, fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    hasOwnChange = false
    if isCached, isAheadOfCache, let dependencies { return ignore(dependencies, fetch) }
    if let dependencies, !isOutdated(dependencies) { isAheadOfCache = isUnwritten }
    return deliver(value, dependencies, refetchCount: fetch.refetchCount)
  }

  /// Handles a response of the fetch with this number that optimistic data hides in part. What the
  /// watch has delivered before stays, if there is anything.
  package mutating func fetchDelivered(
    _ value: Value, dependencies: ReadingTrace, hiddenBy hiding: ReadingTrace, fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    undelivered = nil
    let observing = observe(hiding, refetchCount: fetch.refetchCount)
    guard duplicates.hasDelivered else {
      return deliver(value, dependencies, refetchCount: fetch.refetchCount) + observing
    }
    return observing
  }

  /// Handles a response of the fetch with this number that could not be written to the cache.
  ///
  /// - Parameters:
  ///   - value: The response.
  ///   - dependencies: The records that the response would have been written to.
  ///   - isOvertaken: Whether the cache has newer values of some of them. Then the query is fetched
  ///     again, if the watch may do that, because the cache lacks the rest.
  ///   - isHidden: Whether optimistic data affects them. What the watch has delivered before stays,
  ///     if there is anything.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchDelivered(
    unwritten value: Value, dependencies: ReadingTrace, isOvertaken: Bool, isHidden: Bool,
    fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if isOvertaken {
      if refetches(after: fetch.refetchCount) { isAheadOfCache = true }
      return setAside(value, dependencies, fetch)
    }
    if isHidden, duplicates.hasDelivered { return setAside(value, dependencies, fetch) }
    return fetchDelivered(value, dependencies: dependencies, isUnwritten: true, fetch: number)
  }

  /// Handles a response of the fetch with this number that was not to be written to the cache.
  ///
  /// - Parameters:
  ///   - value: The response.
  ///   - number: The number of the fetch.
  ///   - isOvertaken: Returns whether fields may have been changed in the cache since the fetch
  ///     began: those of a trace, or any.
  /// - Returns: The actions to perform.
  package mutating func fetchDelivered(
    unrecorded value: Value, fetch number: Int, isOvertaken: (ReadingTrace?) -> Bool
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if isObserving, isOvertaken(observed) { return setAside(value, observed, fetch) }
    hasOwnChange = false
    let actions = deliver(value, nil, refetchCount: fetch.refetchCount)
    // Also if nothing is observed yet: a later fetch may read the cache, or let the watch observe
    // it.
    if !actions.isEmpty { isAheadOfCache = true }
    return actions
  }

  /// Handles a response of the fetch with this number that was written to the cache, but of which
  /// something has changed there since. The observation of its dependencies starts a reading.
  ///
  /// - Parameters:
  ///   - dependencies: The records that the response was read from or written to.
  ///   - isCached: Whether it was read from the cache.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchOvertaken(
    _ dependencies: ReadingTrace, isCached: Bool = false, fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if isCached, isAheadOfCache { return ignore(dependencies, fetch) }
    if !isOutdated(dependencies) { isAheadOfCache = false }
    return setAside(nil, dependencies, fetch)
  }

  /// Handles a response of the fetch with this number that the cache does not have, although
  /// writing did not fail: newer data has replaced a part of it and the rest is missing, or the
  /// request is from before a clearing.
  ///
  /// If the data is still missing at the end of the fetch, the query is fetched again. If the watch
  /// may not do that, the response is delivered.
  package mutating func fetchNotKept(
    _ value: Value, missing trace: ReadingTrace, fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if !isOutdated(trace) { isAheadOfCache = false }
    return setAside(value, trace, fetch)
  }

  /// Ignores cached data that is older than what was delivered, and which the server has to renew.
  private mutating func ignore(_ trace: ReadingTrace, _ fetch: Fetch) -> [Action] {
    guard !isOutdated(trace) else { return [] }
    return fetchMissing(since: trace, refetchCount: fetch.refetchCount)
      ?? observe(trace, refetchCount: fetch.refetchCount)
  }

  /// Lets a reading of the cache take the place of a response.
  ///
  /// - Parameters:
  ///   - value: The response, or `nil` if the cache had it.
  ///   - trace: The fields to observe, or `nil` for those that are observed.
  ///   - fetch: The latest fetch.
  /// - Returns: The actions to perform.
  private mutating func setAside(
    _ value: Value?, _ trace: ReadingTrace?, _ fetch: Fetch
  ) -> [Action] {
    hasOwnChange = false
    if let trace, isOutdated(trace) { return [] }
    undelivered = Undelivered(value: readingCount == readingCountAtStart ? value : nil)
    switch state {
    case .fetching, .idle: state = .fetchingBeforeReading(refetchCount: fetch.refetchCount)
    case .fetchingBeforeReading(let other):
      state = .fetchingBeforeReading(refetchCount: min(fetch.refetchCount, other))
    case .deciding, .paused, .cancelled: break
    }
    return trace.map { observe($0, refetchCount: fetch.refetchCount) } ?? []
  }

  /// Handles the failure of the fetch with this number.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - dependencies: The fields that are missing in the cache, or `nil` if it was not read.
  ///   - unreadable: The generation at which the cache could not be read, if that is the reason.
  ///   - start: The generation at which the fetch began. If the watch observes nothing yet, it
  ///     observes what others have brought since.
  ///   - number: The number of the fetch.
  /// - Returns: The actions to perform.
  package mutating func fetchFailed(
    _ error: any Error, dependencies: ReadingTrace?,
    unreadableSince unreadable: Generation? = nil, startedAt start: Generation? = nil,
    fetch number: Int
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    if let dependencies {
      guard !isOutdated(dependencies) else {
        return fetch.behavior.networkFetch == .never ? [] : fail(error)
      }
      return observe(dependencies, refetchCount: fetch.refetchCount) + fail(error)
    }
    if let unreadable {
      (isObserving, observed) = (true, nil)
      return [.observeEverything(since: unreadable, refetchCount: fetch.refetchCount)] + fail(error)
    }
    return look(since: start, after: fetch) + fail(error)
  }

  /// Handles the end of the fetch with this number, after its last response or its failure.
  ///
  /// `start`: The generation at which the fetch began. If it has brought nothing to observe, such
  /// as errors without data, the watch observes what others bring.
  package mutating func fetchEnded(
    _ number: Int, startedAt start: Generation? = nil
  ) -> [Action] {
    guard let fetch = current(number) else { return [] }
    var actions = readOwnChange(refetchCount: fetch.refetchCount)
    if case .fetchingBeforeReading(let refetchCount) = state {
      state = .deciding
      decisionCount += 1
      actions.append(.read(refetchCount: refetchCount))
    } else {
      end()
    }
    return actions + look(since: start, after: fetch)
  }

  /// Handles the program's cancellation of the fetch with this number. The watch goes on.
  ///
  /// `start`: The generation at which the fetch began.
  package mutating func fetchCancelled(
    _ number: Int, startedAt start: Generation? = nil
  ) -> [Action] {
    guard isRunning, let fetch = latestFetch, fetch.request == number || fetch.number == number,
      current(fetch.number) != nil
    else { return [] }
    let actions = [.stop] + readOwnChange(refetchCount: 0) + fetchEnded(fetch.number)
    end()
    undelivered = nil
    cancelledFetch = fetch.number
    return actions + look(since: start, after: fetch)
  }

  /// Observes what others bring, after a fetch that has brought nothing to observe.
  private mutating func look(since start: Generation?, after fetch: Fetch) -> [Action] {
    guard let start, !isObserving, fetch.writesToCache else { return [] }
    isObserving = true
    return [.look(since: start)]
  }

  private mutating func end() {
    state = .idle
    isRunning = false
  }

  /// Ends a fetch whose last reading has come.
  ///
  /// - Parameter count: The ``decisionCount`` when the reading began. An earlier reading does not
  ///   know what the fetch has brought.
  /// - Returns: Whether there was such a fetch.
  private mutating func decide(_ count: Int) -> Bool {
    guard case .deciding = state, count >= decisionCount else { return false }
    end()
    return true
  }

  /// Returns the fetch with this number, unless it was replaced or the watch was cancelled.
  private func current(_ number: Int) -> Fetch? {
    guard isActive, let latestFetch, latestFetch.number == number, cancelledFetch != number
    else { return nil }
    return latestFetch
  }

  private mutating func startFetch(
    _ behavior: FetchBehavior, writesToCache: Bool, refetchCount: Int, isContinuation: Bool = false
  ) -> [Action] {
    let number = (latestFetch?.number ?? 0) + 1
    let fetch = Fetch(
      number: number, request: isContinuation ? latestRequest : number, behavior: behavior,
      writesToCache: writesToCache, refetchCount: refetchCount)
    let ownChange = latestFetch == nil ? [] : readOwnChange(refetchCount: refetchCount)
    latestFetch = fetch
    (undelivered, readingCountAtStart) = (nil, readingCount)
    isRunning = true
    state = behavior.networkFetch == .never ? .idle : .fetching
    return ownChange + [.start(fetch)]
  }
}

// MARK: - Expiring

extension QueryWatchStateMachine {
  /// Indicates whether expired data is fetched.
  package var refreshesOnExpiry: Bool {
    get { expiry.isEnabled }
    set { expiry.isEnabled = newValue }
  }

  /// Handles data that expires.
  ///
  /// - Parameters:
  ///   - time: The time at which it expires, or `nil` if it never does.
  ///   - isNew: Whether it is from the server.
  ///   - number: The number of the fetch, or `nil` for a reading of the cache.
  ///   - now: The current time.
  package mutating func dataArrived(
    expiring time: Date?, isNew: Bool, fetch number: Int?, at now: Date
  ) {
    guard number.map(isLatest) ?? isActive else { return }
    expiry.dataArrived(expiring: time, isNew: isNew, at: now)
  }

  /// Handles a fetch that has failed, or has brought no data.
  package mutating func nothingArrived(fetch number: Int) {
    if isLatest(number) { expiry.fetchFailed() }
  }

  /// Handles the discovery that other calls have renewed the data.
  package mutating func dataWasRenewed(_ time: Date, until new: Date?) {
    expiry.dataWasRenewed(time, until: new)
  }

  /// Returns whether expired data is still the latest.
  package func waits(for time: Date) -> Bool { isActive && expiry.waits(for: time) }

  /// The time at which the latest data expires, if it does.
  package var latestExpiry: Date? { expiry.expiry }

  /// The number of seconds until the alarm for the latest data, or `nil` if none is needed.
  package func alarmDelay(at now: Date) -> Double? {
    isActive ? expiry.delay(at: now) : nil
  }

  /// Handles the alarm. Returns `true` if the cache must be checked.
  package mutating func alarmRang(for time: Date) -> Bool {
    isActive && expiry.alarmRang(for: time, isFetching: isFetching)
  }

  /// Handles the end of a fetch that has not failed. Returns the expiry for which the cache must be
  /// checked, if any.
  package mutating func expiryAfterFetch(at now: Date) -> Date? {
    isActive && !isFetching ? expiry.fetchEnded(at: now) : nil
  }
}

// MARK: - Observing the cache

extension QueryWatchStateMachine {
  /// Handles a reading of the cache that found all of the data, or a part, in a watch that shows
  /// such a part. The rest is fetched as if the reading had found nothing, unless optimistic data
  /// hides it (`isOptimistic`): it returns when the mutation ends.
  package mutating func cacheDelivered(
    _ value: Value, isPartial: Bool = false, isOptimistic: Bool = false,
    readFrom trace: ReadingTrace, refetchCount: Int, begunAt count: Int = .max
  ) -> [Action] {
    guard isActive else { return [] }
    let hasDecided = decide(count)
    if isAheadOfCache {
      guard !isOutdated(trace) else { return [] }
      return fetchMissing(since: trace, refetchCount: refetchCount, isContinuation: hasDecided)
        ?? observe(trace, refetchCount: refetchCount)
    }
    readingCount += 1
    let isOutdated = isOutdated(trace)
    let delivering = deliver(value, trace, refetchCount: refetchCount)
    guard isPartial, !isOptimistic, !isOutdated else { return delivering }
    let fetching = fetchMissing(
      since: trace, refetchCount: refetchCount, isContinuation: hasDecided)
    return delivering + (fetching ?? [])
  }

  /// Handles a reading of the cache that some of the data was missing from.
  ///
  /// 1. An outdated reading is ignored.
  /// 2. The missing fields are observed, so that the watch notices when they return. Fields that
  ///    optimistic data hides (`isOptimistic`) return when the mutation ends: nothing else is done.
  /// 3. While a fetch is in progress, it may deliver them: the cache is read again at its end.
  /// 4. Otherwise the query is fetched again, if the watch may do that.
  /// 5. Otherwise the response that was set aside is delivered, if there is one.
  /// 6. Otherwise the error is reported, if data was delivered since the last error.
  package mutating func cacheMissed(
    _ error: any Error, readFrom trace: ReadingTrace, isOptimistic: Bool = false,
    refetchCount: Int, begunAt count: Int = .max
  ) -> [Action] {
    guard isActive else { return [] }
    let hasDecided = decide(count)
    guard !isOutdated(trace) else { return [] }
    if isOptimistic, duplicates.hasDelivered {
      return observe(trace, refetchCount: refetchCount)
    }
    if let actions = fetchMissing(
      since: trace, refetchCount: refetchCount, isContinuation: hasDecided)
    {
      return actions
    }
    let observing = observe(trace, refetchCount: refetchCount)
    if let response = undelivered {
      undelivered = nil
      latestMoment = trace.moment
      guard let value = response.value else { return observing + fail(error) }
      return observing + (duplicates.accept(value) ? [.deliver(value)] : [])
    }
    guard duplicates.hasDelivered, !isAheadOfCache else { return observing }
    latestMoment = trace.moment
    return observing + fail(error)
  }

  /// Observes the fields of a reading, and fetches what the cache lacks: with the fetch in
  /// progress, or with a new one. Returns `nil` if the watch may not fetch.
  private mutating func fetchMissing(
    since trace: ReadingTrace, refetchCount: Int, isContinuation: Bool = false
  ) -> [Action]? {
    let observing = observe(trace, refetchCount: refetchCount)
    switch state {
    case .fetching:
      state = .fetchingBeforeReading(refetchCount: refetchCount)
      return observing
    case .fetchingBeforeReading(let other):
      state = .fetchingBeforeReading(refetchCount: min(refetchCount, other))
      return observing
    case .deciding: return observing  // a later reading decides
    case .idle, .paused, .cancelled: break
    }
    guard refetches(after: refetchCount) else { return nil }
    return observing
      + startFetch(
        .networkOnly, writesToCache: true, refetchCount: refetchCount + 1,
        isContinuation: isContinuation)
  }

  /// Handles a reading of the cache that failed.
  package mutating func cacheFailed(_ error: any Error, begunAt count: Int = .max) -> [Action] {
    guard isActive else { return [] }
    _ = decide(count)
    return fail(error)
  }

  /// Returns `true` if a miss after `refetchCount` consecutive refetches starts another one.
  ///
  /// A watch whose latest fetch uses the cache alone never refetches.
  private func refetches(after refetchCount: Int) -> Bool {
    guard mayRefetch, let latestFetch, latestFetch.behavior.networkFetch != .never else {
      return false
    }
    return refetchCount < Self.maximumRefetchCount
  }
}

// MARK: - Delivering

extension QueryWatchStateMachine {
  private mutating func deliver(
    _ value: Value, _ dependencies: ReadingTrace?, refetchCount: Int
  ) -> [Action] {
    var actions: [Action] = []
    if let dependencies {
      guard !isOutdated(dependencies) else { return [] }
      latestMoment = dependencies.moment
      actions = observe(dependencies, refetchCount: refetchCount)
    }
    undelivered = nil
    if duplicates.accept(value) { actions.append(.deliver(value)) }
    return actions
  }

  private mutating func fail(_ error: any Error) -> [Action] {
    undelivered = nil
    duplicates.reset()
    return [.fail(error)]
  }

  private mutating func observe(_ trace: ReadingTrace, refetchCount: Int) -> [Action] {
    (isObserving, observed) = (true, trace)
    return [.observe(trace, refetchCount: refetchCount)]
  }

  private func isOutdated(_ trace: ReadingTrace) -> Bool {
    latestMoment.map(trace.moment.isBefore) ?? false
  }
}
