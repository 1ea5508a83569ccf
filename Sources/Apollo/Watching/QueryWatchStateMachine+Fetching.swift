package import ApolloCache

// The events of fetches.

extension QueryWatchStateMachine {
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    watch.run?.hasOwnChange = false
    if let dependencies {
      if isCached, watch.isAheadOfCache {
        return renew(dependencies, refetchCount: fetch.refetchCount, in: &watch)
      }
      if !watch.isOutdated(dependencies) { watch.isAheadOfCache = isUnwritten }
    }
    return watch.deliver(value, dependencies, refetchCount: fetch.refetchCount)
  }

  /// Handles a response of the fetch with this number that optimistic data hides in part. What the
  /// watch has delivered before stays, if there is anything. The end of that optimistic data starts
  /// a reading.
  package mutating func fetchDelivered(
    _ value: Value, dependencies: ReadingTrace, hiddenBy hiding: ReadingTrace, fetch number: Int
  ) -> [Action] {
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    watch.run?.hasOwnChange = false
    watch.run?.withheld = nil
    // The cache has the response, although readers do not see all of it yet.
    if !watch.isOutdated(dependencies) { watch.isAheadOfCache = false }
    let observing = watch.observe(hiding, refetchCount: fetch.refetchCount)
    guard watch.duplicates.hasDelivered else {
      return watch.deliver(value, dependencies, refetchCount: fetch.refetchCount) + observing
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    guard isOvertaken || isHidden && watch.duplicates.hasDelivered else {
      return fetchDelivered(value, dependencies: dependencies, isUnwritten: true, fetch: number)
    }
    defer { state = .active(watch) }
    if isOvertaken, refetches(watch, after: fetch.refetchCount) { watch.isAheadOfCache = true }
    return watch.withhold(value, dependencies, fetch)
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    let observed = watch.observed
    if watch.isObserving, isOvertaken(observed) { return watch.withhold(value, observed, fetch) }
    watch.run?.hasOwnChange = false
    let actions = watch.deliver(value, nil, refetchCount: fetch.refetchCount)
    // Also if nothing is observed yet: a later fetch may read the cache, or let the watch observe
    // it.
    if !actions.isEmpty { watch.isAheadOfCache = true }
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    if isCached, watch.isAheadOfCache {
      return renew(dependencies, refetchCount: fetch.refetchCount, in: &watch)
    }
    if !watch.isOutdated(dependencies) { watch.isAheadOfCache = false }
    return watch.withhold(nil, dependencies, fetch)
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    if !watch.isOutdated(trace) { watch.isAheadOfCache = false }
    return watch.withhold(value, trace, fetch)
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
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    if let dependencies {
      guard !watch.isOutdated(dependencies) else {
        return fetch.behavior.networkFetch == .never ? [] : watch.fail(error)
      }
      return watch.observe(dependencies, refetchCount: fetch.refetchCount) + watch.fail(error)
    }
    if let unreadable {
      watch.observation = .everything
      return [.observeEverything(since: unreadable, refetchCount: fetch.refetchCount)]
        + watch.fail(error)
    }
    return watch.look(since: start, after: fetch) + watch.fail(error)
  }

  /// Handles the end of the fetch with this number, after its last response or its failure.
  ///
  /// `start`: The generation at which the fetch began. If it has brought nothing to observe, such
  /// as errors without data, the watch observes what others bring.
  package mutating func fetchEnded(
    _ number: Int, startedAt start: Generation? = nil
  ) -> [Action] {
    guard var watch = active, let fetch = watch.fetch(number) else { return [] }
    defer { state = .active(watch) }
    return watch.readOwnChange(refetchCount: fetch.refetchCount) + endFetch(in: &watch)
      + watch.look(since: start, after: fetch)
  }

  /// Handles the program's cancellation of the fetch with this number. The watch goes on.
  ///
  /// `start`: The generation at which the fetch began.
  package mutating func fetchCancelled(
    _ number: Int, startedAt start: Generation? = nil
  ) -> [Action] {
    guard var watch = active, watch.isRunning, let fetch = watch.run?.fetch,
      number == latestRequest || number == fetch.number
    else { return [] }
    defer { state = .active(watch) }
    let actions = [.stop] + watch.readOwnChange(refetchCount: 0) + endFetch(in: &watch)
    watch.run?.stop()
    return actions + watch.look(since: start, after: fetch)
  }

  /// Handles a change of the data in the cache by a fetch of the watch. The fetch may have been
  /// cancelled or replaced while its response was written.
  package mutating func ownChangeOccurred() -> [Action] {
    guard var watch = active else { return [] }
    defer { state = .active(watch) }
    let isRunning = watch.isRunning
    watch.run?.hasOwnChange = isRunning
    return isRunning ? [] : [.read(refetchCount: watch.run?.fetch.refetchCount ?? 0)]
  }

  /// Starts a fetch in place of the latest one.
  ///
  /// With `isContinuation`, it is a part of the latest request.
  mutating func startFetch(
    _ behavior: FetchBehavior, writesToCache: Bool, refetchCount: Int, isContinuation: Bool = false,
    in watch: inout Active
  ) -> [Action] {
    fetchCount += 1
    if !isContinuation { latestRequest = fetchCount }
    let fetch = Fetch(
      number: fetchCount, behavior: behavior, writesToCache: writesToCache,
      refetchCount: refetchCount)
    let reading = watch.readOwnChange(refetchCount: refetchCount)
    watch.run = Run(fetch)
    return reading + [.start(fetch)]
  }

  /// Ends a fetch, unless a reading of the cache has to decide whether another one follows.
  private mutating func endFetch(in watch: inout Active) -> [Action] {
    guard case .fetchingBeforeReading(let refetchCount)? = watch.run?.phase else {
      watch.run?.phase = .ended
      return []
    }
    decisionCount += 1
    watch.run?.phase = .deciding(decisionCount)
    return [.read(refetchCount: refetchCount)]
  }
}
