package import ApolloCache

// The readings of the cache.

extension QueryWatchStateMachine {
  /// Handles a reading of the cache that found all of the data, or a part, in a watch that shows
  /// such a part. The rest is fetched as if the reading had found nothing, unless optimistic data
  /// hides it (`isOptimistic`): it returns when the mutation ends.
  package mutating func cacheDelivered(
    _ value: Value, isPartial: Bool = false, isOptimistic: Bool = false,
    readFrom trace: ReadingTrace, refetchCount: Int, begunAt count: Int = .max
  ) -> [Action] {
    guard var watch = active else { return [] }
    defer { state = .active(watch) }
    let hasDecided = watch.run?.decide(count) ?? false
    if watch.isAheadOfCache {
      return renew(trace, refetchCount: refetchCount, isContinuation: hasDecided, in: &watch)
    }
    watch.run?.hasShownCache = true
    guard !watch.isOutdated(trace) else { return [] }
    let delivering = watch.deliver(value, trace, refetchCount: refetchCount)
    guard isPartial, !isOptimistic else { return delivering }
    return delivering
      + (fetchMissing(trace, refetchCount: refetchCount, isContinuation: hasDecided, in: &watch)
        ?? [])
  }

  /// Handles a reading of the cache that some of the data was missing from.
  ///
  /// 1. An outdated reading is ignored.
  /// 2. The missing fields are observed, so that the watch notices when they return. Fields that
  ///    optimistic data hides (`isOptimistic`) return when the mutation ends: nothing else is done
  ///    if data is shown, also beside an error.
  /// 3. While a fetch is in progress, it may deliver them: the cache is read again at its end.
  /// 4. Otherwise the query is fetched again, if the watch may do that.
  /// 5. Otherwise a withheld response is delivered, if the cache never had it.
  /// 6. Otherwise the error is reported, if data was delivered since the last error.
  package mutating func cacheMissed(
    _ error: any Error, readFrom trace: ReadingTrace, isOptimistic: Bool = false,
    refetchCount: Int, begunAt count: Int = .max
  ) -> [Action] {
    guard var watch = active else { return [] }
    defer { state = .active(watch) }
    let hasDecided = watch.run?.decide(count) ?? false
    guard !watch.isOutdated(trace) else { return [] }
    if isOptimistic, watch.keepsShownData {
      return watch.observe(trace, refetchCount: refetchCount)
    }
    if let actions = fetchMissing(
      trace, refetchCount: refetchCount, isContinuation: hasDecided, in: &watch)
    {
      return actions
    }
    switch watch.run?.withheld {
    case .deliverable(let value)?:
      return watch.deliver(value, trace, refetchCount: refetchCount)
    case nil where watch.isAheadOfCache || !watch.duplicates.hasDelivered:
      return watch.observe(trace, refetchCount: refetchCount)
    case .replaced?, nil:
      watch.moment = trace.moment
      return watch.observe(trace, refetchCount: refetchCount) + watch.fail(error)
    }
  }

  /// Handles a reading of the cache that failed.
  package mutating func cacheFailed(_ error: any Error, begunAt count: Int = .max) -> [Action] {
    guard var watch = active else { return [] }
    defer { state = .active(watch) }
    _ = watch.run?.decide(count)
    return watch.fail(error)
  }

  /// Ignores cached data that is older than what was delivered, and which the server has to renew.
  mutating func renew(
    _ trace: ReadingTrace, refetchCount: Int, isContinuation: Bool = false, in watch: inout Active
  ) -> [Action] {
    guard !watch.isOutdated(trace) else { return [] }
    return fetchMissing(
      trace, refetchCount: refetchCount, isContinuation: isContinuation, in: &watch)
      ?? watch.observe(trace, refetchCount: refetchCount)
  }

  /// Observes the fields of a reading, and fetches what the cache lacks: with the fetch in
  /// progress, or with a new one. Returns `nil` if the watch may not fetch.
  private mutating func fetchMissing(
    _ trace: ReadingTrace, refetchCount: Int, isContinuation: Bool, in watch: inout Active
  ) -> [Action]? {
    if watch.isFetching {
      watch.run?.awaitReading(refetchCount: refetchCount)
      return watch.observe(trace, refetchCount: refetchCount)
    }
    guard refetches(watch, after: refetchCount) else { return nil }
    return watch.observe(trace, refetchCount: refetchCount)
      + startFetch(
        .networkOnly, writesToCache: true, refetchCount: refetchCount + 1,
        isContinuation: isContinuation, in: &watch)
  }

  /// Returns `true` if a miss after `refetchCount` consecutive refetches starts another one.
  ///
  /// A watch whose latest fetch uses the cache alone never refetches.
  func refetches(_ watch: Active, after refetchCount: Int) -> Bool {
    guard mayRefetch, let fetch = watch.run?.fetch, fetch.behavior.networkFetch != .never else {
      return false
    }
    return refetchCount < Self.maximumRefetchCount
  }
}
