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
/// | a check finds that it does not follow | The page is removed, and its load is cancelled. | The page and all behind it are removed. |
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

  private struct InitialPage {
    let number: Int
    var response: Initial?
    /// The loads that wait for the page.
    var loads: [Int] = []
    var failure: (any Error)?
    /// `true` from a refetch to its first response with data, before which the other pages stay.
    var isRefetched = false
    /// The errors of the latest response, if it had no data.
    var errorsAlone: [GraphQLError]?
  }

  private struct Page {
    let number: Int
    let query: PaginatedQuery
    let direction: PaginationDirection
    /// `true` if the page is fetched whether or not a load waits for it.
    var isPrefetched = false
    /// `true` if the page is not shown before the server has responded.
    var ignoresCache = false
    var response: Paginated?
    var isFetching = true
    var failure: (any Error)?
  }

  /// A run of `loadAll`, and the results that it holds back.
  private struct Run {
    let number: Int
    var output: Output?
    var errorsAlone: [GraphQLError]?
    var failure: (any Error)?
  }

  /// The pages that are shown, from the initial one in both directions.
  private struct Shown {
    let initial: InitialPage?
    let next: [Page]
    let previous: [Page]

    func pages(_ direction: PaginationDirection) -> [Page] {
      direction == .next ? next : previous
    }

    /// Returns the page from which the one at an index is found: the last one before it with data.
    private func page(before index: Int, _ direction: PaginationDirection) -> Page? {
      pages(direction).prefix(index).last { $0.response?.data != nil }
    }

    /// Returns the number of the page from which the one at an index is found.
    func number(before index: Int, _ direction: PaginationDirection) -> Int? {
      page(before: index, direction)?.number ?? initial?.number
    }

    /// Returns the page from which the one at an index is found, with all pages before that index.
    func end(before index: Int, _ direction: PaginationDirection) -> Extraction? {
      let shown =
        direction == .next
        ? Shown(initial: initial, next: Array(next.prefix(index)), previous: previous)
        : Shown(initial: initial, next: next, previous: Array(previous.prefix(index)))
      let output = shown.output(updated: nil)
      if let data = page(before: index, direction)?.response?.data {
        return .paginated(data, output)
      }
      return initial?.response?.data.map { .initial($0, output) }
    }

    /// Returns the output, or `nil` before the initial page.
    ///
    /// Without `updated`, the initial page stands for the page whose change led to the output.
    func output(updated: Output.QueryWrapper?) -> Output? {
      guard let response = initial?.response else { return nil }
      return Output(
        previousPages: previous.reversed().compactMap(\.response), initialPage: response,
        nextPages: next.compactMap(\.response), lastUpdatedPage: updated ?? .initial(response))
    }
  }

  /// A check of whether pages still follow each other, and the results that it holds back.
  private struct Check {
    /// The pages before the first of the changes.
    let before: Shown
    /// The latest number that a page could have then.
    let lastNumber: Int
    /// The numbers of the pages that have changed.
    var changed: Set<Int>
    /// `true` if a page has changed since the links were taken.
    var isOutdated = false
    var output: Output?
    var errorsAlone: [GraphQLError]?
  }

  /// A page, and the changed one from which it was found.
  struct Link {
    let page: Int
    let query: PaginatedQuery
    let direction: PaginationDirection
    /// The page from which it was found.
    let now: Extraction
    /// The same before the change; `nil` if the page behind it was found later.
    let before: Extraction?
  }

  private enum Loading {
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
  private let mergesLists: Bool
  private var lastNumber = 0
  private var initial: InitialPage?
  /// The pages on both sides. The farthest from the initial page comes last.
  private var next: [Page] = []
  private var previous: [Page] = []
  private var loading = Loading.none
  /// The page of `loading`, until it is shown.
  private var incoming: Page?
  private var prefetched: Page?
  private var run: Run?
  private var check: Check?

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

  /// Removes all pages but the initial one, which was fetched again.
  private mutating func beginList() -> [Action] {
    initial?.isRefetched = false
    check = nil
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
    // What a check holds is newer.
    return deliver(
      check?.output ?? run.output, errorsAlone: check?.errorsAlone ?? run.errorsAlone)
      + (run.failure.map { [.fail($0)] } ?? [])
  }

  private mutating func deliver(
    _ output: Output?, errorsAlone: [GraphQLError]? = nil
  ) -> [Action] {
    guard let output else { return [] }
    if check != nil {
      check?.output = output
      if let errorsAlone { check?.errorsAlone = errorsAlone }
      return []
    }
    guard run != nil else { return [.deliver(output, errorsAlone: errorsAlone)] }
    run?.output = output
    if let errorsAlone { run?.errorsAlone = errorsAlone }
    return []
  }

  private mutating func fail(_ error: any Error) -> [Action] {
    guard run != nil else { return [.fail(error)] }
    run?.failure = error
    return []
  }
}

// MARK: - Checking

extension PagerStateMachine {
  /// Lets a check follow the change of a page, if there are other pages.
  private mutating func willChange(_ number: Int) -> [Action] {
    guard mergesLists else { return [] }
    if case .reserved(let load, _) = loading {
      loading = .reserved(load: load, isOutdated: true)
    }
    if check != nil {
      check?.changed.insert(number)
      check?.isOutdated = true
      return []
    }
    guard !next.isEmpty || !previous.isEmpty || incoming != nil || prefetched != nil else {
      return []
    }
    check = Check(before: shown, lastNumber: lastNumber, changed: [number])
    return [.check]
  }

  /// Returns the pages that may not follow any more, or `nil` if there is nothing to check.
  ///
  /// Pages whose fetch has only begun, and prefetched ones, are among them. A page behind one that
  /// has not changed still follows.
  mutating func takeLinks() -> [Link]? {
    guard let check else { return nil }
    self.check?.isOutdated = false
    let now = shown
    var links: [Link] = []
    for direction in [PaginationDirection.next, .previous] {
      for (index, page) in (now.pages(direction) + unshown(direction)).enumerated() {
        guard let front = now.number(before: index, direction), check.changed.contains(front),
          let end = now.end(before: index, direction)
        else { continue }
        // Otherwise the query of the page was not chosen from what was before.
        let isSame =
          page.number <= check.lastNumber
          && check.before.number(before: index, direction) == front
        links.append(
          Link(
            page: page.number, query: page.query, direction: direction, now: end,
            before: isSame ? check.before.end(before: index, direction) : nil))
      }
    }
    return links
  }

  /// Removes the pages that do not follow with those behind them, ends the load of one of them, and
  /// delivers what was held back.
  ///
  /// - Parameter broken: The numbers of the pages that do not follow.
  /// - Returns: The actions, or `nil` if a page has changed since ``takeLinks()``, and the check
  ///   has to be repeated.
  mutating func endCheck(_ broken: Set<Int>) -> [Action]? {
    guard let check else { return [] }
    guard !check.isOutdated else { return nil }
    self.check = nil
    let count = next.count + previous.count
    let removed =
      removePages(.next, fromFirstOf: broken) + removePages(.previous, fromFirstOf: broken)
    var actions = removed.map { Action.retire(page: $0) }
    if next.count + previous.count < count { actions.append(.shortenList) }
    if let output = check.output {
      actions += deliver(
        makeOutput(updated: output.lastUpdatedPage), errorsAlone: check.errorsAlone)
    }
    if case .page(let load, let number) = loading, removed.contains(number) {
      loading = .none
      actions.append(.end(load: load, .cancelled))
    }
    return actions
  }

  /// Removes the pages in a direction from the first one that does not follow.
  ///
  /// - Returns: Their numbers.
  private mutating func removePages(
    _ direction: PaginationDirection, fromFirstOf broken: Set<Int>
  ) -> [Int] {
    let numbers = (pages(direction) + unshown(direction)).map(\.number)
    guard let first = numbers.firstIndex(where: broken.contains) else { return [] }
    change(direction) { $0 = Array($0.prefix(first)) }
    if incoming?.direction == direction { incoming = nil }
    if prefetched?.direction == direction { prefetched = nil }
    return Array(numbers[first...])
  }

  /// The pages beyond an end of the list that are not shown: one that is loaded or prefetched.
  private func unshown(_ direction: PaginationDirection) -> [Page] {
    [incoming, prefetched].compactMap { $0 }.filter { $0.direction == direction }
  }
}

// MARK: - Events of watches

extension PagerStateMachine {
  /// Handles a result of the initial page's watch.
  ///
  /// - Parameters:
  ///   - result: The result, or `nil` if only the fetch has begun or ended.
  ///   - isFetching: Whether the page is being fetched.
  ///   - isResponse: Whether the result is a response to that, rather than a change of the cache.
  ///   - number: The page.
  /// - Returns: The actions to perform.
  mutating func received(
    _ result: Result<Initial, any Error>?, isFetching: Bool, isResponse: Bool = true,
    initialPage number: Int
  ) -> [Action] {
    guard var page = initial, page.number == number else { return [] }
    var actions: [Action] = []
    switch result {
    case .success(let response):
      let beginsList = page.isRefetched && (isResponse || !isFetching) && response.data != nil
      if !beginsList, response.data != nil { actions += willChange(number) }
      page.errorsAlone = response.errorsAlone
      page.response = response.keepingData(of: page.response)
      page.failure = nil
      initial = page
      if beginsList { actions += beginList() }
      actions += deliver(
        makeOutput(updated: page.response.map { .initial($0) }), errorsAlone: page.errorsAlone)
    case .failure(let error):
      page.failure = error
      initial = page
      actions += fail(error)
    case nil: break
    }
    guard !isFetching, !page.loads.isEmpty else { return actions }
    initial?.loads = []
    let (changes, end) =
      initial?.isRefetched == true
      ? refetchEnded(page) : ([], outcome(page.failure, page.response))
    return actions + changes + page.loads.map { .end(load: $0, end) }
  }

  /// Ends a refetch that has brought no other data.
  private mutating func refetchEnded(_ page: InitialPage) -> ([Action], LoadOutcome) {
    initial?.isRefetched = false
    if let error = page.failure { return ([], .failed(error)) }
    if let errors = page.errorsAlone { return ([], .withoutData(errors)) }
    return (beginList() + deliver(makeOutput(updated: nil)), .loaded)
  }

  /// Handles a result of another page's watch.
  mutating func received(
    _ result: Result<Paginated, any Error>?, isFetching: Bool, page number: Int
  ) -> [Action] {
    if prefetched?.number == number { return receivedPrefetched(result, isFetching) }
    var actions: [Action] = []
    switch result {
    case .success(let response)?:
      if incoming?.number == number {
        actions += receivedIncoming(response, isFetching: isFetching)
      } else {
        actions += replace(number, by: response)
      }
    case .failure(let error)?:
      guard isKnown(number) else { return [] }
      setFailure(error, of: number)
      actions += fail(error)
    case nil: break
    }
    return isFetching ? actions : actions + fetchEnded(number)
  }

  private mutating func receivedPrefetched(
    _ result: Result<Paginated, any Error>?, _ isFetching: Bool
  ) -> [Action] {
    guard var page = prefetched else { return [] }
    page.isFetching = isFetching
    switch result {
    case .success(let response)? where response.data != nil: page.response = response
    case .success?, .failure?:
      // The load of the page fetches it again, and reports the error of that.
      prefetched = nil
      return [.retire(page: page.number)]
    case nil: break
    }
    prefetched = page
    return []
  }

  /// Handles a response of the page of the current load, which is not shown yet.
  private mutating func receivedIncoming(
    _ response: Paginated, isFetching: Bool
  ) -> [Action] {
    guard let page = incoming else { return [] }
    if page.ignoresCache, isFetching, response.source == .cache {
      incoming?.response = response
      return []
    }
    return show(response, of: page)
  }

  /// Shows the page of the current load, in place of pages without data that are at its end, and of
  /// one with the same query, for which the cache has had data in the meantime.
  private mutating func show(_ response: Paginated, of page: Page) -> [Action] {
    incoming = nil
    var page = page
    page.response = response
    page.failure = nil
    var actions: [Action] = []
    while let last = pages(page.direction).last,
      last.response?.data == nil || last.query == page.query
    {
      page.response = page.response?.keepingData(of: last.response)
      actions.append(.retire(page: last.number))
      change(page.direction) { _ = $0.removeLast() }
    }
    change(page.direction) { $0.append(page) }
    return actions
      + deliver(
        makeOutput(updated: page.response.map { .paginated($0) }),
        errorsAlone: response.errorsAlone)
  }

  private mutating func replace(_ number: Int, by response: Paginated) -> [Action] {
    for direction in [PaginationDirection.next, .previous] {
      guard let index = pages(direction).lastIndex(where: { $0.number == number }) else { continue }
      let check = response.data == nil ? [] : willChange(number)
      let new = response.keepingData(of: pages(direction)[index].response)
      change(direction) {
        $0[index].response = new
        $0[index].failure = nil
      }
      return check
        + deliver(makeOutput(updated: .paginated(new)), errorsAlone: response.errorsAlone)
    }
    return []
  }

  /// Ends the load of a page, if it is the current one.
  private mutating func fetchEnded(_ number: Int) -> [Action] {
    guard case .page(let load, number) = loading else { return [] }
    loading = .none
    var actions: [Action] = []
    if let page = incoming {
      incoming = nil
      guard page.failure == nil, let response = page.response else {
        return [.retire(page: number), .end(load: load, outcome(page.failure, page.response))]
      }
      actions += show(response, of: page)  // the server has the same data
    }
    let page = (next + previous).last { $0.number == number }
    return actions + [.end(load: load, outcome(page?.failure, page?.response))]
  }

  private func outcome<Query>(
    _ failure: (any Error)?, _ response: GraphQLResponse<Query>?
  ) -> LoadOutcome {
    if let failure { return .failed(failure) }
    return response?.data == nil ? .withoutData(response?.errors ?? []) : .loaded
  }

  private mutating func setFailure(_ error: any Error, of number: Int) {
    if incoming?.number == number { incoming?.failure = error }
    for direction in [PaginationDirection.next, .previous] {
      if let index = pages(direction).lastIndex(where: { $0.number == number }) {
        change(direction) { $0[index].failure = error }
      }
    }
  }

  private func isKnown(_ number: Int) -> Bool {
    incoming?.number == number || next.contains { $0.number == number }
      || previous.contains { $0.number == number }
  }

  private func pages(_ direction: PaginationDirection) -> [Page] {
    switch direction {
    case .next: next
    case .previous: previous
    }
  }

  private mutating func change(_ direction: PaginationDirection, _ body: (inout [Page]) -> Void) {
    switch direction {
    case .next: body(&next)
    case .previous: body(&previous)
    }
  }

  private var shown: Shown { Shown(initial: initial, next: next, previous: previous) }

  /// Returns the pages that are shown, or `nil` before the initial one.
  private func makeOutput(updated: Output.QueryWrapper?) -> Output? {
    shown.output(updated: updated)
  }
}

/// The end of a load.
enum LoadOutcome: Sendable {
  case loaded
  /// The server responded with errors alone.
  case withoutData([GraphQLError])
  case failed(any Error)
  case cancelled
}

extension GraphQLResponse {
  /// The errors, if there is no data.
  fileprivate var errorsAlone: [GraphQLError]? { data == nil ? errors ?? [] : nil }

  /// Returns this response or, if it has no data, the earlier data with the errors of this
  /// response.
  fileprivate func keepingData(of earlier: GraphQLResponse?) -> GraphQLResponse {
    guard data == nil, var kept = earlier, kept.data != nil else { return self }
    kept.errors = errors
    return kept
  }
}
