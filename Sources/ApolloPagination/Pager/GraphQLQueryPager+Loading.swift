public import Apollo

extension GraphQLQueryPager {
  /// Fetches the initial page, in place of all pages so far. Returns at the end of the fetch.
  ///
  /// - Parameter fetchBehavior: The order in which the cache and the server are used.
  public func fetch(fetchBehavior: FetchBehavior) async {
    await loadInitialPage(PageFetch(fetchBehavior))
  }

  /// Fetches the initial page, in place of all pages so far. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func fetch(
    cachePolicy: CachePolicy.Query.CacheAndNetwork = .cacheAndNetwork
  ) async {
    await loadInitialPage(PageFetch(cachePolicy.fetchBehavior))
  }

  /// Fetches the initial page, in place of all pages so far. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func fetch(cachePolicy: CachePolicy.Query.SingleResponse) async {
    await loadInitialPage(PageFetch(cachePolicy.fetchBehavior))
  }

  /// Fetches the initial page, in place of all pages so far. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func fetch(cachePolicy: CachePolicy.Query.CacheOnly) async {
    await loadInitialPage(PageFetch(.cacheOnly))
  }

  /// Fetches the initial page, in place of all pages so far. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func fetch(cachePolicy: CachePolicy) async {
    await loadInitialPage(PageFetch(cachePolicy))
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// All pages stay and follow the cache until it arrives.
  ///
  /// - Parameter fetchBehavior: The order in which the cache and the server are used.
  public func refetch(fetchBehavior: FetchBehavior) async {
    await loadInitialPage(PageFetch(fetchBehavior))
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func refetch(cachePolicy: CachePolicy.Query.SingleResponse = .networkOnly) async {
    await loadInitialPage(PageFetch(cachePolicy.fetchBehavior))
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func refetch(cachePolicy: CachePolicy.Query.CacheOnly) async {
    await loadInitialPage(PageFetch(.cacheOnly))
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func refetch(cachePolicy: CachePolicy.Query.CacheAndNetwork) async {
    await loadInitialPage(PageFetch(cachePolicy.fetchBehavior))
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  public func refetch(cachePolicy: CachePolicy) async {
    await loadInitialPage(PageFetch(cachePolicy))
  }

  /// Loads the next page. Returns at the end of the fetch.
  ///
  /// - Parameter fetchBehavior: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadNext(fetchBehavior: FetchBehavior) async throws {
    try await load(.next, PageFetch(fetchBehavior))
  }

  /// Loads the next page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadNext(cachePolicy: CachePolicy.Query.CacheAndNetwork = .cacheAndNetwork)
    async throws
  {
    try await load(.next, PageFetch(cachePolicy.fetchBehavior))
  }

  /// Loads the next page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadNext(cachePolicy: CachePolicy.Query.SingleResponse) async throws {
    try await load(.next, PageFetch(cachePolicy.fetchBehavior))
  }

  /// Loads the next page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadNext(cachePolicy: CachePolicy.Query.CacheOnly) async throws {
    try await load(.next, PageFetch(.cacheOnly))
  }

  /// Loads the next page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadNext(cachePolicy: CachePolicy) async throws {
    try await load(.next, PageFetch(cachePolicy))
  }

  /// Loads the previous page. Returns at the end of the fetch.
  ///
  /// - Parameter fetchBehavior: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadPrevious(fetchBehavior: FetchBehavior) async throws {
    try await load(.previous, PageFetch(fetchBehavior))
  }

  /// Loads the previous page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadPrevious(cachePolicy: CachePolicy.Query.CacheAndNetwork = .cacheAndNetwork)
    async throws
  {
    try await load(.previous, PageFetch(cachePolicy.fetchBehavior))
  }

  /// Loads the previous page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadPrevious(cachePolicy: CachePolicy.Query.SingleResponse) async throws {
    try await load(.previous, PageFetch(cachePolicy.fetchBehavior))
  }

  /// Loads the previous page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadPrevious(cachePolicy: CachePolicy.Query.CacheOnly) async throws {
    try await load(.previous, PageFetch(.cacheOnly))
  }

  /// Loads the previous page. Returns at the end of the fetch.
  ///
  /// - Parameter cachePolicy: The order in which the cache and the server are used.
  /// - Throws: A ``PaginationError``.
  public func loadPrevious(cachePolicy: CachePolicy) async throws {
    try await load(.previous, PageFetch(cachePolicy))
  }

  /// Loads all pages from the server, and delivers them together: first the next ones, then the
  /// previous ones.
  ///
  /// If a page fails, the pages before it are delivered, then the error.
  ///
  /// - Parameter fetchFromInitialPage: `true` to begin again with the initial page, `false` to go
  ///   on from the pages that are there.
  /// - Throws: A ``PaginationError``.
  public func loadAll(fetchFromInitialPage: Bool = true) async throws {
    try await core.finish(try core.startRun(fromInitialPage: fetchFromInitialPage))
  }

  private func loadInitialPage(_ fetch: PageFetch) async {
    guard let load = core.startInitialPage(fetch) else { return }
    _ = await core.outcome(of: load)
  }

  private func load(_ direction: PaginationDirection, _ fetch: PageFetch) async throws {
    _ = try await core.load(direction, fetch)
  }
}
