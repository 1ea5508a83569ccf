public import Apollo
public import ApolloAPI

extension GraphQLQueryPager {
  /// Creates a pager of one query, which delivers the pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractPageInfo: A closure that returns what the data of a page says about other pages.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  public convenience init<Query: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: Query,
    extractPageInfo: @escaping @Sendable (Query.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> Query?
  ) where Model == PaginationOutput<Query, Query> {
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _), .paginated(let data, _): extractPageInfo(data)
        }
      }, pageResolver, { $0 })
  }

  /// Creates a pager of one query, which delivers the items of all pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractPageInfo: A closure that returns what the data of a page says about other pages.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  ///   - transform: A closure that returns the items of a page. It is called again when the page
  ///     changes.
  public convenience init<Query: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: Query,
    extractPageInfo: @escaping @Sendable (Query.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> Query?,
    transform: @escaping @Sendable (Query.Data) throws -> Model
  ) where Model: RangeReplaceableCollection {
    let memo = ItemMemo<Query, Query, Model>()
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _), .paginated(let data, _): extractPageInfo(data)
        }
      }, pageResolver, reportsPagesWithoutData: true,
      { try memo.items(of: $0, transform, transform) })
  }

  /// Creates a pager of one query, which delivers a model of all pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractPageInfo: A closure that returns what the data of a page says about other pages.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  ///   - transform: A closure that makes a model of the previous pages, the initial page and the
  ///     next pages. Pages without data are left out; without an initial one, it is not called.
  public convenience init<Query: GraphQLQuery, Info: PaginationInfo>(
    client: any ApolloClientProtocol,
    initialQuery: Query,
    extractPageInfo: @escaping @Sendable (Query.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> Query?,
    transform: @escaping @Sendable ([Query.Data], Query.Data, [Query.Data]) throws -> Model
  ) {
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _), .paginated(let data, _): extractPageInfo(data)
        }
      }, pageResolver, reportsPagesWithoutData: true, { try $0.model(transform) })
  }

  /// Creates a pager whose initial page has a query of its own, which delivers the pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractInitialPageInfo: A closure that returns what the data of the initial page says
  ///     about other pages.
  ///   - extractNextPageInfo: A closure that returns what the data of another page says.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  public convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    extractInitialPageInfo: @escaping @Sendable (InitialQuery.Data) -> Info,
    extractNextPageInfo: @escaping @Sendable (PaginatedQuery.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> PaginatedQuery?
  ) where Model == PaginationOutput<InitialQuery, PaginatedQuery> {
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _): extractInitialPageInfo(data)
        case .paginated(let data, _): extractNextPageInfo(data)
        }
      }, pageResolver, { $0 })
  }

  /// Creates a pager whose initial page has a query of its own, which delivers the items of all
  /// pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractInitialPageInfo: A closure that returns what the data of the initial page says
  ///     about other pages.
  ///   - extractNextPageInfo: A closure that returns what the data of another page says.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  ///   - initialTransform: A closure that returns the items of the initial page.
  ///   - pageTransform: A closure that returns the items of another page. Both are called again
  ///   when
  ///     their page changes.
  public convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    extractInitialPageInfo: @escaping @Sendable (InitialQuery.Data) -> Info,
    extractNextPageInfo: @escaping @Sendable (PaginatedQuery.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> PaginatedQuery?,
    initialTransform: @escaping @Sendable (InitialQuery.Data) throws -> Model,
    pageTransform: @escaping @Sendable (PaginatedQuery.Data) throws -> Model
  ) where Model: RangeReplaceableCollection {
    let memo = ItemMemo<InitialQuery, PaginatedQuery, Model>()
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _): extractInitialPageInfo(data)
        case .paginated(let data, _): extractNextPageInfo(data)
        }
      }, pageResolver, reportsPagesWithoutData: true,
      { try memo.items(of: $0, initialTransform, pageTransform) })
  }

  /// Creates a pager whose initial page has a query of its own, which delivers a model of all
  /// pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractInitialPageInfo: A closure that returns what the data of the initial page says
  ///     about other pages.
  ///   - extractNextPageInfo: A closure that returns what the data of another page says.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  ///   - transform: A closure that makes a model of the previous pages, the initial page and the
  ///     next pages. Pages without data are left out; without an initial one, it is not called.
  public convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    extractInitialPageInfo: @escaping @Sendable (InitialQuery.Data) -> Info,
    extractNextPageInfo: @escaping @Sendable (PaginatedQuery.Data) -> Info,
    pageResolver: @escaping @Sendable (Info, PaginationDirection) -> PaginatedQuery?,
    transform:
      @escaping @Sendable ([PaginatedQuery.Data], InitialQuery.Data, [PaginatedQuery.Data]) throws
      -> Model
  ) {
    self.init(
      client, initialQuery,
      { page in
        switch page {
        case .initial(let data, _): extractInitialPageInfo(data)
        case .paginated(let data, _): extractNextPageInfo(data)
        }
      }, pageResolver, reportsPagesWithoutData: true, { try $0.model(transform) })
  }

  /// Creates a pager that finds pages by all pages so far, such as by their number of items, and
  /// delivers the pages.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractPageInfo: A closure that returns what a page, together with all pages so far, says
  ///     about other pages.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  public convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    extractPageInfo:
      @escaping @Sendable (PageExtractionData<InitialQuery, PaginatedQuery, Model?>) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?
  ) where Model == PaginationOutput<InitialQuery, PaginatedQuery> {
    self.init(client, initialQuery, extractPageInfo, pageResolver, { $0 })
  }

  /// Creates a pager that finds pages by all pages so far, and delivers a model of them.
  ///
  /// - Parameters:
  ///   - client: The client that fetches the pages.
  ///   - initialQuery: The query of the initial page.
  ///   - extractPageInfo: A closure that returns what a page, together with all pages so far, says
  ///     about other pages.
  ///   - pageResolver: A closure that returns the query of the page in a direction, or `nil`.
  ///   - transform: A closure that makes a model of all pages.
  public convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    client: any ApolloClientProtocol,
    initialQuery: InitialQuery,
    extractPageInfo:
      @escaping @Sendable (
        PageExtractionData<
          InitialQuery, PaginatedQuery, PaginationOutput<InitialQuery, PaginatedQuery>?
        >
      ) -> Info,
    pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?,
    transform:
      @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    self.init(client, initialQuery, extractPageInfo, pageResolver, transform)
  }

  private convenience init<
    InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Info: PaginationInfo
  >(
    _ client: any ApolloClientProtocol, _ initialQuery: InitialQuery,
    _ extractPageInfo:
      @escaping @Sendable (
        PageExtractionData<
          InitialQuery, PaginatedQuery, PaginationOutput<InitialQuery, PaginatedQuery>?
        >
      ) -> Info,
    _ pageResolver: (@Sendable (Info, PaginationDirection) -> PaginatedQuery?)?,
    reportsPagesWithoutData: Bool = false,
    _ transform:
      @escaping @Sendable (PaginationOutput<InitialQuery, PaginatedQuery>) throws -> Model
  ) {
    self.init(
      core: PagerCore(
        client: client, initialQuery: initialQuery,
        plan: { PagePlan(extractPageInfo($0), pageResolver) },
        reportsPagesWithoutData: reportsPagesWithoutData, transform: transform))
  }
}

extension PaginationOutput {
  /// Returns a model of the pages that have data.
  fileprivate func model<Model>(
    _ transform: ([PaginatedQuery.Data], InitialQuery.Data, [PaginatedQuery.Data]) throws -> Model
  ) throws -> Model {
    guard let data = initialPage?.data else {
      throw PageWithoutDataError(errors: initialPage?.errors ?? [])
    }
    return try transform(
      previousPages.compactMap(\.data), data, nextPages.compactMap(\.data))
  }
}
