import ApolloAPI
import CatalogAPI
import SeededRandom
import Testing

@testable import ApolloPagination

private typealias Machine = PagerStateMachine<ProductsQuery, ProductsQuery>
private typealias Response = GraphQLResponse<ProductsQuery>

private struct Failure: Error {}

private func response(
  _ ids: String..., errors: Int = 0, source: ResultSource = .server
) throws -> Response {
  let edges = ids.map { id in
    [
      "__typename": "ProductEdge",
      "node": ["__typename": "Product", "id": id, "name": id, "category": "Toys"],
    ] as [String: Any]
  }
  let data = try ProductsQuery.Data(jsonObject: [
    "products": [
      "__typename": "ProductConnection", "totalCount": 9, "edges": edges,
      "pageInfo": ["__typename": "PageInfo", "hasNextPage": true, "hasPreviousPage": true],
    ]
  ])
  return Response(
    data: data, errors: errors == 0 ? nil : [notNow], source: source)
}

private let notNow = GraphQLError(message: "Not now.")

private let errorsAlone = Response(data: nil, errors: [notNow], source: .server)

/// A query that differs from others by its number.
private func query(_ number: Int) -> ProductsQuery { ProductsQuery(first: .some(number)) }

extension Machine.Action {
  /// A short text: the identifiers of the pages, `failure`, the end of a load, or `retire`.
  fileprivate var summary: String {
    switch self {
    case .deliver(let output, _):
      let pages = output.allPages.map { $0.data?.ids.joined() ?? "–" }
      return pages.joined(separator: " ") + (output.allErrors.isEmpty ? "" : " with errors")
    case .fail: return "failure"
    case .end(_, let outcome):
      switch outcome {
      case .loaded: return "loaded"
      case .withoutData: return "loaded without data"
      case .failed: return "failed"
      case .cancelled: return "cancelled"
      case .outdated: return "outdated"
      }
    case .retire: return "retire"
    case .beginList: return "begin list"
    case .check: return "check"
    case .shortenList: return "shorten list"
    }
  }
}

@Suite struct PagerStateMachineTests {
  private var machine = Machine(query(0))

  /// Shows the initial page "a".
  private mutating func start() throws {
    let (_, page, _) = machine.restart()
    _ = machine.received(.success(try response("a")), isFetching: false, initialPage: page)
  }

  /// Begins to load a page. Returns its number, or `nil` if it was adopted.
  private mutating func begin(
    _ number: Int, _ direction: PaginationDirection = .next
  ) throws -> (load: Int, page: Int) {
    let (load, _) = try machine.reserve(direction)
    guard case .fetch(let page, _) = machine.begin(load, query(number), direction) else {
      throw Failure()
    }
    return (load, page)
  }

  private func summaries(_ actions: [Machine.Action]) -> [String] { actions.map(\.summary) }

  @Test mutating func aPageThatFailedAfterItsCachedDataStays() throws {
    try start()
    let (_, page) = try begin(1)
    #expect(
      summaries(machine.received(.success(try response("b")), isFetching: true, page: page))
        == ["a b"])
    #expect(
      summaries(machine.received(.failure(Failure()), isFetching: false, page: page))
        == ["failure", "failed"])
    guard case .paginated(let data, _)? = machine.end(.next) else { throw Failure() }
    #expect(data.ids == ["b"])
  }

  @Test mutating func errorsAloneKeepTheDataOfAPage() throws {
    try start()
    let (_, page) = try begin(1)
    _ = machine.received(.success(try response("b")), isFetching: true, page: page)
    #expect(
      summaries(machine.received(.success(errorsAlone), isFetching: false, page: page))
        == ["a b with errors", "loaded"])
  }

  @Test mutating func aPageWithoutDataIsReplacedByTheNextLoad() throws {
    try start()
    let (_, page) = try begin(1)
    #expect(
      summaries(machine.received(.success(errorsAlone), isFetching: false, page: page))
        == ["a – with errors", "loaded without data"])
    let (_, again) = try begin(1)
    #expect(
      summaries(machine.received(.success(try response("b")), isFetching: false, page: again))
        == ["retire", "a b", "loaded"])
  }

  @Test mutating func aPageForWhichTheCacheHasDataInTheMeantimeIsReplaced() throws {
    try start()
    let (_, page) = try begin(1)
    _ = machine.received(.success(errorsAlone), isFetching: false, page: page)
    let (_, again) = try begin(1)
    #expect(
      summaries(machine.received(.success(try response("b")), isFetching: false, page: page))
        == ["a b"])
    #expect(
      summaries(machine.received(.success(errorsAlone), isFetching: true, page: again))
        == ["retire", "a b with errors"])
    #expect(
      summaries(machine.received(.success(try response("B")), isFetching: false, page: again))
        == ["a B", "loaded"])
  }

  @Test mutating func errorsAloneAreDeliveredWithThePages() throws {
    try start()
    let (_, page) = try begin(1)
    let actions = machine.received(.success(errorsAlone), isFetching: false, page: page)
    guard case .deliver(_, let errors)? = actions.first else { throw Failure() }
    #expect(errors == [notNow])
  }

  @Test mutating func aFailedPageIsRemoved() throws {
    try start()
    let (_, page) = try begin(1)
    #expect(
      summaries(machine.received(.failure(Failure()), isFetching: false, page: page))
        == ["failure", "retire", "failed"])
    #expect(!machine.contains(page))
    #expect(machine.received(.success(try response("b")), isFetching: false, page: page).isEmpty)
  }

  @Test mutating func aFailedPrefetchShowsNothingAndIsFetchedAgain() throws {
    try start()
    let (load, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(load, query(1), .next)?.page)
    #expect(
      summaries(machine.received(.failure(Failure()), isFetching: false, page: page))
        == ["retire"])
    let (_, other) = try begin(1)
    #expect(other != page)
  }

  @Test mutating func aPrefetchedPageIsAdopted() throws {
    try start()
    let (load, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(load, query(1), .next)?.page)
    #expect(machine.received(.success(try response("b")), isFetching: false, page: page).isEmpty)
    let (next, _) = try machine.reserve(.next)
    guard case .adopted(let actions) = machine.begin(next, query(1), .next) else { throw Failure() }
    #expect(summaries(actions) == ["a b", "loaded"])
    #expect(
      summaries(machine.received(.success(try response("c")), isFetching: false, page: page))
        == ["a c"])
  }

  @Test mutating func aPrefetchOfAnotherQueryIsDropped() throws {
    try start()
    let (load, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(load, query(1), .next)?.page)
    _ = try begin(2)
    #expect(!machine.contains(page))
  }

  /// Prefetches the page "b", of which the cache has delivered something.
  private mutating func prefetch() throws -> Int {
    let (load, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(load, query(1), .next)?.page)
    _ = machine.received(
      .success(try response("b", source: .cache)), isFetching: true, page: page)
    return page
  }

  /// Begins a load that adopts the prefetched page "b".
  private mutating func adopt(ignoresCache: Bool) throws -> [Machine.Action] {
    let (load, _) = try machine.reserve(.next)
    let start = machine.begin(load, query(1), .next, ignoresCache: ignoresCache)
    guard case .adopted(let actions) = start else { throw Failure() }
    return actions
  }

  @Test mutating func aPrefetchedPageOfTheCacheIsRenewedByItsLoad() throws {
    try start()
    let page = try prefetch()
    #expect(summaries(try adopt(ignoresCache: false)) == ["a b"])
    #expect(
      summaries(machine.received(.success(try response("B")), isFetching: false, page: page))
        == ["a B", "loaded"])
  }

  @Test mutating func aLoadThatIgnoresTheCacheShowsTheResponseAlone() throws {
    try start()
    let page = try prefetch()
    #expect(try adopt(ignoresCache: true).isEmpty)
    let change = try response("c", source: .cache)
    #expect(machine.received(.success(change), isFetching: true, page: page).isEmpty)
    #expect(
      summaries(machine.received(.success(try response("B")), isFetching: false, page: page))
        == ["a B", "loaded"])
  }

  @Test mutating func aLoadThatIgnoresTheCacheShowsWhatTheServerHasConfirmed() throws {
    try start()
    let page = try prefetch()
    #expect(try adopt(ignoresCache: true).isEmpty)
    #expect(summaries(machine.received(nil, isFetching: false, page: page)) == ["a b", "loaded"])
  }

  @Test mutating func aLoadThatIgnoresTheCacheShowsNothingIfTheServerFails() throws {
    try start()
    let page = try prefetch()
    #expect(try adopt(ignoresCache: true).isEmpty)
    #expect(
      summaries(machine.received(.failure(Failure()), isFetching: false, page: page))
        == ["failure", "retire", "failed"])
  }

  @Test mutating func aPrefetchIsGivenBackByALoadThatIsCancelledBeforeItIsShown() throws {
    try start()
    let (prefetch, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(prefetch, query(1), .next)?.page)
    let (load, _) = try machine.reserve(.next)
    guard case .adopted = machine.begin(load, query(1), .next) else { throw Failure() }
    #expect(machine.page(of: load) == nil, "Its fetch goes on.")
    #expect(summaries(machine.cancel(load)) == ["cancelled"])
    #expect(machine.received(.success(try response("b")), isFetching: false, page: page).isEmpty)
    let (next, _) = try machine.reserve(.next)
    guard case .adopted(let actions) = machine.begin(next, query(1), .next) else { throw Failure() }
    #expect(summaries(actions) == ["a b", "loaded"])
  }

  // MARK: Loads of others

  @Test mutating func loadsThatJoinTheInitialPageEndWithIt() throws {
    let (_, page, _) = machine.restart()
    let joined = try machine.joinInitialPage()
    #expect(joined?.1.isEmpty == true)
    #expect(
      summaries(
        machine.received(.success(try response("a")), isFetching: false, initialPage: page))
        == ["a", "loaded", "loaded"])
    let late = try machine.joinInitialPage()
    #expect(late.map { summaries($0.1) } == ["loaded"])
  }

  @Test mutating func theFetchOfTheInitialPageIsCancelledWithItsLastLoad() throws {
    let (load, page, _) = machine.restart()
    let joined = try machine.joinInitialPage()
    let (other, _) = try #require(joined)
    #expect(machine.page(of: load) == nil)
    #expect(summaries(machine.cancel(load)) == ["cancelled"])
    #expect(machine.page(of: other) == page)
  }

  @Test mutating func duringARunOnlyItsOwnLoadsAreReserved() throws {
    try start()
    let run = machine.beginRun()
    #expect(throws: PaginationError.self) { try machine.reserve(.next) }
    #expect(throws: PaginationError.self) { try machine.joinInitialPage() }
    let (load, _) = try machine.reserve(.next, in: run)
    machine.release(load)
    _ = machine.endRun(run)
    #expect(throws: PaginationError.self) { try machine.reserve(.next, in: run) }
    _ = try machine.reserve(.next)
  }

  /// The watch of a shown page fetches it again, which fails before or after another result.
  @Test(arguments: [false, true])
  mutating func aFailureDuringARunIsReportedInItsOrder(isLast: Bool) throws {
    try start()
    let (_, page) = try begin(1)
    _ = machine.received(.success(try response("b")), isFetching: false, page: page)
    let run = machine.beginRun()
    let results: [Result<Response, any Error>] = [
      .failure(Failure()), .success(try response("B")),
    ]
    for result in isLast ? results.reversed() : results {
      let held = machine.received(result, isFetching: false, page: page)
      #expect(held.isEmpty)
    }
    let expected = isLast ? ["a B", "failure"] : ["failure", "a B"]
    #expect(summaries(machine.endRun(run)) == expected)
  }

  // MARK: Refetching

  /// Shows the pages "a" and "b", and begins to fetch the first one again.
  private mutating func startRefetch() throws -> (initial: Int, next: Int, load: Int) {
    try start()
    let (_, next) = try begin(1)
    _ = machine.received(.success(try response("b")), isFetching: false, page: next)
    let initial = try #require(machine.shownInitialPage)
    let started = machine.refetch(page: initial)
    let (load, actions) = try #require(started)
    #expect(actions.isEmpty)
    return (initial, next, load)
  }

  @Test mutating func thePagesStayUntilTheResponseToARefetch() throws {
    let (initial, next, _) = try startRefetch()
    #expect(
      summaries(machine.received(.success(try response("B")), isFetching: false, page: next))
        == ["a B"])
    #expect(
      summaries(
        machine.received(
          .success(try response("A")), isFetching: true, isResponse: false, initialPage: initial))
        == ["A B"], "a change of the cache")
    #expect(
      summaries(
        machine.received(.success(try response("x")), isFetching: true, initialPage: initial))
        == ["retire", "begin list", "x"])
    #expect(summaries(machine.received(nil, isFetching: false, initialPage: initial)) == ["loaded"])
    #expect(machine.received(.success(try response("b")), isFetching: false, page: next).isEmpty)
  }

  @Test mutating func aRefetchWithoutNewDataEndsWithTheFirstPage() throws {
    let (initial, _, _) = try startRefetch()
    #expect(
      summaries(machine.received(nil, isFetching: false, initialPage: initial))
        == ["retire", "begin list", "a", "loaded"])
  }

  @Test mutating func aReadingAtTheEndOfARefetchBeginsTheList() throws {
    let (initial, _, _) = try startRefetch()
    #expect(
      summaries(
        machine.received(
          .success(try response("x")), isFetching: false, isResponse: false, initialPage: initial))
        == ["retire", "begin list", "x", "loaded"])
  }

  @Test mutating func thePagesStayAfterARefetchThatFails() throws {
    let (initial, next, _) = try startRefetch()
    #expect(
      summaries(machine.received(.failure(Failure()), isFetching: false, initialPage: initial))
        == ["failure", "failed"])
    #expect(machine.contains(next))
    #expect(
      summaries(
        machine.received(
          .success(try response("A")), isFetching: false, isResponse: false, initialPage: initial))
        == ["A b"])
  }

  @Test mutating func errorsAloneKeepThePages() throws {
    let (initial, next, _) = try startRefetch()
    #expect(
      summaries(machine.received(.success(errorsAlone), isFetching: true, initialPage: initial))
        == ["a b with errors"])
    #expect(
      summaries(machine.received(nil, isFetching: false, initialPage: initial))
        == ["loaded without data"])
    // The same errors are not reported again.
    _ = machine.refetch(page: initial)
    #expect(
      summaries(machine.received(nil, isFetching: false, initialPage: initial))
        == ["loaded without data"])
    #expect(machine.contains(next))
  }

  @Test mutating func thePagesStayAfterTheCancellationOfARefetch() throws {
    let (initial, next, load) = try startRefetch()
    #expect(summaries(machine.cancel(load)) == ["cancelled"])
    #expect(machine.received(nil, isFetching: false, initialPage: initial).isEmpty)
    #expect(machine.contains(next))
  }

  @Test mutating func aPageThatIsLoadedDuringARefetchEndsWithTheList() throws {
    let (initial, _, _) = try startRefetch()
    let (_, page) = try begin(2)
    #expect(
      summaries(
        machine.received(.success(try response("x")), isFetching: false, initialPage: initial))
        == ["retire", "cancelled", "retire", "begin list", "x", "loaded"])
    #expect(!machine.contains(page))
  }

  /// As `loadAll` does that begins with the initial page.
  @Test(arguments: [false, true])
  mutating func aRunReportsNoErrorOfThePagesThatItReplaces(isFailure: Bool) throws {
    let (initial, next, _) = try startRefetch()
    let run = machine.beginRun()
    let result: Result<Response, any Error> =
      isFailure ? .failure(Failure()) : .success(errorsAlone)
    let held = machine.received(result, isFetching: false, page: next)
    #expect(held.isEmpty)
    _ = machine.received(.success(try response("x")), isFetching: false, initialPage: initial)
    let actions = machine.endRun(run)
    #expect(summaries(actions) == ["x"])
    guard case .deliver(_, let errors)? = actions.first else { throw Failure() }
    #expect(errors == nil)
  }

  @Test mutating func aRefetchEndsTheLoadsBeforeIt() throws {
    let (initial, _, _) = try startRefetch()
    _ = try begin(2)
    let started = machine.refetch(page: initial)
    let (_, actions) = try #require(started)
    #expect(summaries(actions) == ["cancelled", "retire", "cancelled"])
  }

  @Test mutating func loadsOfBothDirectionsExcludeEachOther() throws {
    try start()
    _ = try begin(1)
    #expect(throws: PaginationError.self) { try machine.reserve(.previous) }
  }

  @Test mutating func aReservationOfBeforeAResetBeginsNothing() throws {
    try start()
    let (load, _) = try machine.reserve(.next)
    #expect(summaries(machine.reset()) == ["retire"], "Nobody waits for the load yet.")
    guard case .cancelled = machine.begin(load, query(1), .next) else { throw Failure() }
  }

  // MARK: Checking

  /// Shows the pages "a", "b" and "c" of a merged list. Returns their numbers.
  private mutating func startMerged(_ direction: PaginationDirection = .next) throws -> [Int] {
    machine = Machine(query(0), mergesLists: true)
    try start()
    let initial = try #require(machine.shownInitialPage)
    var pages = [initial]
    for (number, id) in [(1, "b"), (2, "c")] {
      let (_, page) = try begin(number, direction)
      _ = machine.received(.success(try response(id)), isFetching: false, page: page)
      pages.append(page)
    }
    return pages
  }

  /// Changes one of the pages to "A", "B" or "C".
  private mutating func change(_ pages: [Int], at index: Int) throws -> [String] {
    let new = try response(["A", "B", "C"][index])
    return summaries(
      index == 0
        ? machine.received(
          .success(new), isFetching: false, isResponse: false, initialPage: pages[0])
        : machine.received(.success(new), isFetching: false, page: pages[index]))
  }

  /// The numbers of the pages that the closures are asked about.
  private mutating func links() -> [Int] { machine.takeLinks()?.map(\.page) ?? [] }

  struct Change: Sendable {
    let direction: PaginationDirection
    /// The index of the page that changes, from the initial one on.
    let index: Int
    /// Indicates whether the page behind it follows.
    let isFollowed: Bool
    let actions: [String]

    init(
      _ direction: PaginationDirection, _ index: Int, isFollowed: Bool, _ actions: [String]
    ) {
      (self.direction, self.index) = (direction, index)
      (self.isFollowed, self.actions) = (isFollowed, actions)
    }
  }

  @Test(arguments: [
    Change(.next, 0, isFollowed: true, ["A b c"]),
    Change(.next, 1, isFollowed: true, ["a B c"]),
    Change(.next, 2, isFollowed: true, ["a b C"]),
    Change(.next, 0, isFollowed: false, ["retire", "retire", "shorten list", "A"]),
    Change(.next, 1, isFollowed: false, ["retire", "shorten list", "a B"]),
    Change(.previous, 0, isFollowed: true, ["c b A"]),
    Change(.previous, 1, isFollowed: true, ["c B a"]),
    Change(.previous, 2, isFollowed: true, ["C b a"]),
    Change(.previous, 0, isFollowed: false, ["retire", "retire", "shorten list", "A"]),
    Change(.previous, 1, isFollowed: false, ["retire", "shorten list", "B a"]),
  ])
  mutating func pagesThatDoNotFollowAreRemoved(_ change: Change) throws {
    let pages = try startMerged(change.direction)
    let changes = try self.change(pages, at: change.index)
    #expect(changes == ["check"], "The result is held.")
    let behind = Array(pages.dropFirst(change.index + 1))
    let asked = links()
    #expect(asked == Array(behind.prefix(1)))
    let actions = machine.endCheck(change.isFollowed ? [] : Set(asked))
    #expect(actions.map { summaries($0) } == change.actions)
    for page in behind {
      #expect(machine.contains(page) == change.isFollowed)
      guard !change.isFollowed else { continue }
      let late = machine.received(.success(try response("x")), isFetching: false, page: page)
      #expect(late.isEmpty)
    }
  }

  @Test mutating func theInitialPageOfAListInBothDirectionsHasPagesBehindItOnBothSides() throws {
    let pages = try startMerged()
    let (_, page) = try begin(3, .previous)
    _ = machine.received(.success(try response("z")), isFetching: false, page: page)
    _ = try change(pages, at: 0)
    let asked = links()
    #expect(asked == [pages[1], page])
    let actions = machine.endCheck([pages[1]])
    #expect(actions.map { summaries($0) } == ["retire", "retire", "shorten list", "z A"])
  }

  @Test mutating func aLinkHasThePageBeforeAndAfterItsChange() throws {
    let pages = try startMerged()
    _ = try change(pages, at: 1)
    let taken = machine.takeLinks()
    let links = try #require(taken)
    guard case .paginated(let now, let output)? = links.first?.now,
      case .paginated(let before, _)? = links.first?.before
    else { throw Failure() }
    #expect(now.ids == ["B"] && before.ids == ["b"])
    #expect(output?.allData.flatMap(\.ids) == ["a", "B"])
    #expect(links.first?.query == query(2))
  }

  @Test mutating func aLinkOfALaterPageHasNoPageOfBeforeTheChange() throws {
    let pages = try startMerged()
    _ = try change(pages, at: 2)
    let (_, page) = try begin(3)
    let taken = machine.takeLinks()
    let links = try #require(taken)
    #expect(links.map(\.page) == [page])
    guard case nil = links.first?.before else { throw Failure() }
  }

  @Test mutating func aChangeDuringACheckRepeatsIt() throws {
    let pages = try startMerged()
    _ = try change(pages, at: 0)
    let first = links()
    let more = try change(pages, at: 1)
    #expect(more.isEmpty, "The result is held.")
    let outdated = machine.endCheck(Set(first))
    #expect(outdated.map { summaries($0) } == nil)
    let asked = links()
    #expect(asked == [pages[1], pages[2]])
    let actions = machine.endCheck([])
    #expect(actions.map { summaries($0) } == ["A B c"])
    let rest = links()
    #expect(rest.isEmpty)
  }

  /// While the closures are asked, another list begins, and a page of it changes.
  @Test mutating func theEndOfAnEarlierCheckDoesNotEndALaterOne() throws {
    let pages = try startMerged()
    _ = try change(pages, at: 0)
    _ = links()
    try start()
    let initial = try #require(machine.shownInitialPage)
    let (_, page) = try begin(1)
    _ = machine.received(.success(try response("b")), isFetching: false, page: page)
    _ = try change([initial], at: 0)
    let earlier = machine.endCheck([pages[1]])
    #expect(earlier.map { summaries($0) } == nil)
    let asked = links()
    #expect(asked == [page])
    let actions = machine.endCheck([page])
    #expect(actions.map { summaries($0) } == ["retire", "shorten list", "A"])
  }

  @Test(arguments: [false, true])
  mutating func aFailureDuringACheckIsReportedInItsOrder(isLast: Bool) throws {
    let pages = try startMerged()
    _ = try change(pages, at: 0)
    let failed = machine.received(.failure(Failure()), isFetching: false, page: pages[1])
    #expect(failed.isEmpty, "It comes after the result that is held.")
    if !isLast { _ = try change(pages, at: 2) }
    _ = machine.takeLinks()
    let actions = machine.endCheck([])
    let expected = isLast ? ["A b c", "failure"] : ["failure", "A b C"]
    #expect(actions.map { summaries($0) } == expected)
  }

  @Test mutating func aFailureDuringACheckStaysInItsOrderWhenARunEnds() throws {
    let pages = try startMerged()
    let run = machine.beginRun()
    _ = try change(pages, at: 0)
    _ = machine.received(.failure(Failure()), isFetching: false, page: pages[1])
    let held = machine.endRun(run)
    #expect(held.isEmpty)
    _ = machine.takeLinks()
    let actions = machine.endCheck([])
    #expect(actions.map { summaries($0) } == ["A b c", "failure"])
  }

  @Test mutating func aPageThatIsFetchedBehindAChangedOneEndsItsLoad() throws {
    let pages = try startMerged()
    let (_, page) = try begin(3)
    _ = try change(pages, at: 2)
    let asked = links()
    #expect(asked == [page])
    let actions = machine.endCheck([page])
    #expect(actions.map { summaries($0) } == ["retire", "a b C", "outdated"])
    #expect(machine.received(.success(try response("d")), isFetching: false, page: page).isEmpty)
    _ = try begin(4)
  }

  @Test mutating func aPageThatIsShownAndFetchedIsRemovedWithItsLoad() throws {
    let pages = try startMerged()
    let (_, page) = try begin(3)
    _ = machine.received(.success(try response("d")), isFetching: true, page: page)
    _ = try change(pages, at: 1)
    _ = links()
    let actions = machine.endCheck([pages[2]])
    #expect(
      actions.map { summaries($0) } == ["retire", "retire", "shorten list", "a B", "outdated"])
    #expect(machine.received(nil, isFetching: false, page: page).isEmpty)
  }

  @Test mutating func aPrefetchedPageBehindAChangedOneIsDropped() throws {
    let pages = try startMerged()
    let (load, _) = try machine.reserve(.next)
    let page = try #require(machine.beginPrefetch(load, query(3), .next)?.page)
    _ = try change(pages, at: 2)
    let asked = links()
    #expect(asked == [page])
    let actions = machine.endCheck([page])
    #expect(actions.map { summaries($0) } == ["retire", "a b C"])
    #expect(!machine.contains(page))
  }

  @Test mutating func aQueryThatWasChosenBeforeAChangeIsChosenAgain() throws {
    let pages = try startMerged()
    let (load, _) = try machine.reserve(.next)
    _ = try change(pages, at: 2)
    guard case .outdated = machine.begin(load, query(3), .next) else { throw Failure() }
    _ = try begin(4)
  }

  @Test mutating func aRunDeliversThePagesThatFollow() throws {
    let pages = try startMerged()
    let run = machine.beginRun()
    _ = try change(pages, at: 0)
    _ = links()
    let actions = machine.endCheck([pages[1]])
    #expect(actions.map { summaries($0) } == ["retire", "retire", "shorten list"])
    #expect(summaries(machine.endRun(run)) == ["A"])
  }

  @Test mutating func aRunThatEndsDuringACheckIsDeliveredByIt() throws {
    let pages = try startMerged()
    let run = machine.beginRun()
    _ = try change(pages, at: 0)
    #expect(machine.endRun(run).isEmpty)
    _ = links()
    let actions = machine.endCheck([pages[1]])
    #expect(actions.map { summaries($0) } == ["retire", "retire", "shorten list", "A"])
  }

  @Test mutating func theResponseToARefetchNeedsNoCheck() throws {
    let pages = try startMerged()
    _ = try change(pages, at: 1)
    _ = machine.refetch(page: pages[0])
    #expect(
      summaries(
        machine.received(.success(try response("x")), isFetching: false, initialPage: pages[0]))
        == ["retire", "retire", "begin list", "x", "loaded"])
    let rest = links()
    #expect(rest.isEmpty)
  }

  @Test mutating func pagesOfOtherListsAreNotChecked() throws {
    let (initial, next, load) = try startRefetch()
    _ = machine.cancel(load)
    let actions = machine.received(
      .success(try response("A")), isFetching: false, isResponse: false, initialPage: initial)
    #expect(summaries(actions) == ["A b"])
    #expect(machine.contains(next))
  }

  /// In random order: starts, results, ends, cancellations, resets, prefetches and checks. Each
  /// load ends exactly once, a removed page is never shown, and pages stay where they were added.
  @Test func randomSchedulesEndEachLoadOnce() throws {
    for seed in (0..<200).map({ freshSeed &+ $0 }) {
      var random = SeededGenerator(seed: seed)
      var machine = Machine(query(0), mergesLists: seed.isMultiple(of: 2))
      var (started, ended, pages): (Set<Int>, Set<Int>, [(number: Int, isInitial: Bool)]) = (
        [], [], []
      )
      var (number, initial) = (0, -1)
      func take(_ actions: [Machine.Action]) {
        for case .end(let load, _) in actions {
          #expect(started.contains(load), "seed \(seed)")
          #expect(ended.insert(load).inserted, "seed \(seed)")
        }
        for case .retire(let page) in actions {
          #expect(!machine.contains(page), "seed \(seed)")
        }
        for case .deliver(let output, _) in actions {
          #expect(output.initialPage != nil, "seed \(seed)")
        }
      }
      for _ in 0..<200 {
        number += 1
        switch Int.random(in: 0..<12, using: &random) {
        case 0 where Bool.random(using: &random):
          guard let page = machine.shownInitialPage,
            let (load, actions) = machine.refetch(page: page)
          else { break }
          started.insert(load)
          take(actions)
        case 0:
          let (load, page, actions) = machine.restart()
          started.insert(load)
          initial = page
          pages = [(page, true)]
          take(actions)
        case 1 where Bool.random(using: &random): take(machine.reset())
        case 2, 3, 4:
          let direction: PaginationDirection = Bool.random(using: &random) ? .next : .previous
          guard let (load, _) = try? machine.reserve(direction) else { break }
          if Int.random(in: 0..<4, using: &random) == 0 {
            if let (page, actions) = machine.beginPrefetch(load, query(number), direction) {
              pages.append((page, false))
              take(actions)
            }
            break
          }
          let wanted = Bool.random(using: &random) ? query(number) : query(number - 1)
          switch machine.begin(load, wanted, direction) {
          case .fetch(let page, let actions):
            started.insert(load)
            pages.append((page, false))
            take(actions)
          case .adopted(let actions):
            started.insert(load)
            take(actions)
          case .repeated, .outdated, .cancelled: break
          }
        case 5:
          if let load = started.subtracting(ended).randomElement(using: &random) {
            take(machine.cancel(load))
          }
        case 6:
          guard let links = machine.takeLinks() else { break }
          let broken = links.map(\.page).filter { _ in Bool.random(using: &random) }
          take(machine.endCheck(Set(broken)) ?? [])
        default:
          guard let page = pages.randomElement(using: &random) else { break }
          let result: Result<Response, any Error>? =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .failure(Failure())
            case 1: .success(errorsAlone)
            case 2: .success(try response("\(page.number)"))
            default: nil
            }
          let isFetching = Bool.random(using: &random)
          take(
            page.isInitial && page.number == initial
              ? machine.received(result, isFetching: isFetching, initialPage: page.number)
              : machine.received(result, isFetching: isFetching, page: page.number))
        }
      }
      take(machine.reset())
      #expect(started == ended, "seed \(seed)")
    }
  }
}
