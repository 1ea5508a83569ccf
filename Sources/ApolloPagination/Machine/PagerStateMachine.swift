import ApolloAPI

/// The logic of a pager: events in, actions out.
///
/// The machine is synchronous and has no knowledge of tasks, locks and watches. Each page has a
/// watch of its own, which delivers the page's responses and says whether a fetch is under way.
///
/// | event | the page is new | the page is shown |
/// | :-- | :-- | :-- |
/// | a response with data | It is shown. | It replaces the page. |
/// | a response without data | It is shown, with its errors. The next load replaces it. | The data stays, with the new errors. |
/// | a failure | The page is removed. | The page stays. |
/// | the end of the fetch | The load ends. | The load ends. |
/// | a check finds that it does not follow | The page is removed, and its load ends as outdated. | The page and all behind it are removed. |
///
/// - Loads: Of the initial page and of all others, one load each is in progress at a time. A load
///   is *reserved* before the program's closures choose its query, so that no other one can begin.
///   Further loads of the initial page can join the one under way, and end with it.
/// - Prefetching: The watch of a prefetched page delivers like any other, but nothing is shown. A
///   load with the same query adopts it, and gives it back if it is cancelled before it is shown.
/// - Loading all pages: Results are held until the end. Only the run itself loads other pages.
/// - Refetching: The watch of the initial page fetches it again. All pages stay, and their watches
///   go on, until a response to that has data: then the other pages are removed. So they are at the
///   end of a fetch without an error, because data that is shown already is not reported again.
///   After a failure, a response without data or a cancellation, the pages stay.
/// - Checking: The first page of a merged list is shared by all of its queries, so another one can
///   replace it by a page that ends elsewhere. After each change of a page, the program's closures
///   say outside of the machine whether the page behind it still follows. Results are held until
///   then, so none has a gap, or an item twice. A load whose query was being chosen meanwhile has
///   to choose it again.
/// - Resetting: Pages have numbers that are never used again, so events of removed pages are
///   ignored.
struct PagerStateMachine<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery> {
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>
  typealias Initial = GraphQLResponse<InitialQuery>
  typealias Paginated = GraphQLResponse<PaginatedQuery>
  typealias Extraction = PageExtractionData<InitialQuery, PaginatedQuery, Output?>

  enum Action {
    /// Delivers the pages. `errorsAlone` are those of a response without data, which has led to it.
    case deliver(Output, errorsAlone: [GraphQLError]?)
    case fail(any Error)
    case end(load: Int, LoadOutcome)
    /// Ends the watch of a page that was removed.
    case retire(page: Int)
    /// Begins another list, whose first page is the initial one: follows the removal of the pages
    /// of the list before.
    case beginList
    /// Begins a check, with ``takeLinks()``.
    case check
    /// Ends iterations of the list: follows the removal of its last or first pages.
    case shortenList
  }

  struct Run {
    let number: Int
    var output: Output?
    var errorsAlone: [GraphQLError]?
    /// A failure before the held result. Nothing else would report it.
    var earlierFailure: (any Error)?
    /// A failure after the held result.
    var failure: (any Error)?
  }

  enum Loading {
    case none
    /// The program's closures are choosing the query of a load. `isOutdated` if the pages from
    /// which they choose it have changed.
    case reserved(load: Int, isOutdated: Bool)
    /// A page is being fetched. It is shown from its first response on.
    case page(load: Int, number: Int)
  }

  private let initialQuery: InitialQuery
  /// Indicates whether the cache merges pages, so that a page can be replaced by one that ends
  /// elsewhere.
  let mergesLists: Bool
  var lastNumber = 0
  var initial: InitialPage?
  /// The pages on both sides. The farthest from the initial page comes last.
  var next: [Page] = []
  var previous: [Page] = []
  var loading = Loading.none
  /// The page of `loading`, until it is shown.
  var incoming: Page?
  var prefetched: Page?
  var run: Run?
  var check: Check?

  init(_ initialQuery: InitialQuery, mergesLists: Bool = false) {
    self.initialQuery = initialQuery
    self.mergesLists = mergesLists
  }

  private mutating func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: - Loading

extension PagerStateMachine {
  /// The page at an end of the list, from which the pages beyond it are found.
  func end(_ direction: PaginationDirection) -> Extraction? {
    shown.end(before: pages(direction).count, direction)
  }

  /// Removes all pages and ends all loads.
  mutating func reset() -> [Action] {
    let numbers = [initial?.number, incoming?.number, prefetched?.number].compactMap { $0 }
    // Nobody waits for a load that is only reserved.
    let loads = (initial?.loads ?? []) + [startedLoad].compactMap { $0 }
    let shown = (next + previous).map(\.number)
    (initial, incoming, prefetched, run, check) = (nil, nil, nil, nil, nil)
    (next, previous) = ([], [])
    loading = .none
    return (numbers + shown).map { .retire(page: $0) } + loads.map { .end(load: $0, .cancelled) }
  }

  /// Removes all pages and begins the load of the initial one.
  mutating func restart() -> (load: Int, page: Int, [Action]) {
    let actions = reset()
    let (load, page) = (makeNumber(), makeNumber())
    initial = InitialPage(number: page, loads: [load])
    return (load, page, actions)
  }

  /// Waits for the load of the initial page that is under way, in place of another one.
  ///
  /// - Returns: A load, which ends with that one, or at once if the page has data already. `nil` if
  ///   the page has to be loaded.
  mutating func joinInitialPage() throws(PaginationError) -> (load: Int, [Action])? {
    if run != nil { throw .loadInProgress }
    guard let page = initial, !page.loads.isEmpty || page.response?.data != nil else { return nil }
    let load = makeNumber()
    if page.loads.isEmpty { return (load, [.end(load: load, .loaded)]) }
    initial?.loads.append(load)
    return (load, [])
  }

  /// The initial page, if it is shown, so that its watch can fetch it again.
  var shownInitialPage: Int? { initial.flatMap { $0.response == nil ? nil : $0.number } }

  /// Begins to fetch the initial page again. Ends all other loads.
  ///
  /// - Parameter number: The page, which ``shownInitialPage`` has returned.
  /// - Returns: The load, or `nil` if the page was removed.
  mutating func refetch(page number: Int) -> (load: Int, [Action])? {
    guard var page = initial, page.number == number, page.response != nil else { return nil }
    var actions = page.loads.map { Action.end(load: $0, .cancelled) }
    actions += removeUnshown() + (run.map { endRun($0.number) } ?? [])
    let load = makeNumber()
    (page.loads, page.failure, page.isRefetched) = ([load], nil, true)
    initial = page
    return (load, actions)
  }

  /// Removes the pages that are not shown, and ends their loads.
  private mutating func removeUnshown() -> [Action] {
    let numbers = [incoming?.number, prefetched?.number].compactMap { $0 }
    let loads = [startedLoad].compactMap { $0 }
    (incoming, prefetched) = (nil, nil)
    loading = .none
    return numbers.map { .retire(page: $0) } + loads.map { .end(load: $0, .cancelled) }
  }

  /// Removes all pages but the initial one, which was fetched again, and drops the results of them
  /// that are held.
  mutating func beginList() -> [Action] {
    initial?.isRefetched = false
    check = nil
    run = run.map { Run(number: $0.number) }
    let actions = removeUnshown() + (next + previous).map { .retire(page: $0.number) }
    (next, previous) = ([], [])
    return actions + [.beginList]
  }

  /// Reserves the load of a page. During a run of `loadAll`, no other loads come between its own.
  ///
  /// - Parameters:
  ///   - direction: The direction from the end of the list.
  ///   - number: The run to which the load belongs, or `nil` if it belongs to none.
  /// - Returns: The number of the load, and the page beyond which the loaded one is.
  /// - Throws: The reason why the load cannot begin.
  mutating func reserve(
    _ direction: PaginationDirection, in number: Int? = nil
  ) throws(PaginationError) -> (load: Int, end: Extraction) {
    guard run?.number == number else { throw number == nil ? .loadInProgress : .cancellation }
    guard case .none = loading else { throw .loadInProgress }
    guard let end = end(direction) else { throw .missingInitialPage }
    let load = makeNumber()
    loading = .reserved(load: load, isOutdated: false)
    return (load, end)
  }

  /// Gives a reservation back.
  mutating func release(_ load: Int) {
    if case .reserved(load, _) = loading { loading = .none }
  }

  enum Start {
    /// The page with the number needs a watch.
    case fetch(page: Int, [Action])
    /// The page was prefetched.
    case adopted([Action])
    /// The list has a page of the query already: the server's cursor does not move.
    case repeated
    /// The pages have changed since the reservation, so the query has to be chosen again.
    case outdated
    /// A reset has come between.
    case cancelled
  }

  /// Begins a reserved load with the query that was chosen.
  ///
  /// With `ignoresCache`, a prefetched page is not shown before the server has responded.
  mutating func begin(
    _ load: Int, _ query: PaginatedQuery, _ direction: PaginationDirection,
    ignoresCache: Bool = false
  ) -> Start {
    guard case .reserved(load, let isOutdated) = loading else { return .cancelled }
    loading = .none
    if isOutdated { return .outdated }
    if hasData(for: query) { return .repeated }
    var actions: [Action] = []
    if let page = prefetched, page.direction == direction {
      prefetched = nil
      if page.query == query, page.isFetching || page.response?.data != nil {
        return .adopted(adopt(page, load, ignoresCache: ignoresCache))
      }
      actions.append(.retire(page: page.number))
    }
    let page = Page(number: makeNumber(), query: query, direction: direction)
    incoming = page
    loading = .page(load: load, number: page.number)
    return .fetch(page: page.number, actions)
  }

  /// Returns whether the list has a page of a query, beyond which there is nothing then.
  func hasData(for query: PaginatedQuery) -> Bool {
    (next + previous).contains { $0.query == query && $0.response?.data != nil }
      || AnyHashable(query) == AnyHashable(initialQuery)
  }

  private mutating func adopt(_ page: Page, _ load: Int, ignoresCache: Bool) -> [Action] {
    loading = .page(load: load, number: page.number)
    incoming = page
    incoming?.ignoresCache = ignoresCache
    guard page.isFetching else { return fetchEnded(page.number) }
    return page.response.map { receivedIncoming($0, isFetching: true) } ?? []
  }

  /// Begins to fetch the page of a reserved load, which a later load will adopt.
  ///
  /// - Returns: The number of the page, or `nil` if it is there already, or if the pages have
  ///   changed since the reservation.
  mutating func beginPrefetch(
    _ load: Int, _ query: PaginatedQuery, _ direction: PaginationDirection
  ) -> (page: Int, [Action])? {
    guard case .reserved(load, let isOutdated) = loading else { return nil }
    loading = .none
    guard !isOutdated, !hasData(for: query),
      prefetched?.query != query || prefetched?.direction != direction
    else { return nil }
    let actions = prefetched.map { [Action.retire(page: $0.number)] } ?? []
    let page = Page(
      number: makeNumber(), query: query, direction: direction, isPrefetched: true)
    prefetched = page
    return (page.number, actions)
  }

  /// Cancels a load. A page that is shown already stays, and one that was prefetched is kept for
  /// the next load.
  mutating func cancel(_ load: Int) -> [Action] {
    if let index = initial?.loads.firstIndex(of: load) {
      initial?.loads.remove(at: index)
      if initial?.loads.isEmpty == true { initial?.isRefetched = false }
      return [.end(load: load, .cancelled)]
    }
    guard load == currentLoad else { return [] }
    loading = .none
    defer { incoming = nil }
    switch incoming {
    case var page? where page.isPrefetched && page.failure == nil:
      page.ignoresCache = false
      prefetched = page
    case let page?: return [.retire(page: page.number), .end(load: load, .cancelled)]
    case nil: break
    }
    return [.end(load: load, .cancelled)]
  }

  /// Returns whether a page has not been removed.
  func contains(_ number: Int) -> Bool {
    initial?.number == number || prefetched?.number == number || isKnown(number)
  }

  /// The page of a load, whose fetch is to be cancelled with it. `nil` if other loads wait for the
  /// page, or if it was prefetched.
  func page(of load: Int) -> Int? {
    if initial?.loads == [load] { return initial?.number }
    guard case .page(load, let number) = loading else { return nil }
    let page = incoming ?? (next + previous).last { $0.number == number }
    return page?.isPrefetched == true ? nil : number
  }

  private var currentLoad: Int? {
    switch loading {
    case .none: nil
    case .reserved(let load, _), .page(let load, _): load
    }
  }

  private var startedLoad: Int? { if case .page(let load, _) = loading { load } else { nil } }
}

// MARK: - Loading all pages

extension PagerStateMachine {
  /// Indicates whether results are held back.
  var isRunning: Bool { run != nil }

  /// Returns whether a run has neither ended nor been reset.
  func isRunning(_ number: Int) -> Bool { run?.number == number }

  /// Begins to hold results back.
  mutating func beginRun() -> Int {
    let number = makeNumber()
    run = Run(number: number)
    return number
  }

  /// Delivers the results that were held back since ``beginRun()``, unless a reset has come
  /// between.
  mutating func endRun(_ number: Int) -> [Action] {
    guard let run, run.number == number else { return [] }
    self.run = nil
    var actions = run.earlierFailure.map { [Action.fail($0)] } ?? []
    // What a check holds is newer.
    let held = check
    actions += deliver(
      check?.output ?? run.output, errorsAlone: check?.errorsAlone ?? run.errorsAlone)
    // A failure that it holds has come after both results.
    check?.earlierFailure = held?.earlierFailure
    check?.failure = held?.failure
    return actions + (run.failure.map { [.fail($0)] } ?? [])
  }

  mutating func deliver(
    _ output: Output?, errorsAlone: [GraphQLError]? = nil
  ) -> [Action] {
    guard let output else { return [] }
    if check != nil {
      check?.output = output
      if let error = check?.failure { check?.earlierFailure = error }
      check?.failure = nil
      if let errorsAlone { check?.errorsAlone = errorsAlone }
      return []
    }
    guard run != nil else { return [.deliver(output, errorsAlone: errorsAlone)] }
    run?.output = output
    if let error = run?.failure { run?.earlierFailure = error }
    run?.failure = nil
    if let errorsAlone { run?.errorsAlone = errorsAlone }
    return []
  }

  mutating func fail(_ error: any Error) -> [Action] {
    if check != nil {
      check?.failure = error
      return []
    }
    guard run != nil else { return [.fail(error)] }
    run?.failure = error
    return []
  }
}

// MARK: - The pages

extension PagerStateMachine {
  func pages(_ direction: PaginationDirection) -> [Page] {
    switch direction {
    case .next: next
    case .previous: previous
    }
  }

  mutating func change(_ direction: PaginationDirection, _ body: (inout [Page]) -> Void) {
    switch direction {
    case .next: body(&next)
    case .previous: body(&previous)
    }
  }

  var shown: Shown { Shown(initial: initial, next: next, previous: previous) }

  /// Returns the pages that are shown, or `nil` before the initial one.
  func makeOutput(updated: Output.QueryWrapper?) -> Output? {
    shown.output(updated: updated)
  }
}
