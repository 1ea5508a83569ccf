import Apollo

/// A list that is loaded page by page, and follows the cache.
///
/// ```swift
/// let pager = GraphQLQueryPager(
///   client: apollo,
///   initialQuery: ProductsQuery(first: 50),
///   extractPageInfo: { data in
///     CursorBasedPagination.Forward(
///       hasNext: data.products.pageInfo.hasNextPage, endCursor: data.products.pageInfo.endCursor)
///   },
///   pageResolver: { page, direction in
///     guard direction == .next, let cursor = page.endCursor else { return nil }
///     return ProductsQuery(first: 50, after: .some(cursor))
///   })
/// await pager.fetch()
/// try await pager.loadNext()
/// ```
///
/// The pager delivers a `PaginationOutput` or, with a `transform`, a model of the program, after
/// each page and whenever the cache has other data for one: a mutation's result and optimistic data
/// appear in the list. Receive the results with ``updates``, ``subscribe(completion:)`` or, on
/// Apple platforms, as a publisher of Combine.
///
/// - Errors of the server and of the connection are results. The pages that are there stay, and
///   the next load tries the failed page again. Methods throw a ``PaginationError`` alone.
/// - One page is loaded at a time. A second load throws ``PaginationError/loadInProgress``, and so
///   does each load beside those of `loadAll`.
/// - A load ends when the server has responded, also if the cache had the page. Cancelling its task
///   cancels the request and throws ``PaginationError/cancellation``.
/// - Results are delivered in order. Nothing of before a ``reset()`` is delivered after it, and
///   nothing of before a `fetch` or `refetch` after the first data that it brings: until then, the
///   pages that are there stay, and are delivered whenever they change.
/// - The end of a session (`ApolloClient.endSession()`) resets the pager: loads under way are
///   cancelled, results that were not read are dropped, also after a ``reset()``, and nothing is
///   loaded for the next user before a `fetch`.
///
/// Releasing the pager ends its watches, requests and subscriptions.
public final class GraphQLQueryPager<Model: Sendable>: Sendable {
  /// A model of all pages so far, or an error.
  public typealias Output = Result<Model, any Error>

  let core: any Paging<Model>

  init(core: any Paging<Model>) { self.core = core }

  deinit { core.close() }

  /// A Boolean value that indicates whether there are pages after those that were loaded.
  ///
  /// `false` also if `pageResolver` returns the query of a page that is there.
  public var canLoadNext: Bool { core.canLoad(.next) }

  /// A Boolean value that indicates whether there are pages before those that were loaded.
  ///
  /// `false` also if `pageResolver` returns the query of a page that is there.
  public var canLoadPrevious: Bool { core.canLoad(.previous) }

  /// Removes all pages and cancels all loads. Nothing is delivered until the next `fetch`.
  public func reset() { core.reset() }

  /// Starts to fetch the next page, so that the next load of it shows it at once.
  ///
  /// The page is not shown before `loadNext` is called, which sends no request of its own then.
  /// Until the response arrives, that shows what the cache has of the page, unless its policy
  /// ignores the cache.
  ///
  /// Without a next page, or while one is being loaded, nothing happens.
  public func prefetchNext() { core.prefetch(.next, PageFetch(.cacheAndNetwork)) }
}

/// The same pager, by the name of its form for `async` calls in Apollo iOS 1.x.
public typealias AsyncGraphQLQueryPager<Model: Sendable> = GraphQLQueryPager<Model>
