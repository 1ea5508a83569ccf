package import ApolloCache
package import struct Foundation.Date

/// The logic of a ``GraphQLQueryWatcher``: events in, actions out.
///
/// The machine is synchronous and has no knowledge of tasks, locks and queries. The watcher reports
/// each event and performs the returned actions in order. An active watch is in the phase of its
/// latest fetch, or `idle`: there was none, or it has `ended` or was `stopped`. The next states
/// (– means that the event is ignored, or does not occur):
///
/// | state | fetch requested | cache-only fetch requested | fetch ended | fetch cancelled | data missing in the cache | response withheld | session ended |
/// | :-- | :-- | :-- | :-- | :-- | :-- | :-- | :-- |
/// | `idle` | `fetching` | `fetchingFromCache` | – | – | `fetching` by a refetch, or `idle` with an error | – | `paused` |
/// | `fetchingFromCache` | `fetching` | `fetchingFromCache` | `idle` | `idle` | `fetchingFromCache` with an error | `fetchingBeforeReading` | `paused` |
/// | `fetching` | `fetching` | `fetchingFromCache` | `idle` | `idle` | `fetchingBeforeReading` | `fetchingBeforeReading` | `paused` |
/// | `fetchingBeforeReading` | `fetching` | `fetchingFromCache` | `deciding`, and the cache is read | `idle`, and the cache is read | `fetchingBeforeReading` | `fetchingBeforeReading` | `paused` |
/// | `deciding` | `fetching` | `fetchingFromCache` | – | `idle` | `fetching` by a refetch, or `idle` with an error | – | `paused` |
/// | `paused` | `fetching` | `fetchingFromCache` | – | – | – | – | – |
/// | `cancelled` | – | – | – | – | – | – | – |
///
/// In `deciding`, a reading of the cache that began since leads to `idle` first, whatever it has
/// found. Data that was read has the effect of data that is missing if it is partial, or if the
/// watch is ahead of the cache.
///
/// - Fetching: A requested fetch replaces the earlier one, whose events are ignored from then on.
/// - Refetching: A *refetch* is a fetch that the watch starts by itself, for missing data. Two
///   watches that evict each other's data would refetch forever. Therefore each event carries a
///   refetch count: the number of consecutive refetches, by any watch, that led to it. A watch
///   reports an error instead after ``maximumRefetchCount`` of them, or if it may not refetch. It
///   delivers data again as soon as the cache has all of it.
/// - Delivering: In every state but `paused` and `cancelled`, data and errors are delivered.
///   Exceptions are data that was read before the latest delivered data, and data that equals it.
/// - Own changes: What a fetch of the watch writes does not make it read the cache, because the
///   response is delivered. If that fetch was replaced, cancelled or has failed, the cache is read.
/// - Expiring: ``ExpirySchedule`` decides when data that expires is fetched again.
/// - Overtaken responses: A response of which the cache has newer values is *withheld*. The cache
///   is read instead, at once and at the end of the fetch, which that reading ends. If data is
///   missing then and the watch may not refetch, a response that the cache never had is delivered
///   after all, unless data of the cache was delivered since the fetch began.
/// - Unwritten responses: After a response that was not written, because writing failed or the
///   fetch does not write, the watch is *ahead of the cache*, which has older data than was
///   delivered. Until a response is written, data from the cache is not delivered. A change of the
///   cache starts a refetch instead, if the watch may refetch.
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

  enum State {
    case active(Active)
    /// The session of the user has ended. Every event but a request of the program is ignored.
    case paused(wasObserving: Bool)
    /// Every event is ignored.
    case cancelled
  }

  /// The number of consecutive refetches after which a watch reports an error instead.
  package static var maximumRefetchCount: Int { 10 }

  let mayRefetch: Bool
  private let areEqual: @Sendable (Value, Value) -> Bool
  var state: State
  /// The number of fetches that were started, which is the number of the latest one.
  var fetchCount = 0
  /// The number of the latest fetch that was requested, or 0 before the first one. A fetch that
  /// follows because data is missing is a part of it.
  package internal(set) var latestRequest = 0
  /// The number of fetches whose end a reading of the cache had to decide.
  package internal(set) var decisionCount = 0
  /// The number of sessions that have ended.
  package private(set) var sessionCount = 0
  /// The decisions about data that expires: a state machine of its own.
  private var expiry = ExpirySchedule()

  /// Creates a machine in the state `idle`.
  ///
  /// - Parameters:
  ///   - mayRefetch: `true` if the watch fetches data that is missing in the cache, `false` if it
  ///     reports an error.
  ///   - areEqual: A closure that compares the data of two results.
  package init(mayRefetch: Bool, areEqual: @escaping @Sendable (Value, Value) -> Bool) {
    self.mayRefetch = mayRefetch
    self.areEqual = areEqual
    state = .active(Active(duplicates: DuplicateFilter(areEqual: areEqual)))
  }

  package var isCancelled: Bool {
    if case .cancelled = state { true } else { false }
  }

  /// The active watch, or `nil` if events of fetches and of the cache have no effect.
  var active: Active? {
    if case .active(let watch) = state { watch } else { nil }
  }

  /// Indicates whether a fetch that may ask the server is in progress.
  package var isFetching: Bool { active?.isFetching ?? false }

  /// Indicates whether the latest fetch has not ended, whether it asks the server or not.
  package var isRunning: Bool { active?.isRunning ?? false }

  /// Returns whether a fetch has been neither replaced nor cancelled.
  package func isLatest(_ number: Int) -> Bool { active?.fetch(number) != nil }

  /// Handles the program's request for a fetch.
  package mutating func fetchRequested(_ behavior: FetchBehavior, writesToCache: Bool) -> [Action] {
    var watch: Active
    var actions: [Action] = []
    switch state {
    case .active(let active): watch = active
    case .paused(let wasObserving):
      watch = Active(
        observation: wasObserving ? .everything : .nothing,
        duplicates: DuplicateFilter(areEqual: areEqual))
      actions.append(.resume(everything: wasObserving))
    case .cancelled: return []
    }
    actions += startFetch(behavior, writesToCache: writesToCache, refetchCount: 0, in: &watch)
    state = .active(watch)
    return actions
  }

  /// Handles the end of the session of a user.
  package mutating func sessionEnded() -> [Action] {
    guard let watch = active else { return [] }
    state = .paused(wasObserving: watch.isObserving)
    sessionCount += 1
    expiry.forget()
    return (watch.isRunning ? [.stop] : []) + [.pause]
  }

  /// Handles the cancellation of the watch.
  package mutating func cancelRequested() { state = .cancelled }
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
    guard number.map(isLatest) ?? (active != nil) else { return }
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

  /// Handles the discovery that data which has expired at a time has not been renewed.
  package mutating func dataNotRenewed(_ time: Date) -> [Action] {
    guard waits(for: time) else { return [] }
    // The program has begun a fetch while the cache was checked, which may renew the data.
    guard !isFetching else {
      _ = alarmRang(for: time)
      return []
    }
    return fetchRequested(.networkOnly, writesToCache: true)
  }

  /// Returns whether expired data is still the latest.
  package func waits(for time: Date) -> Bool { active != nil && expiry.waits(for: time) }

  /// The time at which the latest data expires, if it does.
  package var latestExpiry: Date? { expiry.expiry }

  /// The number of seconds until the alarm for the latest data, or `nil` if none is needed.
  package func alarmDelay(at now: Date) -> Double? {
    active != nil ? expiry.delay(at: now) : nil
  }

  /// Handles the alarm. Returns `true` if the cache must be checked.
  package mutating func alarmRang(for time: Date) -> Bool {
    active != nil && expiry.alarmRang(for: time, isFetching: isFetching)
  }

  /// Handles the end of a fetch that has not failed. Returns the expiry for which the cache must be
  /// checked, if any.
  package mutating func expiryAfterFetch(at now: Date) -> Date? {
    active != nil && !isFetching ? expiry.fetchEnded(at: now) : nil
  }
}
