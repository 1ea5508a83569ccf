import Apollo

/// The facts and queries of the program's closures about the pages beyond an end of the list.
struct PagePlan<Query: GraphQLQuery>: Sendable {
  let canLoadNext: Bool
  let canLoadPrevious: Bool
  /// The query of the page in a direction, or `nil` if the program has none.
  let query: @Sendable (PaginationDirection) -> Query?

  init<Info: PaginationInfo>(
    _ info: Info, _ resolver: (@Sendable (Info, PaginationDirection) -> Query?)?
  ) {
    canLoadNext = info.canLoadNext
    canLoadPrevious = info.canLoadPrevious
    query = { resolver?(info, $0) }
  }

  func canLoad(_ direction: PaginationDirection) -> Bool {
    switch direction {
    case .next: canLoadNext
    case .previous: canLoadPrevious
    }
  }
}

/// The way in which a page is fetched.
struct PageFetch: Sendable {
  var behavior: FetchBehavior
  var writesToCache = true

  init(_ behavior: FetchBehavior) { self.behavior = behavior }

  init(_ policy: CachePolicy) {
    behavior = policy.fetchBehavior
    writesToCache = policy.writesResultsToCache
  }

  /// Indicates whether the page must come from the server.
  var ignoresCache: Bool { behavior.cacheRead == .never && behavior.networkFetch != .never }

  /// Starts a watch.
  func start<Query>(_ watcher: GraphQLQueryWatcher<Query>) {
    if writesToCache {
      watcher.fetch(fetchBehavior: behavior)
    } else {
      watcher.fetch(cachePolicy: .fetchIgnoringCacheCompletely)
    }
  }
}
