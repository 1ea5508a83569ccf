public import Apollo
import ApolloAPI
public import Observation

/// The items of a list that is loaded page by page, for a user interface that observes them.
///
/// ```swift
/// @MainActor private final class ProductScreen {
///   let pages: ObservablePages<Product>
///
///   init(_ pager: GraphQLQueryPager<[Product]>) { pages = ObservablePages(pager) }
///
///   var rows: [String] { pages.items.map(\.name) }
///   var hasSpinner: Bool { pages.isLoading }
///   var problem: String? { pages.error.map { "\($0)" } }
///
///   func rowAppeared(_ index: Int) { pages.itemAppeared(at: index) }
///   func pulledDown() async { await pages.refetch().value }
/// }
/// ```
///
/// The initial page is fetched when one of the properties is read for the first time. From then on,
/// the items follow the cache: results of mutations and optimistic data appear in the list. If a
/// page fails, the items stay, and the next call of ``loadNext()`` tries it again.
///
/// An item that is on two pages, because the list has changed between their loads, is shown once if
/// it is `Identifiable`: at its first place. Each property notifies observers only when it is set.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class ObservablePages<Item: Sendable> {
  /// The number of items before the end of the list at which ``itemAppeared(at:)`` loads more.
  @ObservationIgnored public var prefetchDistance = 10

  @ObservationIgnored private let pager: GraphQLQueryPager<[Item]>
  @ObservationIgnored private let unique: ([Item]) -> [Item]
  @ObservationIgnored private let news = Lock<[Delivery<[Item]>]>([])
  @ObservationIgnored private let signal: AsyncStream<Void>.Continuation
  @ObservationIgnored private let subscription: Int
  @ObservationIgnored private var hasStarted = false

  /// The session and the list to which the items and the error belong.
  @ObservationIgnored private var session = 0
  @ObservationIgnored private var list = 0

  /// The numbers of the latest load of the initial page, and of the latest load of any page.
  @ObservationIgnored private var initialLoad = 0
  @ObservationIgnored private var latestLoad = 0

  private var currentItems: [Item] = []
  private var currentError: (any Error)?
  private var currentErrors: [GraphQLError] = []
  /// The loads that are under way. The initial page is from the start, so that the first read need
  /// not change it.
  private var loading: Set<Part> = [.initialPage]
  private var ends = (next: false, previous: false)

  private enum Part {
    case initialPage, next, previous

    /// The direction of the load, or `nil` for the initial page.
    var direction: PaginationDirection? {
      switch self {
      case .initialPage: nil
      case .next: .next
      case .previous: .previous
      }
    }
  }

  /// Creates a list from a pager, which nothing else uses. Nothing is fetched before a property is
  /// read.
  ///
  /// - Parameter pager: The pager, which delivers the items of all pages.
  public convenience init(_ pager: GraphQLQueryPager<[Item]>) {
    self.init(pager, unique: { $0 })
  }

  /// Creates a list from a pager, which nothing else uses. Nothing is fetched before a property is
  /// read.
  ///
  /// - Parameter pager: The pager, which delivers the items of all pages.
  public convenience init(_ pager: GraphQLQueryPager<[Item]>) where Item: Identifiable {
    self.init(
      pager,
      unique: { items in
        var known: Set<Item.ID> = []
        return items.filter { known.insert($0.id).inserted }
      })
  }

  private init(_ pager: GraphQLQueryPager<[Item]>, unique: @escaping ([Item]) -> [Item]) {
    self.pager = pager
    self.unique = unique
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signal = signal
    subscription = pager.core.deliveries.subscribe(
      { [news] delivery in
        news.withLock { $0.append(delivery) }
        signal.yield()
      },
      drop: { [news] in
        signal.yield()  // there are no more pages
        return news.exchange([])
      }, finish: { signal.finish() })
    Task { [weak self] in
      for await _ in signals { self?.receive() }
    }
  }

  deinit {
    pager.core.deliveries.unsubscribe(subscription)
    signal.finish()
  }

  /// The items of all pages that were loaded.
  public var items: [Item] {
    startIfNeeded()
    return currentItems
  }

  /// The reason why the latest load gave no page, or `nil` if it gave one.
  public var error: (any Error)? {
    startIfNeeded()
    return currentError
  }

  /// The GraphQL errors of all pages.
  public var errors: [GraphQLError] {
    startIfNeeded()
    return currentErrors
  }

  /// A Boolean value that indicates whether a page is being loaded.
  public var isLoading: Bool {
    startIfNeeded()
    return !loading.isEmpty
  }

  /// A Boolean value that indicates whether there are pages after those that were loaded.
  public var canLoadNext: Bool {
    startIfNeeded()
    return ends.next
  }

  /// A Boolean value that indicates whether there are pages before those that were loaded.
  public var canLoadPrevious: Bool {
    startIfNeeded()
    return ends.previous
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservablePages {
  /// Loads the next page, unless there is none or one is being loaded already.
  ///
  /// - Returns: The task of the load. Cancelling it cancels the request.
  @discardableResult
  public func loadNext() -> Task<Void, Never> { load(.next) }

  /// Loads the previous page, unless there is none or one is being loaded already.
  ///
  /// - Returns: The task of the load. Cancelling it cancels the request.
  @discardableResult
  public func loadPrevious() -> Task<Void, Never> { load(.previous) }

  /// Fetches the initial page from the server, as when the user pulls the list down.
  ///
  /// The items stay and follow the cache until it arrives, and are replaced by it then. If it does
  /// not arrive, all pages stay. Those of a session that has ended are removed at once.
  ///
  /// - Returns: The task of the fetch, for code that waits for its end, such as `refreshable`:
  ///   `await pages.refetch().value`. Cancelling it cancels the request.
  @discardableResult
  public func refetch() -> Task<Void, Never> {
    hasStarted = true
    return loadInitialPage(.networkOnly)
  }

  /// Loads the next page if an item is near the end of the list, as ``prefetchDistance`` says.
  ///
  /// Without new items, no further item would appear. So if the page adds none, the pages behind it
  /// are loaded, too: ten pages in all.
  ///
  /// - Parameter index: The index of an item that is shown now.
  public func itemAppeared(at index: Int) {
    if index >= currentItems.count - prefetchDistance { loadNextItems() }
  }

  /// Loads the next page if an item is near the end of the list, as ``prefetchDistance`` says.
  ///
  /// Without new items, no further item would appear. So if the page adds none, the pages behind it
  /// are loaded, too: ten pages in all.
  ///
  /// - Parameter item: An item that is shown now.
  public func itemAppeared(_ item: Item) where Item: Identifiable {
    if currentItems.suffix(prefetchDistance).contains(where: { $0.id == item.id }) {
      loadNextItems()
    }
  }

  private func loadNextItems() { _ = load(.next, addingTo: currentItems.count) }

  private func startIfNeeded() {
    guard !hasStarted else { return }
    hasStarted = true
    loadInitialPage(.cacheAndNetwork)
  }

  @discardableResult
  private func loadInitialPage(_ behavior: FetchBehavior) -> Task<Void, Never> {
    if !pager.core.deliveries.isCurrent(session: session) {
      if !currentItems.isEmpty { currentItems = [] }
      if !currentErrors.isEmpty { currentErrors = [] }
    }
    guard let load = pager.core.startInitialPage(PageFetch(behavior)) else { return Task {} }
    initialLoad = load
    return wait(for: load, .initialPage)
  }

  /// `itemCount`: The number of items that the load is to exceed, or `nil` to load one page.
  private func load(
    _ direction: PaginationDirection, addingTo itemCount: Int? = nil
  ) -> Task<Void, Never> {
    startIfNeeded()
    guard loading.isDisjoint(with: [.next, .previous]), pager.core.canLoad(direction) else {
      return Task {}
    }
    do throws(PaginationError) {
      let load = try pager.core.start(direction, PageFetch(.cacheAndNetwork))
      return wait(for: load, direction == .next ? .next : .previous, addingTo: itemCount)
    } catch {
      switch error {
      case .pageHasNoMoreContent, .loadInProgress: break  // as above, a moment later
      default: currentError = error
      }
      return Task {}
    }
  }

  /// Returns whether another load continues one that has ended: one that was outdated, or the load
  /// of a page that was to add items and has added none.
  private func goesOn(
    after outcome: LoadOutcome, ofPage pageCount: Int, addingTo itemCount: Int?
  ) -> Bool {
    switch outcome {
    case .outdated: return true
    case .loaded:
      // A server could have pages without new items for ever.
      guard let itemCount, pageCount < 10 else { return false }
      receive()
      return currentItems.count <= itemCount
    case .withoutData, .failed, .cancelled: return false
    }
  }

  /// Loads what is behind a page that has changed or has added no items, in place of the load that
  /// has ended.
  private func restart(_ load: Int, _ direction: PaginationDirection) -> Int? {
    // If it cannot begin, the list has ended or begins anew, or the next load shows the error.
    guard let next = try? pager.core.start(direction, PageFetch(.cacheAndNetwork)) else {
      return nil
    }
    if latestLoad == load { latestLoad = next }
    return next
  }

  /// The task must not keep this object, so that releasing it ends the request.
  private func wait(
    for load: Int, _ part: Part, addingTo itemCount: Int? = nil
  ) -> Task<Void, Never> {
    latestLoad = load
    if !loading.contains(part) { loading.insert(part) }
    if currentError != nil { currentError = nil }
    return Task { [weak self, core = pager.core] in
      var latest = load
      var pageCount = 1
      var outcome = await core.outcome(of: latest)
      while let direction = part.direction, !Task.isCancelled,
        self?.goesOn(after: outcome, ofPage: pageCount, addingTo: itemCount) == true,
        let next = self?.restart(latest, direction)
      {
        if case .loaded = outcome { pageCount += 1 }
        latest = next
        outcome = await core.outcome(of: latest)
      }
      self?.receive()
      if let self, part != .initialPage || self.initialLoad == load { self.loading.remove(part) }
      if case .withoutData(let errors) = outcome, let self, self.latestLoad == latest {
        self.currentError = PageWithoutDataError(errors: errors)
      }
    }
  }

  /// Shows what the pager has delivered since the last call.
  private func receive() {
    for delivery in news.exchange([]) {
      if delivery.list != list {
        list = delivery.list
        if currentError != nil { currentError = nil }
      }
      switch delivery.result {
      case .success(let items):
        session = delivery.session
        currentItems = unique(items)
        if currentErrors != delivery.errors { currentErrors = delivery.errors }
      case .failure(let error): currentError = error
      }
    }
    let new = (next: pager.canLoadNext, previous: pager.canLoadPrevious)
    if ends != new { ends = new }
  }
}
