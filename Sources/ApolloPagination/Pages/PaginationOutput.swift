public import ApolloAPI

/// The pages that a pager has loaded, in the order of the list.
public struct PaginationOutput<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Hashable,
  Sendable
{
  /// The pages before the initial one. The one that was loaded last comes first.
  public let previousPages: [GraphQLResponse<PaginatedQuery>]
  /// The page of the initial query.
  public let initialPage: GraphQLResponse<InitialQuery>?
  /// The pages after the initial one. The one that was loaded last comes last.
  public let nextPages: [GraphQLResponse<PaginatedQuery>]
  /// The page whose change led to this output.
  public let lastUpdatedPage: QueryWrapper

  /// Creates an output.
  public init(
    previousPages: [GraphQLResponse<PaginatedQuery>],
    initialPage: GraphQLResponse<InitialQuery>?,
    nextPages: [GraphQLResponse<PaginatedQuery>],
    lastUpdatedPage: QueryWrapper
  ) {
    self.previousPages = previousPages
    self.initialPage = initialPage
    self.nextPages = nextPages
    self.lastUpdatedPage = lastUpdatedPage
  }

  /// The GraphQL errors of all pages.
  public var allErrors: [GraphQLError] {
    previousPages.flatMap { $0.errors ?? [] } + (initialPage?.errors ?? [])
      + nextPages.flatMap { $0.errors ?? [] }
  }
}

extension PaginationOutput {
  /// One of the pages.
  public enum QueryWrapper: Hashable, Sendable {
    /// The page of the initial query.
    case initial(GraphQLResponse<InitialQuery>)
    /// Another page.
    case paginated(GraphQLResponse<PaginatedQuery>)

    /// The GraphQL errors of the page.
    public var errors: [GraphQLError]? {
      switch self {
      case .initial(let response): response.errors
      case .paginated(let response): response.errors
      }
    }

    /// The source of the page.
    public var source: UpdateSource {
      switch self {
      case .initial(let response): response.source
      case .paginated(let response): response.source
      }
    }
  }
}

extension PaginationOutput.QueryWrapper where InitialQuery == PaginatedQuery {
  /// The data of the page.
  public var data: InitialQuery.Data? {
    switch self {
    case .initial(let response), .paginated(let response): response.data
    }
  }
}

extension PaginationOutput where InitialQuery == PaginatedQuery {
  /// All pages in the order of the list.
  public var allPages: [GraphQLResponse<InitialQuery>] {
    previousPages + (initialPage.map { [$0] } ?? []) + nextPages
  }

  /// The data of all pages in the order of the list.
  public var allData: [InitialQuery.Data] { allPages.compactMap(\.data) }
}

/// The source of a page: the cache or the server.
public typealias UpdateSource = ResultSource
