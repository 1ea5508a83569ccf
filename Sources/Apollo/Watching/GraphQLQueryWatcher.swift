public import ApolloAPI
import ApolloCache
import ApolloTransport
import struct Foundation.Date

/// A watch of a query: delivers its data now and whenever the cache has other data for it.
///
/// ```swift
/// let watcher = apollo.watch(query: HeroNameQuery()) { result in
///   print((try? result.get())?.data?.hero?.name ?? "no hero")
/// }
/// watcher.refetch()  // As when the user pulls a list down.
/// watcher.cancel()  // As when the user leaves the screen.
/// ```
///
/// Changes of the cache are delivered without a request to the server. Consecutive results with
/// equal content are delivered once: data and the meaning of the errors decide, which is their
/// messages, paths and codes. Extensions, such as a server's timings, do not. After a failure, data
/// is delivered even if it equals the data before the failure.
///
/// A field that failed on the server reads from the cache as `null` with its error, provided that
/// the latest response had errors, or with ``RequestConfiguration/servesCachedErrors``. So changes
/// beside it are delivered without a request.
///
/// If another operation removes some of the data from the cache, the query is fetched again. A
/// watch that does not use the server delivers a `CacheMissError` instead, and continues. So does
/// every watch after ten consecutive refetches, which occur if two watches evict each other's data.
///
/// The end of a session (``ApolloClient/endSession()``) pauses the watch until
/// ``fetch(cachePolicy:)`` or ``refetch(cachePolicy:)`` is called.
///
/// Keep a reference to the watcher: the watch and its request end when the last one is released, or
/// with ``cancel()``.
///
/// Isolation: everything that changes is in `state`, which is guarded by one lock. Under the lock,
/// results are put into a queue or a stream, which keeps them in order. The program's handler
/// receives them from there, outside of the lock.
public final class GraphQLQueryWatcher<Query: GraphQLQuery>: Cancellable {
  package typealias Response = GraphQLResponse<Query>
  /// Receives the news of a watch.
  package typealias Delivery = @Sendable (GraphQLQueryWatcher, News) -> Void

  /// A result, if there is a new one, and the state of the watch. The end of a session is news too.
  package struct News: Sendable {
    package let result: Result<Response, any Error>?
    /// Indicates whether a fetch is under way.
    package let isFetching: Bool
    /// Indicates whether the result is a response to the latest fetch, rather than data that was
    /// read because the cache has changed.
    package var isResponse = false
    /// The session to which the news belong. Those of an ended session are not shown any more.
    package let session: WatchSession
  }
  fileprivate typealias Machine = QueryWatchStateMachine<Response>

  /// The watched query.
  public let query: Query

  fileprivate struct State {
    var machine: Machine
    /// The options of all fetches, or `nil` for those of the client.
    var configuration: RequestConfiguration?
    /// Indicates whether a field that failed on the server is always read with its error.
    var servesCachedErrors: Bool
    /// The age that the watch wants its data to have. Older data is stale, and delivered.
    var demand: FreshnessDemand
    /// The errors of the latest response.
    var reportedErrors = ReportedErrors([])
    /// Indicates whether the latest data was partial. The data of the cache may be, too, until a
    /// response has all of it.
    var showsPartialData = false
    /// The epoch of the layers before the latest reading by the cache observer.
    var readingEpoch: UInt64 = 0
    /// The epoch of the layers before the latest data was read.
    var shownEpoch: UInt64 = 0
    var fetchTask: Task<Void, Never>?
    /// The generation of the cache at which the latest fetch began.
    var fetchStart: Generation?
    /// Called when the fetch with the number has ended, or was replaced or cancelled.
    var onFetchEnd: (number: Int, call: @Sendable () -> Void)?
    var observer: CacheObserver<Query.Data>?
    /// The alarm for the expiry of the latest data.
    var expiryAlarm: Alarm?
  }

  private let client: any ApolloClientProtocol
  /// Indicates whether the cache can have more pages of a list than a response.
  private let mergesPages: Bool
  /// Indicates whether the pages of merged lists are read alone.
  private let readsPagesAlone: Bool
  /// The pages of merged lists that were read last.
  package let pages: PageMemory?
  private let origin = ChangeOrigin()
  private let deliver: Delivery
  private let end: @Sendable () -> Void
  private let state: Lock<State>

  /// Prepares a watch. It starts with the first fetch.
  ///
  /// `deliver` puts each result into a queue or a stream. It is called in order and under the lock.
  /// Therefore it must neither wait nor call the program's code.
  ///
  /// `end` is called when the watch has been cancelled, outside of the lock.
  ///
  /// With `readsPagesAlone`, merged lists have one page: that of the query.
  package init(
    watching client: any ApolloClientProtocol, query: Query, configuration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, readsPagesAlone: Bool = false, deliver: @escaping Delivery,
    end: @escaping @Sendable () -> Void = {}
  ) {
    self.readsPagesAlone = readsPagesAlone
    mergesPages =
      !readsPagesAlone
      && (Query.Data.Schema.hasListPolicies || Query.Data.__layout.hasConnections)
    pages = mergesPages ? PageMemory() : nil
    self.client = client
    self.query = query
    self.deliver = deliver
    self.end = end
    let initial = configuration ?? client.configuration(writesResultsToCache: true)
    state = Lock(
      State(
        machine: Machine(
          mayRefetch: refetchOnFailedUpdates, areEqual: { $0.hasSameContent(as: $1) }),
        configuration: configuration, servesCachedErrors: initial.servesCachedErrors,
        demand: initial.watchingDemand))
    // The observer is in the state, until the session ends or the watch is cancelled.
    let observer = makeObserver(WatchSession(number: 0))
    state.withLock { $0.observer = observer }
  }

  /// Makes the observer of the cache for a session.
  private func makeObserver(_ session: WatchSession) -> CacheObserver<Query.Data> {
    CacheObserver(
      client.store,
      read: { [store = client.store, state, query, readsPagesAlone, pages] in
        let (servesFailures, keepsPartialData, demand) = state.withLock { state in
          state.readingEpoch = store.layers.epoch
          return (state.servesFailures, state.showsPartialData, state.demand)
        }
        return try await store.load(
          query, servesFailures: servesFailures, keepsPartialData: keepsPartialData,
          readsPagesAlone: readsPagesAlone, takingOver: pages, demanding: demand)
      },
      ignore: { [weak self, origin] change in
        guard change.origin == origin else { return false }
        self?.handle { $0.ownChangeOccurred() }
        return true
      },
      begin: { [state] in state.withLock { $0.machine.decisionCount } },
      receive: { [weak self] in self?.receive($0, refetchCount: $1, begunAt: $2, in: session) },
      endSession: { [weak self] end in if end == .begun { self?.pause() } })
  }

  deinit { cancel() }

  /// Fetches the query again, with the options of the watch. Replaces a fetch in progress.
  public func fetch(cachePolicy: CachePolicy = .default) {
    fetch(cachePolicy.fetchBehavior, writesToCache: cachePolicy.writesResultsToCache)
  }

  /// Fetches the query again. Replaces a fetch in progress.
  ///
  /// - Parameters:
  ///   - fetchBehavior: The order in which the cache and the server are used.
  ///   - requestConfiguration: The options of this fetch and of those that the watch starts by
  ///     itself from now on, or `nil` for those that it has.
  public func fetch(
    fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil
  ) {
    if let requestConfiguration {
      state.withLock { state in
        state.demand = requestConfiguration.watchingDemand
        state.servesCachedErrors = requestConfiguration.servesCachedErrors
        state.configuration = requestConfiguration
      }
    }
    fetch(fetchBehavior, writesToCache: true)
  }

  /// Fetches the query from the server. Replaces a fetch in progress.
  ///
  /// - Parameters:
  ///   - cachePolicy: The policy of the fetch.
  ///   - onEnd: Called when the fetch has ended, or was replaced or cancelled.
  /// - Returns: The number of the fetch, for ``cancelFetch(_:)``.
  package func refetch(
    cachePolicy: CachePolicy = .fetchIgnoringCacheData, onEnd: @escaping @Sendable () -> Void
  ) -> Int {
    refetch(cachePolicy: cachePolicy)
    let number: Int? = state.withLock { state in
      guard state.machine.isRunning else { return nil }
      let number = state.machine.latestRequest
      state.onFetchEnd = (number, onEnd)
      return number
    }
    if number == nil { onEnd() }
    return number ?? 0
  }

  /// Cancels a fetch, unless another one has replaced it. The watch goes on.
  package func cancelFetch(_ number: Int) {
    let start = state.withLock { $0.fetchStart }
    handle { $0.fetchCancelled(number, startedAt: start) }
  }

  /// Cancels the fetch in progress, if `condition` returns `true`. The watch goes on.
  ///
  /// `condition` is called under the lock, as `deliver` is.
  package func cancelFetch(if condition: () -> Bool) {
    let start = state.withLock { $0.fetchStart }
    handle { machine in
      guard condition() else { return [] }
      return machine.fetchCancelled(machine.latestRequest, startedAt: start)
    }
  }

  /// Fetches the query again, if `begin` returns `true`. Replaces a fetch in progress.
  ///
  /// `begin` is called under the lock, as `deliver` is: after all news of earlier fetches, and
  /// before those of this one.
  package func fetch(_ behavior: FetchBehavior, writesToCache: Bool, if begin: () -> Bool) {
    handle { machine in
      guard begin() else { return [] }
      return machine.fetchRequested(behavior, writesToCache: writesToCache)
    }
  }

  private func fetch(_ behavior: FetchBehavior, writesToCache: Bool) {
    fetch(behavior, writesToCache: writesToCache, if: { true })
  }

  /// Indicates whether the watch fetches the query from the server when the first field of its data
  /// exceeds its maximum age, or the ``RequestConfiguration/maxAge`` of the watch.
  ///
  /// Data that has expired already is fetched a second later. A fetch that fails is repeated after
  /// 2, 4, 8 … 64 s, until one succeeds. A field that is always stale (a maximum age of zero)
  /// starts no request by itself.
  ///
  /// Without this, the watch delivers old data until something changes it.
  public var automaticallyRefreshOnExpiry: Bool {
    get { state.withLock { $0.machine.refreshesOnExpiry } }
    set {
      changeAlarm { $0.refreshesOnExpiry = newValue }
      // The data that is shown may be optimistic.
      let (trace, epoch) = state.withLock { ($0.machine.active?.observed, $0.shownEpoch) }
      awaitEndOfLayers(trace, since: epoch)
    }
  }

  /// Fetches the query from the server. Replaces a fetch in progress.
  public func refetch(cachePolicy: CachePolicy = .fetchIgnoringCacheData) {
    fetch(cachePolicy: cachePolicy)
  }

  /// Ends the watch and its request. The handler is not called again.
  public func cancel() {
    let (fetchTask, observer, alarm, onFetchEnd) = state.withLock { state in
      state.machine.cancelRequested()
      defer {
        state.fetchTask = nil
        state.observer = nil
        state.expiryAlarm = nil
        state.onFetchEnd = nil
      }
      return (state.fetchTask, state.observer, state.expiryAlarm, state.onFetchEnd)
    }
    fetchTask?.cancel()
    observer?.cancel()
    alarm?.cancel()
    onFetchEnd?.call()
    pages?.removeAll()
    end()
  }

  /// Returns whether news of a session may be shown: it has not ended, and the watch was not
  /// cancelled.
  package func isCurrent(_ session: WatchSession) -> Bool {
    state.withLock { !$0.machine.isCancelled && $0.machine.sessionCount == session.number }
  }

  /// Handles the end of the session of a user.
  private func pause() {
    handle { $0.sessionEnded() }
    changeAlarm { _ in }  // removes it
    pages?.removeAll()
  }
}

// MARK: - Expiry

extension GraphQLQueryWatcher {
  /// Remembers when the latest data expires. `number` is that of the fetch, or `nil` for a reading
  /// of the cache.
  private func noteExpiry(of response: Response, fetch number: Int? = nil) {
    noteExpiry(of: response, response.freshness, fetch: number)
  }

  /// Does the same for a response whose data counts as this fresh.
  private func noteExpiry(
    of response: Response, _ freshness: ResponseFreshness?, fetch number: Int?
  ) {
    // Without data, what has expired is still shown.
    if response.data == nil, let number { return noteFailure(ofFetch: number) }
    changeAlarm { machine in
      machine.dataArrived(
        expiring: freshness?.earliestRenewableExpiry, isNew: response.source == .server,
        fetch: number, at: now)
    }
  }

  /// Lets data be read again when no layer affects it any more, because optimistic data does not
  /// expire, and a response that confirms it changes nothing else.
  ///
  /// `epoch` is that of the layers before the data was read.
  private func awaitEndOfLayers(_ trace: ReadingTrace?, readAt epoch: UInt64) {
    state.withLock { $0.shownEpoch = epoch }
    awaitEndOfLayers(trace, since: epoch)
  }

  private func awaitEndOfLayers(_ trace: ReadingTrace?, since epoch: UInt64) {
    let layers = client.store.layers
    guard let trace, automaticallyRefreshOnExpiry, !layers.awaitEnd(of: trace.dependencies),
      layers.epoch != epoch
    else { return }
    // They have ended in between.
    state.withLock { $0.observer }?.scheduleReading()
  }

  /// Tries a failed fetch again later, if the data has expired by then.
  private func noteFailure(ofFetch number: Int) {
    changeAlarm { $0.nothingArrived(fetch: number) }
  }

  /// Reports an event to the state machine, and sets the alarm for the expiry of the latest data.
  private func changeAlarm(_ event: (inout Machine) -> Void) {
    let old = state.withLock { state in
      event(&state.machine)
      let old = state.expiryAlarm
      state.expiryAlarm = state.machine.alarmDelay(at: now).flatMap { delay in
        alarm(after: delay, expired: state.machine.latestExpiry)
      }
      return old
    }
    old?.cancel()
  }

  private func alarm(after delay: Double, expired expiry: Date?) -> Alarm? {
    guard let expiry else { return nil }
    return clock.setAlarm(after: .seconds(delay)) { [weak self] in self?.refresh(expired: expiry) }
  }

  /// Fetches the query if its data is still the data that has expired, also in the cache. A fetch
  /// that is under way may deliver it, so this waits for its end.
  private func refresh(expired expiry: Date) {
    guard state.withLock({ $0.machine.alarmRang(for: expiry) }) else { return }
    renew(expiry)
  }

  /// Fetches the query if its data has expired during the fetch that has ended.
  private func refreshIfDue() {
    if let expiry = state.withLock({ $0.machine.expiryAfterFetch(at: now) }) { renew(expiry) }
  }

  private func renew(_ expiry: Date) {
    _ = ApolloStore.task { [weak self] in await self?.fetchUnlessRenewed(expiry) }
  }

  /// Fetches the query, unless other calls have written the same data again.
  ///
  /// The later pages of merged lists do not count, because the fetch would not renew them.
  private func fetchUnlessRenewed(_ expiry: Date) async {
    let (servesFailures, demand) = state.withLock { ($0.servesFailures, $0.demand) }
    // A cache that cannot be read has not renewed anything.
    let reading = try? await client.store.load(
      query, servesFailures: servesFailures, readsPagesAlone: readsPagesAlone || mergesPages,
      demanding: demand)
    let freshness = reading?.data == nil ? nil : reading?.freshness
    let isStale = freshness.map { $0.earliestRenewableExpiry.map { $0 <= now } ?? false } ?? true
    guard isStale else {
      return changeAlarm {
        $0.dataWasRenewed(expiry, until: freshness?.earliestRenewableExpiry)
      }
    }
    handle { $0.dataNotRenewed(expiry) }
  }

  private var now: Date { client.store.freshness.now() }
  private var clock: any AlarmClock { (client as? ApolloClient)?.clock ?? SystemAlarmClock.shared }
}

// MARK: - Events and actions

extension GraphQLQueryWatcher {
  /// Passes an event to the state machine and performs its actions, in order.
  ///
  /// The actions are performed under the lock, because none of them suspends or calls the program's
  /// code. A replaced task is cancelled outside of it, because that runs its cancellation handlers.
  private func handle(_ event: (inout Machine) -> [Machine.Action]) {
    handle(showing: nil, event)
  }

  /// Does the same, and remembers the errors of a response if any action follows from it: it is the
  /// latest one then.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - isResponse: `true` if it is that of a fetch, `false` if it was read from the cache.
  ///   - event: Reports the event, and returns the actions.
  /// - Returns: Whether the response is the latest one.
  @discardableResult
  private func handle(
    showing response: Response?, ofFetch isResponse: Bool = false,
    _ event: (inout Machine) -> [Machine.Action]
  ) -> Bool {
    handle(ofFetch: isResponse) { (event(&$0.machine), response) }
  }

  /// Does the same for an event that decides whether a response is shown.
  private func handle(
    ofFetch isResponse: Bool,
    _ event: (inout State) -> (actions: [Machine.Action], shown: Response?)
  ) -> Bool {
    let (replacedTask, endedObserver, onFetchEnd, isLatest) = state.withLock { state in
      let (previousTask, previousObserver) = (state.fetchTask, state.observer)
      let (wasRunning, session) = (state.machine.isRunning, state.machine.sessionCount)
      var isReplaced = false
      var result: Result<Response, any Error>?
      let (actions, response) = event(&state)
      if let response, !actions.isEmpty {
        state.reportedErrors = ReportedErrors(response.errors ?? [])
        if response.data != nil { state.showsPartialData = !response.isComplete }
      }
      for action in actions {
        switch action {
        case .start, .stop: isReplaced = true
        case .deliver(let response): result = .success(response)
        case .fail(let error): result = .failure(error)
        default: break
        }
        perform(action, &state)
      }
      let isRunning = state.machine.isRunning
      let newSession = state.machine.sessionCount
      if result != nil || isRunning != wasRunning || newSession != session {
        let session = WatchSession(number: newSession)
        deliver(
          self,
          News(
            result: result, isFetching: isRunning, isResponse: isResponse, session: session))
      }
      return (
        isReplaced ? previousTask : nil, state.observer == nil ? previousObserver : nil,
        state.takeEnd(), response != nil && !actions.isEmpty
      )
    }
    replacedTask?.cancel()
    endedObserver?.cancel()
    onFetchEnd?()
    return isLatest
  }

  private func perform(_ action: Machine.Action, _ state: inout State) {
    switch action {
    case .start(let fetch):
      let start = client.store.registry.generation
      state.fetchStart = start
      state.fetchTask = task(for: fetch, startingAt: start, state)
    case .stop: state.fetchTask = nil
    case .pause:
      state.observer = nil
      state.reportedErrors = ReportedErrors([])
      state.showsPartialData = false
    case .resume(let everything):
      let observer = makeObserver(WatchSession(number: state.machine.sessionCount))
      state.observer = observer
      if everything { observer.observeEverything(since: client.store.registry.generation) }
    case .look(let generation): state.observer?.look(since: generation)
    case .observe(let trace, let count): state.observer?.observe(trace, refetchCount: count)
    case .observeEverything(let generation, let count):
      state.observer?.observeEverything(since: generation, refetchCount: count)
    case .read(let count): state.observer?.scheduleReading(refetchCount: count)
    case .deliver, .fail: break  // at the end, with the state that follows from all actions
    }
  }

  /// Starts a task that runs a fetch and reports its events.
  ///
  /// `start`: The generation of the cache now.
  private func task(
    for fetch: Machine.Fetch, startingAt start: Generation, _ state: State
  ) -> Task<Void, Never> {
    let traceRecorder = TraceRecorder()
    var configuration = state.configuration ?? client.configuration(writesResultsToCache: true)
    configuration.writeResultsToCache =
      configuration.writeResultsToCache && fetch.writesToCache
    configuration.readsPagesAlone = readsPagesAlone
    let responses = client.responses(
      to: GraphQLRequest(
        query, fetch.behavior, configuration: configuration,
        origin: origin.after(refetchCount: fetch.refetchCount), traceRecorder: traceRecorder))
    let epoch = client.store.layers.epoch
    return ApolloStore.task { [weak self] in
      var failure: (any Error)?
      do {
        for try await response in responses {
          await self?.receiveVisible(
            response, traceRecorder.take(for: response), of: fetch.number,
            startedAt: (start, epoch))
        }
      } catch {
        failure = error
      }
      self?.handle { [failure] machine in
        guard let failure else { return machine.fetchEnded(fetch.number, startedAt: start) }
        let entry = traceRecorder.take()
        return machine.fetchFailed(
          failure, dependencies: entry?.trace, unreadableSince: entry?.failedGeneration,
          startedAt: start, fetch: fetch.number) + machine.fetchEnded(fetch.number)
      }
      if failure != nil { self?.noteFailure(ofFetch: fetch.number) } else { self?.refreshIfDue() }
    }
  }

  /// Reports a response of a fetch as readers see it: with optimistic data above it, so that the
  /// watch does not flip back to the server's data, and with the further pages of its lists.
  ///
  /// `start` is the generation of the cache and the epoch of the layers when the fetch began. If
  /// those have changed since, optimistic data may have been replaced by a response that is newer
  /// than this one.
  private func receiveVisible(
    _ response: Response, _ entry: TraceRecorder.Entry?, of number: Int,
    startedAt start: (generation: Generation, epoch: UInt64)
  ) async {
    let epoch = start.epoch
    let received = response.freshness
    func receive(_ response: Response, _ entry: TraceRecorder.Entry?) {
      // The later pages of its lists, which may be old, expire by themselves.
      let freshness = mergesPages ? received : response.freshness
      self.receive(response, entry, freshness, fetch: number, startedAt: start.generation)
    }
    guard response.source == .server, response.data != nil, case .trace(let trace)? = entry,
      trace.standing == .written, !trace.isUnwritten
    else {
      receive(response, entry)
      if response.source == .cache { awaitEndOfLayers(entry?.trace, readAt: epoch) }
      return
    }
    let layers = client.store.layers
    defer { awaitEndOfLayers(trace, readAt: epoch) }
    var mayBeHidden = layers.epoch != epoch || !layers.isIdle || mergesPages
    let (servesErrors, demand) = state.withLock { ($0.servesCachedErrors, $0.demand) }
    // A layer may end between a reading and the look at what it affects. The second reading lacks
    // nothing because of that layer.
    for _ in 0..<2 {
      guard mayBeHidden,
        let reading = try? await client.store.load(
          query, servesFailures: servesErrors || response.errors != nil,
          readsPagesAlone: readsPagesAlone, takingOver: pages, demanding: demand)
      else {
        // Also if the cache cannot be read, which it was just written to.
        return receive(response, entry)
      }
      if let data = reading.data {
        var response = response
        response.replaceData(by: data, of: reading)
        return receive(response, .trace(reading.trace))
      }
      if layers.awaitEnd(of: reading.trace.dependencies) {
        handle(showing: response, ofFetch: true) { machine in
          machine.fetchDelivered(
            response, dependencies: trace, hiddenBy: reading.trace, fetch: number)
        }
        return noteExpiry(of: response, fetch: number)
      }
      mayBeHidden = !layers.isIdle
    }
    // No layer is the reason: what is missing is still to come, as with '@defer', or is gone again.
    receive(response, entry)
  }

  /// Reports a response of a fetch to the state machine. `freshness` is that of what it has
  /// brought.
  private func receive(
    _ response: Response, _ entry: TraceRecorder.Entry?, _ freshness: ResponseFreshness?,
    fetch number: Int, startedAt start: Generation
  ) {
    let (registry, layers) = (client.store.registry, client.store.layers)
    handle(showing: response, ofFetch: true) { machine in
      switch entry?.trace {
      case let trace? where trace.isUnwritten:
        machine.fetchDelivered(
          unwritten: response, dependencies: trace, isOvertaken: trace.standing != .written,
          isHidden: layers.affect(trace.dependencies), fetch: number)
      case let trace? where trace.standing != .written:
        machine.fetchNotKept(response, missing: trace, fetch: number)
      case let trace? where !registry.isCurrent(trace):
        machine.fetchOvertaken(trace, isCached: response.source == .cache, fetch: number)
      case nil where response.data != nil:
        machine.fetchDelivered(unrecorded: response, fetch: number) { trace in
          guard var trace else { return registry.generation != start || !layers.isIdle }
          trace.generation = start
          return !registry.isCurrent(trace) || layers.affect(trace.dependencies)
        }
      case let trace:
        machine.fetchDelivered(
          response, dependencies: trace, isCached: response.source == .cache, fetch: number)
      }
    }
    noteExpiry(of: response, freshness, fetch: number)
  }

  /// Reports a reading of the cache to the state machine.
  private func receive(
    _ reading: CacheObserver<Query.Data>.Reading, refetchCount: Int, begunAt count: Int,
    in session: WatchSession
  ) {
    // It may be the end of a fetch during which data has expired.
    defer { refreshIfDue() }
    switch reading {
    case .success(let reading):
      let trace = reading.trace
      let isOptimistic =
        !reading.misses.isEmpty && client.store.layers.explain(reading)
      func miss(_ machine: inout Machine) -> [Machine.Action] {
        guard machine.sessionCount == session.number else { return [] }
        return machine.cacheMissed(
          CacheMissError(operationName: Query.operationName, misses: reading.misses),
          readFrom: trace, isOptimistic: isOptimistic, refetchCount: refetchCount, begunAt: count)
      }
      guard var response = Response(reading) else {
        // A layer may have ended since that would explain it. What is there now decides.
        if !isOptimistic, !client.store.registry.isCurrent(trace),
          let observer = observer(in: session)
        {
          return observer.scheduleReading(refetchCount: refetchCount)
        }
        handle(miss)
        return
      }
      let (errors, epoch) = state.withLock { ($0.reportedErrors, $0.readingEpoch) }
      response.errors = response.errors.map(errors.wording)
      awaitEndOfLayers(trace, readAt: epoch)
      let isLatest = handle(ofFetch: false) { [response] state in
        let isPartial = !response.isComplete
        // The whole has been shown since the reading began.
        guard !isPartial || state.showsPartialData else { return (miss(&state.machine), nil) }
        guard state.machine.sessionCount == session.number else { return ([], nil) }
        let actions = state.machine.cacheDelivered(
          response, isPartial: isPartial, isOptimistic: isPartial && isOptimistic,
          readFrom: trace, refetchCount: refetchCount, begunAt: count)
        return (actions, response)
      }
      if isLatest { noteExpiry(of: response) }
    case .failure(let error):
      handle { machine in
        guard machine.sessionCount == session.number else { return [] }
        return machine.cacheFailed(error, begunAt: count)
      }
    }
  }
}

extension GraphQLQueryWatcher {
  /// The observer of the cache, unless a session of a user has ended.
  private func observer(in session: WatchSession) -> CacheObserver<Query.Data>? {
    state.withLock { $0.machine.sessionCount == session.number ? $0.observer : nil }
  }
}

/// The session of a user in the life of a watch.
package struct WatchSession: Hashable, Sendable {
  let number: Int

  /// Indicates whether a session has ended since the watch was made.
  package var isLater: Bool { number > 0 }
}

extension GraphQLQueryWatcher.State {
  /// Indicates whether a field that failed on the server is read with its error now.
  fileprivate var servesFailures: Bool { servesCachedErrors || !reportedErrors.isEmpty }

  /// Removes and returns the callback for the end of a fetch, if that has ended.
  fileprivate mutating func takeEnd() -> (@Sendable () -> Void)? {
    guard let end = onFetchEnd, !machine.isRunning || machine.latestRequest != end.number else {
      return nil
    }
    onFetchEnd = nil
    return end.call
  }
}

extension RequestConfiguration {
  /// The age that a watch wants its data to have, which it delivers at any age.
  fileprivate var watchingDemand: FreshnessDemand {
    FreshnessDemand(.permissive, maxAge: maxAge, maxStale: maxStale)
  }
}
