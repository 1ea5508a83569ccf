public import ApolloAPI
public import ApolloTransport

extension ApolloClient {
  /// Fetches a query's data.
  ///
  /// - Returns: The data, or the GraphQL errors, or both.
  /// - Throws: `CancellationError` when the task is cancelled; what `NetworkTransport.send(_:)` throws when
  ///   there is no answer; ``CacheAndNetworkError`` when both sides failed. (That ``CachePolicy/Query/SingleResponse/cacheFirst`` found
  ///   something missing is no failure: it asks the server then, and what that throws is thrown.)
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.SingleResponse = .cacheFirst,
    requestConfiguration: RequestConfiguration = RequestConfiguration()
  ) async throws -> GraphQLResponse<Query> {
    try await executor.response(
      to: GraphQLRequest(query, cachePolicy.fetchBehavior, configuration: requestConfiguration))
  }

  /// Reads a query's data from the cache. The server is never asked.
  ///
  /// - Returns: `nil` when something is missing in the cache.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration = RequestConfiguration()
  ) async throws -> GraphQLResponse<Query>? {
    do {
      return try await executor.response(
        to: GraphQLRequest(query, .cacheOnly, configuration: requestConfiguration))
    } catch is CacheMissError {
      return nil
    }
  }

  /// Fetches a query's data from the cache, if all of it is there, and then from the server as well.
  ///
  /// - Returns: One or two responses. The server is asked when the second one is awaited.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration = RequestConfiguration()
  ) -> QueryResponses<Query> {
    QueryResponses(
      executor: executor,
      request: GraphQLRequest(query, .cacheAndNetwork, configuration: requestConfiguration))
  }

  /// Performs a mutation. When it returns, the cache holds the result.
  ///
  /// The mutation is sent at most once, unless an interceptor or a delegate sends it again.
  ///
  /// - Throws: As ``fetch(query:cachePolicy:requestConfiguration:)-(_,CachePolicy.Query.SingleResponse,_)``.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    requestConfiguration: RequestConfiguration = RequestConfiguration()
  ) async throws -> GraphQLResponse<Mutation> {
    try await executor.response(
      to: GraphQLRequest(mutation, .networkOnly, configuration: requestConfiguration))
  }

  /// Sends an operation with files and waits for its result. Nothing is sent again.
  ///
  /// Each file takes the place of a variable's value; see `UploadingNetworkTransport.upload(_:files:)`. A transport
  /// that cannot upload is met with ``ApolloClient/Error/noUploadTransport``.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation,
    files: [GraphQLFile],
    requestConfiguration: RequestConfiguration = RequestConfiguration()
  ) async throws -> GraphQLResponse<Operation> {
    try await executor.response(
      to: GraphQLRequest(
        operation, .networkOnly, configuration: requestConfiguration, files: files))
  }

  /// Removes everything from the cache. Watchers are told.
  public func clearCache() async throws { try await store.clearCache() }
}
