public import ApolloAPI
public import ApolloTransport
public import Foundation

extension ApolloClientProtocol {
  /// Fetches the data of a query.
  ///
  /// ```swift
  /// let response = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .networkFirst)
  /// print(response.data?.hero?.name ?? "no hero", response.errors ?? [])
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: `CancellationError` if the task is cancelled; an error of
  ///   `NetworkTransport.send(_:)` if the server delivers no response; ``CacheAndNetworkError`` if
  ///   the cache fails as well.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.SingleResponse = .cacheFirst,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Query> {
    try await response(
      to: request(query, cachePolicy.fetchBehavior, requestConfiguration, contextIdentifier))
  }

  /// Reads the data of a query from the cache, without a request to the server.
  ///
  /// ```swift
  /// if let known = try await apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheOnly) {
  ///   print(known.data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: `.cacheOnly`.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, or `nil` if some of the data is missing in the cache.
  /// - Throws: `CancellationError` if the task is cancelled; an error of the cache if it cannot be
  ///   read.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheOnly,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Query>? {
    do {
      return try await response(
        to: request(query, .cacheOnly, requestConfiguration, contextIdentifier))
    } catch is CacheMissError {
      return nil
    }
  }

  /// Fetches the data of a query from the cache, if it is complete there, and then from the server.
  ///
  /// ```swift
  /// for try await response in apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork) {
  ///   print(response.source, response.data?.hero?.name ?? "no hero")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: Whether the server follows always, or only if cached data is stale.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: A sequence of one or two responses. The request is sent when the second one is
  ///   awaited.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy.Query.CacheAndNetwork,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) -> GraphQLResponses<Query> {
    fetch(
      query: query, fetchBehavior: cachePolicy.fetchBehavior, contextIdentifier: contextIdentifier,
      requestConfiguration: requestConfiguration)
  }

  /// Fetches the data of a query and delivers the responses as they arrive.
  ///
  /// ```swift
  /// let responses = apollo.fetch(query: HeroNameQuery(), fetchBehavior: .networkFirst)
  /// for try await response in responses { print(response.data?.hero?.name ?? "no hero") }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - fetchBehavior: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: A sequence with the response of the cache, if it is asked and has all of the data,
  ///   and the responses of the server, if it is asked: one, or several if it delivers the response
  ///   in parts. It throws a `CacheMissError` if only the cache is asked and data is missing.
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    fetchBehavior: FetchBehavior,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) -> GraphQLResponses<Query> {
    responses(
      to: request(query, fetchBehavior, requestConfiguration, contextIdentifier))
  }

  /// Performs a mutation and writes its result to the cache.
  ///
  /// ```swift
  /// let response = try await apollo.perform(
  ///   mutation: RenameCharacterMutation(id: "1000", name: "Luke"))
  /// print(response.data?.renameCharacter?.name ?? "no such character")
  /// ```
  ///
  /// The cache holds the result when this method returns, and watchers are notified. The mutation
  /// is sent at most once, unless an interceptor or a delegate sends it again.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: `CancellationError` if the task is cancelled; an error of
  ///   `NetworkTransport.send(_:)` if the server delivers no response.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Mutation> {
    var request = request(mutation, .networkOnly, requestConfiguration, contextIdentifier)
    let layer = place(&request)
    return try await response(to: request, in: layer)
  }

  /// Sends an operation with files, once, unless an interceptor or a delegate sends it again.
  ///
  /// ```swift
  /// let photo = GraphQLFile(
  ///   fieldName: "photo", originalName: "luke.jpg", mimeType: "image/jpeg", data: data)
  /// let response = try await apollo.upload(operation: mutation, files: [photo])
  /// ```
  ///
  /// Each file replaces the value of a variable; see `UploadingNetworkTransport.upload(_:files:)`.
  ///
  /// - Parameters:
  ///   - operation: The query or mutation with the values of its variables.
  ///   - files: The files and the names of their variables.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: ``ApolloClientError`` if the transport cannot upload files; otherwise the errors of
  ///   ``perform(mutation:contextIdentifier:requestConfiguration:)``.
  public func upload<Operation: UploadableOperation>(
    operation: Operation,
    files: [GraphQLFile],
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Operation> {
    var request = request(
      operation, .networkOnly, requestConfiguration, contextIdentifier, files: files)
    let layer = place(&request)
    return try await response(to: request, in: layer)
  }

  /// Removes all data from the cache and notifies watchers.
  public func clearCache() async throws { try await store.clearCache() }
}
