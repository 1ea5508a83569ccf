import Apollo
public import ApolloAPI
public import protocol Foundation.LocalizedError

extension GraphQLQueryPager {
  /// The latest result and each one that follows, in order. After an error, the pages that are
  /// there come first.
  ///
  /// ```swift
  /// for await result in pager.updates {
  ///   print(try result.get().allData.count, "pages")
  /// }
  /// ```
  ///
  /// Each access is a subscription of its own, which ends with its iteration or with the pager.
  /// Results are kept until they are read, or until their session ends.
  public var updates: AsyncStream<Output> { core.deliveries.stream() }

  /// The pages from the initial one to the last, each of which is loaded when it is asked for.
  ///
  /// ```swift
  /// for try await page in pager.pages() {
  ///   for edge in page.products.edges { print(edge.node.name) }
  /// }
  /// ```
  ///
  /// The pages also go to the subscribers of the pager, and stay in its list. Pages that were
  /// loaded before are not loaded again. If the initial page is being loaded, the sequence waits
  /// for it. While `loadAll` loads a page, or holds back those that follow, it throws
  /// ``PaginationError/loadInProgress``.
  ///
  /// An error ends the sequence; another one begins with the pages that are there, and tries the
  /// failed page again. A refetch or a reset of the pager ends it with
  /// ``PaginationError/cancellation``: the pages of another list do not continue this one. So does
  /// a change of a merged list after which other items follow the pages that were returned.
  ///
  /// - Returns: A sequence of the data of each page.
  public func pages<Query: GraphQLQuery>() -> PageSequence<Query>
  where Model == PaginationOutput<Query, Query> {
    PageSequence(pager: self)
  }
}

/// The pages of a list, each of which is loaded when it is asked for.
public struct PageSequence<Query: GraphQLQuery>: AsyncSequence, Sendable {
  /// The data of one page.
  public typealias Element = Query.Data

  let pager: GraphQLQueryPager<PaginationOutput<Query, Query>>

  /// Returns an iterator that begins with the initial page.
  public func makeAsyncIterator() -> Iterator { Iterator(pager: pager) }

  /// The iteration of the pages of a list.
  public struct Iterator: AsyncIteratorProtocol {
    private let pager: GraphQLQueryPager<PaginationOutput<Query, Query>>
    private var count = 0
    private var hasEnded = false
    /// The number of the session in which the iteration has begun.
    private var session: Int?
    /// The ``Paging/resetCount`` of the list whose pages were returned.
    private var list: Int?
    /// The pages when the last one of them was returned.
    private var returned: PaginationOutput<Query, Query>?

    init(pager: GraphQLQueryPager<PaginationOutput<Query, Query>>) { self.pager = pager }

    /// Returns the next page, or `nil` at the end of the list.
    ///
    /// - Throws: An error of the connection, a ``PageWithoutDataError``, a ``PaginationError``, or
    ///   a `CancellationError`.
    public mutating func next() async throws -> Query.Data? {
      guard !hasEnded else { return nil }
      let session = self.session ?? pager.core.sessionCount
      self.session = session
      do {
        if let page = try knownPage(in: session) { return page }
        guard let outcome = try await load() else { return try end(in: session) }
        try check(outcome)
        // `loadAll`, begun by another task meanwhile, shows its pages at its end.
        guard let page = try knownPage(in: session) else { throw PaginationError.loadInProgress }
        return page
      } catch {
        hasEnded = true
        if case PaginationError.cancellation = error, Task.isCancelled { throw CancellationError() }
        if case PaginationError.pageHasNoMoreContent = error { return try end(in: session) }
        throw error
      }
    }

    /// Ends the sequence, if it is its list that has ended.
    ///
    /// - Returns: `nil`, or the page that another load has delivered in the meantime.
    /// - Throws: ``PaginationError/loadInProgress`` if the pager has pages that it has not
    ///   delivered, such as those that `loadAll` holds back.
    private mutating func end(in session: Int) throws -> Query.Data? {
      hasEnded = true
      // Asked first: pages that are delivered after it are known.
      let hasPages = pager.core.hasPages(behind: count)
      if let page = try knownPage(in: session) {
        hasEnded = false
        return page
      }
      guard !hasPages else { throw PaginationError.loadInProgress }
      return nil
    }

    /// Returns the page after those that were returned, if it was loaded.
    ///
    /// - Throws: ``PaginationError/cancellation`` if the session has ended, or the pages were
    ///   removed: those of another user or list do not continue this one.
    private mutating func knownPage(in session: Int) throws -> Query.Data? {
      let number = list ?? pager.core.resetCount
      let latest = pager.core.deliveries.latest
      guard pager.core.sessionCount == session else { throw PaginationError.cancellation }
      try checkEnd()
      guard let output = latest else { return nil }
      let pages = ([output.initialPage].compactMap { $0 } + output.nextPages).compactMap(\.data)
      guard pages.indices.contains(count) else { return nil }
      list = number
      try checkList()
      count += 1
      returned = output
      return pages[count - 1]
    }

    /// Throws ``PaginationError/cancellation`` if what follows does not continue the pages that
    /// were returned: they were removed, or the last one ends elsewhere.
    private func checkEnd() throws {
      try checkList()
      if let returned, !pager.core.follows(count, of: returned) {
        throw PaginationError.cancellation
      }
    }

    private func checkList() throws {
      if let list, list != pager.core.resetCount { throw PaginationError.cancellation }
    }

    private func load() async throws -> LoadOutcome? {
      if count == 0 {
        guard let load = try pager.core.joinInitialPage(PageFetch(.cacheFirst)) else { return nil }
        return await pager.core.outcome(of: load)
      }
      return pager.canLoadNext ? try await pager.core.load(.next, PageFetch(.cacheFirst)) : nil
    }

    private func check(_ outcome: LoadOutcome) throws {
      switch outcome {
      case .loaded: break
      case .withoutData(let errors): throw PageWithoutDataError(errors: errors)
      case .failed(let error): throw error
      case .cancelled, .outdated: throw PaginationError.cancellation
      }
    }
  }
}

/// A page for which the server responded with errors and without data.
///
/// It ends a sequence of pages, and is a result of pagers whose `transform` receives data. Other
/// pagers deliver a `PaginationOutput`, which has the errors.
public struct PageWithoutDataError: Error, CustomStringConvertible, LocalizedError {
  /// The errors of the server.
  public let errors: [GraphQLError]

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A sentence for developers.
  public var description: String {
    let messages = errors.compactMap(\.message).joined(separator: " ")
    return "The server responded to a page without data. \(messages)"
  }
}
