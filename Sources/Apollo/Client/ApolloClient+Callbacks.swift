public import ApolloAPI
internal import ApolloCache
public import ApolloTransport
public import Dispatch
public import Foundation

/// A closure that receives the result of a call, or the reason why there is none.
public typealias GraphQLResultHandler<Data: RootSelectionSet> =
  @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void

extension ApolloClient {
  /// Fetches the data of a query and delivers it to a handler.
  ///
  /// ```swift
  /// apollo.fetch(query: HeroNameQuery(episode: .jedi)) { result in
  ///   switch result {
  ///   case .success(let result): print(result.data?.hero?.name ?? "no hero")
  ///   case .failure(let error): print(error)
  ///   }
  /// }
  /// ```
  ///
  /// The handler is called exactly once. With ``CachePolicy/returnCacheDataAndFetch``, it is called
  /// twice if the cache has all of the data; if the server delivers the response in parts, it is
  /// called for each of them. A cancelled call delivers a `CancellationError`.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously. A program that
  ///     blocks its main thread to wait for the result must pass another queue than `.main`.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    let configuration = RequestConfiguration(
      writeResultsToCache: cachePolicy.writesResultsToCache)
    let responses = executor.responses(
      to: GraphQLRequest(
        query, cachePolicy.fetchBehavior, configuration: configuration,
        origin: contextIdentifier.map { ChangeOrigin($0) }))
    return CallTask { [networkTransport] in
      var isEmpty = true
      do {
        for try await response in responses {
          try Task.checkCancellation()
          isEmpty = false
          queue.async { resultHandler(.success(GraphQLResult(response))) }
        }
        if isEmpty {
          // A sequence of another author may end when its task is cancelled.
          try Task.checkCancellation()
          throw ApolloClientError(
            .noResponse, operationName: Query.operationName, transport: networkTransport)
        }
      } catch {
        queue.async { resultHandler(.failure(error)) }
      }
    }
  }

  /// Performs a mutation and delivers its result to a handler.
  ///
  /// ```swift
  /// apollo.perform(mutation: RenameCharacterMutation(id: "1000", name: "Luke")) { result in
  ///   print(result)
  /// }
  /// ```
  ///
  /// The handler is called exactly once. A cancelled call delivers a `CancellationError`; the
  /// server may have carried out the mutation nevertheless.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously. A program that
  ///     blocks its main thread to wait for the result must pass another queue than `.main`.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    let configuration = RequestConfiguration(writeResultsToCache: publishResultToStore)
    let request = GraphQLRequest(
      mutation, .networkOnly, configuration: configuration,
      origin: contextIdentifier.map { ChangeOrigin($0) })
    return call(request, queue, resultHandler)
  }

  /// Sends an operation with files and delivers its result to a handler, exactly once.
  ///
  /// ```swift
  /// let photo = GraphQLFile(fieldName: "photo", originalName: "luke.jpg", data: data)
  /// apollo.upload(operation: mutation, files: [photo]) { result in print(result) }
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The operation with the values of its variables.
  ///   - files: The files and the names of their variables; see
  ///     `UploadingNetworkTransport.upload(_:files:)`.
  ///   - queue: The queue on which the handler is called, always asynchronously. A program that
  ///     blocks its main thread to wait for the result must pass another queue than `.main`.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func upload<Operation: UploadableOperation>(
    operation: Operation,
    files: [GraphQLFile],
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    let request = GraphQLRequest(
      operation, .networkOnly, configuration: RequestConfiguration(), files: files)
    return call(request, queue, resultHandler)
  }

  private func call<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ queue: DispatchQueue,
    _ resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    CallTask { [executor] in
      let result: Result<GraphQLResult<Operation.Data>, any Error>
      do {
        let response = try await executor.response(to: request)
        try Task.checkCancellation()
        result = .success(GraphQLResult(response))
      } catch {
        result = .failure(error)
      }
      if let resultHandler { queue.async { resultHandler(result) } }
    }
  }

  /// Removes all data from the cache, notifies watchers, and calls `completion`.
  public func clearCache(
    callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (Result<Void, any Error>) -> Void)?
  ) {
    _ = CallTask { [store] in
      let result: Result<Void, any Error>
      do {
        result = .success(try await store.clearCache())
      } catch {
        result = .failure(error)
      }
      if let completion { callbackQueue.async { completion(result) } }
    }
  }
}
