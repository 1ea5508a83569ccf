/// A pager whose queries are hidden behind the model that it delivers.
///
/// Loads are started without suspension, so that a program's calls take effect in their order, and
/// are waited for by their numbers. `PagerCore` alone conforms: it is generic over the queries, and
/// the pager of a program over its model.
protocol Paging<Model>: AnyObject, Sendable {
  associatedtype Model: Sendable

  var deliveries: Deliveries<Model> { get }

  func canLoad(_ direction: PaginationDirection) -> Bool

  /// Starts to fetch the initial page, in place of all pages, which stay until it arrives.
  ///
  /// - Returns: The number of the load, or `nil` if the pager is closed.
  func startInitialPage(_ fetch: PageFetch) -> Int?

  /// Waits for the load of the initial page that is under way, or starts one.
  ///
  /// - Returns: The number of the load, or `nil` if the pager is closed.
  func joinInitialPage(_ fetch: PageFetch) throws(PaginationError) -> Int?

  /// Starts to fetch the page beyond an end of the list.
  ///
  /// - Returns: The number of the load.
  func start(_ direction: PaginationDirection, _ fetch: PageFetch) throws(PaginationError) -> Int

  /// Returns at the end of a load. Cancelling the task cancels the load.
  func outcome(of load: Int) async -> LoadOutcome

  /// Starts to fetch all pages.
  func startRun(fromInitialPage: Bool) throws(PaginationError) -> PagerRun

  /// Fetches all pages, and delivers them at the end.
  func finish(_ run: PagerRun) async throws(PaginationError)

  /// Starts to fetch the page beyond an end of the list, which the next load shows.
  func prefetch(_ direction: PaginationDirection, _ fetch: PageFetch)

  /// Removes all pages and cancels all loads.
  func reset()

  /// The number of sessions of users that have ended.
  var sessionCount: Int { get }

  /// The number of times that all pages, or those at an end of the list, were removed. It tells one
  /// list from the next.
  var resetCount: Int { get }

  /// Returns whether the page behind the first ones, from the initial page on, is still the one
  /// that followed them in an earlier model.
  func follows(_ count: Int, of earlier: Model) -> Bool

  /// Returns whether there are more pages with data than the first ones, from the initial page on.
  /// Those that are not delivered yet count, too.
  func hasPages(behind count: Int) -> Bool

  /// Cancels all loads and ends all subscriptions, for good.
  func close()
}

extension Paging {
  /// Fetches the page beyond an end of the list.
  func load(
    _ direction: PaginationDirection, _ fetch: PageFetch
  ) async throws(PaginationError) -> LoadOutcome {
    let outcome = await outcome(of: try start(direction, fetch))
    if outcome.isCancelled { throw .cancellation }
    return outcome
  }
}

/// A run of `loadAll`.
struct PagerRun: Sendable {
  let number: Int
  /// The load of the initial page, if the run begins with it.
  let initialLoad: Int?
}
