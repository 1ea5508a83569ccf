import Apollo
import ApolloAPI

/// The pages of a list, each with a watch of its own.
///
/// 1. A watch reports a result to the state machine, whose actions become events, under the lock.
/// 2. One task takes the events in order: it calls the program's `transform`, sends the model to
///    the subscribers, and resumes the callers whose loads have ended. So a caller that has waited
///    for a load finds its results delivered. Of merged lists, it also asks the program's closures
///    whether the pages behind a changed one still follow, before that is delivered.
///
/// Isolation: `state` is guarded by a lock. A watch reports under its own lock, so nothing that is
/// done under the lock of the pager calls a watch. All events are kept until the task takes them.
final class PagerCore<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Model: Sendable>:
  Paging
{
  typealias Machine = PagerStateMachine<InitialQuery, PaginatedQuery>
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>

  private enum Event: Sendable {
    /// A result, which is outdated after another reset. `errorsAlone` are those of a response
    /// without data, which has led to it.
    case deliver(Result<Output, any Error>, errorsAlone: [GraphQLError]?, resetCount: Int)
    case end(load: Int, LoadOutcome)
    /// A page has changed, and those behind it may not follow any more.
    case check
    case release(Removed)
  }

  /// The watches and results that were removed under the lock. They are ended and released without
  /// it, because that can call code of the program.
  private struct Removed: Sendable {
    var watches: [any PageWatch] = []
    var results: [Delivery<Model>] = []

    func end() {
      for watch in watches { watch.cancel() }
    }
  }

  private struct State {
    var machine: Machine
    var watches: [Int: any PageWatch] = [:]
    var resetCount = 0
    /// The number of times that pages at an end of the list were removed.
    var cutCount = 0
    var sessionCount = 0
    var isClosed = false
    /// The callers that wait for the end of their loads.
    var waiters: [Int: CheckedContinuation<LoadOutcome, Never>] = [:]
    /// The ends of loads whose callers do not wait yet.
    var outcomes: [Int: LoadOutcome] = [:]
  }

  let deliveries = Deliveries<Model>()
  private let client: any ApolloClientProtocol
  private let initialQuery: InitialQuery
  private let plan: @Sendable (Machine.Extraction) -> PagePlan<PaginatedQuery>
  private let transform: @Sendable (Output) throws -> Model
  /// `true` if a model does not show that a page has no data.
  private let reportsPagesWithoutData: Bool
  private let state: Lock<State>
  private let events: AsyncStream<Event>.Continuation

  init(
    client: any ApolloClientProtocol, initialQuery: InitialQuery,
    plan: @escaping @Sendable (Machine.Extraction) -> PagePlan<PaginatedQuery>,
    reportsPagesWithoutData: Bool, transform: @escaping @Sendable (Output) throws -> Model
  ) {
    self.client = client
    self.initialQuery = initialQuery
    self.plan = plan
    self.transform = transform
    self.reportsPagesWithoutData = reportsPagesWithoutData
    let mergesLists =
      InitialQuery.Data.__layout.hasMergedLists(in: InitialQuery.Data.Schema.self)
      || PaginatedQuery.Data.__layout.hasMergedLists(in: PaginatedQuery.Data.Schema.self)
    state = Lock(State(machine: Machine(initialQuery, mergesLists: mergesLists)))
    let (stream, events) = AsyncStream<Event>.makeStream()
    self.events = events
    // Keeps this object until it is closed.
    Task {
      for await event in stream { take(event) }
      deliveries.finish()
    }
    followSessions()
  }

  func canLoad(_ direction: PaginationDirection) -> Bool {
    guard let end = state.withLock({ $0.machine.end(direction) }) else { return false }
    let plan = plan(end)
    guard plan.canLoad(direction) else { return false }
    // Without a query, the load says so.
    guard let query = plan.query(direction) else { return true }
    return !state.withLock { $0.machine.hasData(for: query) }
  }
}

// MARK: - Loads

extension PagerCore {
  func startInitialPage(_ fetch: PageFetch) -> Int? {
    startInitialPage(fetch, holdsResults: false)?.load
  }

  /// Starts to fetch the initial page, in place of all pages. With `holdsResults`, a run begins.
  private func startInitialPage(
    _ fetch: PageFetch, holdsResults: Bool
  ) -> (load: Int, run: Int?)? {
    if let started = refetchInitialPage(fetch, holdsResults: holdsResults) { return started }
    let started: (load: Int, page: Int, run: Int?)? = removeAllPages { state in
      guard let (load, page) = restart(&state) else { return nil }
      return (load, page, holdsResults ? state.machine.beginRun() : nil)
    }
    guard let (load, page, run) = started else { return nil }
    watchInitialPage(page, fetch)
    return (load, run)
  }

  func joinInitialPage(_ fetch: PageFetch) throws(PaginationError) -> Int? {
    let (joined, started, removed) = try state.withLock {
      state throws(PaginationError) -> (Int?, (load: Int, page: Int)?, Removed) in
      if let (load, actions) = try state.machine.joinInitialPage() {
        perform(actions, &state)
        return (load, nil, Removed())
      }
      let removed = endList(&state)
      return (nil, restart(&state), removed)
    }
    removed.end()
    if let (_, page) = started { watchInitialPage(page, fetch) }
    return joined ?? started?.load
  }

  /// Begins the load of the initial page, unless the pager is closed.
  private func restart(_ state: inout State) -> (load: Int, page: Int)? {
    guard !state.isClosed else { return nil }
    let (load, page, actions) = state.machine.restart()
    perform(actions, &state)
    return (load, page)
  }

  private func watchInitialPage(_ page: Int, _ fetch: PageFetch) {
    watch(initialQuery, page: page, fetch) { core, news in
      core.handle {
        $0.received(
          news.result, isFetching: news.isFetching, isResponse: news.isResponse, initialPage: page)
      }
    }
  }

  /// Fetches the initial page again by its watch, if it is shown. Until a response arrives, all
  /// pages stay.
  private func refetchInitialPage(
    _ fetch: PageFetch, holdsResults: Bool
  ) -> (load: Int, run: Int?)? {
    let shown = state.withLock { state in
      state.machine.shownInitialPage.map { (page: $0, watch: state.watches[$0]) }
    }
    guard let page = shown?.page, let watch = shown?.watch as? GraphQLQueryWatcher<InitialQuery>
    else { return nil }
    var started: (load: Int, run: Int?)?
    // The load begins with the fetch: news of an earlier one do not end it.
    watch.fetch(fetch.behavior, writesToCache: fetch.writesToCache) {
      started = state.withLock { state in
        guard let (load, actions) = state.machine.refetch(page: page) else { return nil }
        perform(actions, &state)
        return (load, holdsResults ? state.machine.beginRun() : nil)
      }
      return started != nil
    }
    return started
  }

  func start(
    _ direction: PaginationDirection, _ fetch: PageFetch
  ) throws(PaginationError) -> Int {
    try start(direction, fetch, in: nil)
  }

  /// Starts to fetch a page, as a part of a run if there is one.
  private func start(
    _ direction: PaginationDirection, _ fetch: PageFetch, in run: Int?
  ) throws(PaginationError) -> Int {
    let (load, query) = try reserve(direction, in: run)
    let start = state.withLock { state in
      let start = state.machine.begin(load, query, direction, ignoresCache: fetch.ignoresCache)
      switch start {
      case .fetch(_, let actions), .adopted(let actions): perform(actions, &state)
      case .repeated, .outdated, .cancelled: break
      }
      return start
    }
    switch start {
    case .fetch(let page, _): watch(query, page: page, fetch)
    case .adopted: break
    case .repeated: throw .pageHasNoMoreContent
    case .outdated: return try self.start(direction, fetch, in: run)
    case .cancelled: throw .cancellation
    }
    return load
  }

  func prefetch(_ direction: PaginationDirection, _ fetch: PageFetch) {
    // Nothing is wrong if there is no page to prefetch: the load will say why.
    guard let (load, query) = try? reserve(direction, in: nil) else { return }
    let page = state.withLock { state -> Int? in
      guard let (page, actions) = state.machine.beginPrefetch(load, query, direction) else {
        return nil
      }
      perform(actions, &state)
      return page
    }
    if let page { watch(query, page: page, fetch) }
  }

  func startRun(fromInitialPage: Bool) throws(PaginationError) -> PagerRun {
    if fromInitialPage {
      let start = startInitialPage(PageFetch(.networkOnly), holdsResults: true)
      guard let start, let run = start.run else { throw .cancellation }
      return PagerRun(number: run, initialLoad: start.load)
    }
    let run = try state.withLock { state throws(PaginationError) in
      guard state.machine.end(.next) != nil else { throw PaginationError.missingInitialPage }
      guard !state.machine.isRunning else { throw PaginationError.loadInProgress }
      return state.machine.beginRun()
    }
    return PagerRun(number: run, initialLoad: nil)
  }

  func finish(_ run: PagerRun) async throws(PaginationError) {
    let result: Result<Void, PaginationError>
    do throws(PaginationError) {
      try await loadPages(of: run)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    let isWhole = await end(run)
    try result.get()
    if !isWhole { throw .cancellation }
  }

  private func loadPages(of run: PagerRun) async throws(PaginationError) {
    var outcome = LoadOutcome.loaded
    if let load = run.initialLoad {
      outcome = await self.outcome(of: load)
      if case .cancelled = outcome { throw .cancellation }
    }
    // Each step begins with the next pages: a change can remove some while a previous one loads.
    while case .loaded = outcome,
      let direction = [PaginationDirection.next, .previous].first(where: canLoad)
    {
      do throws(PaginationError) {
        let load = try start(direction, PageFetch(.networkOnly), in: run.number)
        outcome = await self.outcome(of: load)
        if case .cancelled = outcome { throw PaginationError.cancellation }
        // If the page before it has changed, the run goes on behind that.
        if case .outdated = outcome { outcome = .loaded }
      } catch {
        // The list has ended there since `canLoad`.
        guard case .pageHasNoMoreContent = error else { throw error }
        // The program's closures may say something else each time that they are asked.
        if Task.isCancelled { throw PaginationError.cancellation }
        await Task.yield()
      }
    }
  }

  /// Delivers what a run has held back, and returns afterwards.
  ///
  /// - Returns: `false` if the pages were removed meanwhile.
  private func end(_ run: PagerRun) async -> Bool {
    let (isWhole, isClosed) = state.withLock { state in
      let isWhole = state.machine.isRunning(run.number)
      let actions = state.machine.endRun(run.number)
      perform(actions + [.end(load: run.number, .loaded)], &state)
      return (isWhole, state.isClosed)
    }
    // Events of a closed pager are dropped.
    if !isClosed { _ = await outcome(of: run.number) }
    return isWhole
  }

  /// Reserves a load and chooses its query, outside of the lock.
  private func reserve(
    _ direction: PaginationDirection, in run: Int?
  ) throws(PaginationError) -> (load: Int, query: PaginatedQuery) {
    let (load, end) = try state.withLock { state throws(PaginationError) in
      if state.isClosed { throw PaginationError.cancellation }
      return try state.machine.reserve(direction, in: run)
    }
    let plan = plan(end)
    guard plan.canLoad(direction) else {
      state.withLock { $0.machine.release(load) }
      throw .pageHasNoMoreContent
    }
    guard let query = plan.query(direction) else {
      state.withLock { $0.machine.release(load) }
      throw .noQuery
    }
    return (load, query)
  }

  /// Returns at the end of a load. Cancelling the task cancels the load.
  func outcome(of load: Int) async -> LoadOutcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          let outcome = state.outcomes.removeValue(forKey: load)
          if outcome == nil { state.waiters[load] = continuation }
          return outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      cancel(load)
    }
  }

  private func cancel(_ load: Int) {
    let watch = state.withLock { state in
      state.machine.page(of: load).flatMap { state.watches[$0] }
    }
    guard let watch else { return cancelInMachine(load) }
    // The watch may have a later fetch by now, which is that of another load.
    watch.cancelFetch {
      let isCurrent = state.withLock { $0.machine.page(of: load) != nil }
      cancelInMachine(load)
      return isCurrent
    }
  }

  private func cancelInMachine(_ load: Int) {
    state.withLock { perform($0.machine.cancel(load), &$0) }
  }

  func reset() {
    removeAllPages { perform($0.machine.reset(), &$0) }
  }

  func close() {
    let watches = state.withLock { state in
      state.isClosed = true
      let watches = takeWatches(&state)
      perform(state.machine.reset(), &state)
      events.finish()
      return watches
    }
    for watch in watches { watch.cancel() }
  }

  var sessionCount: Int { state.withLock { $0.sessionCount } }
  var resetCount: Int { state.withLock { $0.resetCount + $0.cutCount } }

  /// Handles the ends of sessions, also without pages, and when only results that were not read are
  /// left of this object.
  private func followSessions() {
    let sessions = StoreWatch(
      client.store.registry, toEverything: false,
      onSessionEnd: { [weak self, weak deliveries] end in
        guard end == .begun else { return }
        if let self { sessionEnded() } else { _ = deliveries?.endSession() }
      }, onChange: { _ in })
    deliveries.keep(sessions)
  }

  /// Handles the end of the session of a user: removes all pages, and drops the results that were
  /// not read.
  private func sessionEnded() {
    let dropped = state.withLock { state in
      state.resetCount += 1
      state.sessionCount += 1
      let dropped = deliveries.endSession()
      perform(state.machine.reset(), &state)
      return dropped
    }
    withExtendedLifetime(dropped) {}  // models of the program: released outside of the lock
  }

  /// Resets the state machine and ends all watches. Results that are not delivered yet are dropped.
  private func removeAllPages<Value>(_ reset: (inout State) -> Value) -> Value {
    let (value, removed) = state.withLock { state in
      let removed = endList(&state)
      return (reset(&state), removed)
    }
    removed.end()
    return value
  }

  /// Takes all watches and the latest results, because another list begins.
  private func endList(_ state: inout State) -> Removed {
    Removed(watches: takeWatches(&state), results: deliveries.endList())
  }

  /// Takes all watches, which the caller ends without the lock, and drops the results that are not
  /// delivered yet.
  private func takeWatches(_ state: inout State) -> [any PageWatch] {
    defer { state.watches = [:] }
    state.resetCount += 1
    return Array(state.watches.values)
  }
}

// MARK: - Watches and events

/// The watch of a page. `GraphQLQueryWatcher` alone conforms: a protocol, because the watches of a
/// list are of several queries.
private protocol PageWatch: Cancellable {
  func cancelFetch(if condition: () -> Bool)
}

extension GraphQLQueryWatcher: PageWatch {}

extension PagerCore {
  private func watch(_ query: PaginatedQuery, page: Int, _ fetch: PageFetch) {
    watch(query, page: page, fetch) { core, news in
      core.handle { $0.received(news.result, isFetching: news.isFetching, page: page) }
    }
  }

  /// Starts the watch of a page, unless that has been removed.
  private func watch<Query: GraphQLQuery>(
    _ query: Query, page: Int, _ fetch: PageFetch,
    receive: @escaping @Sendable (PagerCore, GraphQLQueryWatcher<Query>.News) -> Void
  ) {
    let watcher = GraphQLQueryWatcher(
      watching: client, query: query, configuration: nil, refetchOnFailedUpdates: true,
      readsPagesAlone: true,
      deliver: { [weak self] _, news in
        // The watch of a page lives in one session, whose end removes the page.
        guard let self, !news.session.isLater else { return }
        receive(self, news)
      })
    let isNeeded = state.withLock { state in
      guard state.machine.contains(page) else { return false }
      state.watches[page] = watcher
      return true
    }
    guard isNeeded else { return watcher.cancel() }
    fetch.start(watcher)
  }

  /// Passes an event to the state machine and queues its actions.
  private func handle(_ event: (inout Machine) -> [Machine.Action]) {
    state.withLock { state in perform(event(&state.machine), &state) }
  }

  private func perform(_ actions: [Machine.Action], _ state: inout State) {
    for action in actions {
      if let event = event(of: action, &state) { events.yield(event) }
    }
  }

  /// Performs what can be done under the lock, and returns the rest of an action.
  private func event(of action: Machine.Action, _ state: inout State) -> Event? {
    switch action {
    case .deliver(let output, let errorsAlone):
      return .deliver(.success(output), errorsAlone: errorsAlone, resetCount: state.resetCount)
    case .fail(let error):
      return .deliver(.failure(error), errorsAlone: nil, resetCount: state.resetCount)
    case .end(let load, let outcome): return .end(load: load, outcome)
    case .retire(let page):
      return state.watches.removeValue(forKey: page).map { .release(Removed(watches: [$0])) }
    case .check: return .check
    case .shortenList:
      state.cutCount += 1
      return nil
    case .beginList:
      state.resetCount += 1
      return .release(Removed(results: deliveries.endList()))
    }
  }

  private func take(_ event: Event) {
    switch event {
    case .deliver(let result, let errorsAlone, let resetCount):
      guard state.withLock({ $0.resetCount == resetCount }) else { return }
      let results = deliveries(of: result, errorsAlone)
      // Under the lock, so that nothing is delivered after a reset.
      let replaced = state.withLock { state in
        state.resetCount == resetCount ? results.flatMap { deliveries.send($0) } : []
      }
      withExtendedLifetime(replaced) {}  // models of the program: released outside of the lock
    case .end(let load, let outcome):
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: load)
        if waiter == nil { state.outcomes[load] = outcome }
        return waiter
      }
      waiter?.resume(returning: outcome)
    case .check: checkPages()
    case .release(let removed): removed.end()
    }
  }

  /// Asks the program's closures whether the pages behind changed ones still follow, and takes what
  /// comes of it at once: before the ends of loads that are among the events already.
  private func checkPages() {
    while let links = state.withLock({ $0.machine.takeLinks() }) {
      let broken = Set(links.filter { !follows($0) }.map(\.page))
      let events = state.withLock { state -> [Event]? in
        state.machine.endCheck(broken)?.compactMap { event(of: $0, &state) }
      }
      guard let events else { continue }
      for event in events { take(event) }
      return
    }
  }

  /// Returns whether the closures still ask for the page behind another one. A page also follows if
  /// they ask for the same as before the change: closures may depend on more than pages.
  private func follows(_ link: Machine.Link) -> Bool {
    let now = query(beyond: link.now, link.direction)
    if now == link.query { return true }
    return link.before.map { query(beyond: $0, link.direction) == now } ?? false
  }

  func follows(_ count: Int, of earlier: Model) -> Bool {
    // Only pagers whose model is the output have sequences of pages.
    guard let earlier = earlier as? Output else { return true }
    let shown = state.withLock { state -> (end: Machine.Extraction, output: Output)? in
      guard state.machine.mergesLists, let output = state.machine.makeOutput(updated: nil),
        let end = state.machine.shown.end(before: count - 1, .next)
      else { return nil }
      return (end, output)
    }
    guard let shown, let before = earlier.end(ofFirst: count, behind: shown.output.previousPages)
    else { return true }
    return query(beyond: shown.end, .next) == query(beyond: before, .next)
  }

  func hasPages(behind count: Int) -> Bool {
    let shown = state.withLock { $0.machine.shown }
    let initialCount = shown.initial?.response?.data == nil ? 0 : 1
    return initialCount + shown.next.count(where: { $0.response?.data != nil }) > count
  }

  /// Returns the query of the page beyond another one, or `nil` if there is none.
  private func query(
    beyond end: Machine.Extraction, _ direction: PaginationDirection
  ) -> PaginatedQuery? {
    let plan = plan(end)
    return plan.canLoad(direction) ? plan.query(direction) : nil
  }

  /// Returns a result for the subscribers and, if its model does not show that a response had no
  /// data, the error that says so.
  private func deliveries(
    of result: Result<Output, any Error>, _ errorsAlone: [GraphQLError]?
  ) -> [Delivery<Model>] {
    switch result {
    case .success(let output):
      let model = Delivery(result: Result { try transform(output) }, errors: output.allErrors)
      guard let errorsAlone, reportsPagesWithoutData, case .success = model.result else {
        return [model]
      }
      return [model, Delivery(result: .failure(PageWithoutDataError(errors: errorsAlone)))]
    case .failure(let error): return [Delivery(result: .failure(error))]
    }
  }
}

extension PaginationOutput {
  /// Returns the last of the initial page and those after it, with all pages up to it.
  ///
  /// - Parameters:
  ///   - count: The number of these pages, with the initial one.
  ///   - previousPages: The pages before the initial one, in place of those of the output: they
  ///     can be loaded at any time.
  /// - Returns: The page, or `nil` if none has data.
  fileprivate func end(
    ofFirst count: Int, behind previousPages: [GraphQLResponse<PaginatedQuery>]
  ) -> PagerStateMachine<InitialQuery, PaginatedQuery>.Extraction? {
    guard let initialPage else { return nil }
    let pages = Array(nextPages.prefix(count - 1))
    let output = Self(
      previousPages: previousPages, initialPage: initialPage, nextPages: pages,
      lastUpdatedPage: .initial(initialPage))
    if let data = pages.last(where: { $0.data != nil })?.data { return .paginated(data, output) }
    return initialPage.data.map { .initial($0, output) }
  }
}
