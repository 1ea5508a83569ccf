public import ApolloAPI

/// The page at an end of the list, from which a pager extracts what is beyond it.
///
/// The second value is the output with all pages so far.
public enum PageExtractionData<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery, Output> {
  /// The data of the initial query.
  case initial(InitialQuery.Data, Output)
  /// The data of another page.
  case paginated(PaginatedQuery.Data, Output)
}

extension PageExtractionData: Sendable where Output: Sendable {}
