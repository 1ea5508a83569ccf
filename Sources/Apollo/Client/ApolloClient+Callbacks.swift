public import ApolloAPI
public import ApolloTransport
public import Dispatch
public import Foundation

/// A closure that receives the result of a call, or the reason why there is none.
public typealias GraphQLResultHandler<Data: RootSelectionSet> =
  @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void

/// A closure that receives the result of a call on the main actor.
///
/// Calls without a `queue:` take it, so that a handler can use views and view controllers.
public typealias MainActorResultHandler<Data: RootSelectionSet> =
  @MainActor @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void

extension ApolloClientProtocol {
  /// Fetches the data of a query and delivers it to a handler on the main actor.
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
  /// The handler is called exactly once, except in three cases:
  ///
  /// - With ``CachePolicy/returnCacheDataAndFetch``, it is called twice if the cache has all of the
  ///   data.
  /// - If the server delivers the response in parts, it is called for each part, and once more if
  ///   the response breaks off.
  /// - If ``RequestConfiguration/returnPartialData`` is set in the client's
  ///   ``ApolloClient/defaultRequestConfiguration``, and the cache has a part of the data, it is
  ///   called for that part first.
  ///
  /// A cancelled call delivers a `CancellationError`.
  ///
  /// A program that blocks its main thread to wait for the result uses the call with a `queue:`.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - resultHandler: A closure that receives each result, always asynchronously.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    contextIdentifier: UUID? = nil,
    resultHandler: @escaping MainActorResultHandler<Query.Data>
  ) -> any Cancellable {
    fetch(query, cachePolicy, contextIdentifier, deliveryOnMain(to: resultHandler))
  }

  /// Fetches the data of a query and delivers it to a handler on a queue.
  ///
  /// - Parameters:
  ///   - query: The query with the values of its variables.
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives each result.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query,
    cachePolicy: CachePolicy = .default,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    fetch(query, cachePolicy, contextIdentifier, delivery(on: queue, to: resultHandler))
  }

  private func fetch<Query: GraphQLQuery>(
    _ query: Query, _ cachePolicy: CachePolicy, _ contextIdentifier: UUID?,
    _ deliver: @escaping CallbackDelivery<Result<GraphQLResult<Query.Data>, any Error>>
  ) -> any Cancellable {
    let request = request(
      query, cachePolicy.fetchBehavior,
      configuration(writesResultsToCache: cachePolicy.writesResultsToCache), contextIdentifier)
    let responses = responses(to: request)
    return CallTask(in: request.facts.session) { [self] results in
      var isEmpty = true
      do {
        for try await response in responses {
          try Task.checkCancellation()
          isEmpty = false
          deliver { results.delivered(.success(GraphQLResult(response))) }
        }
        if isEmpty {
          // A sequence of another author may end when its task is cancelled.
          try Task.checkCancellation()
          throw ApolloClientError(
            .noResponse, operationName: Query.operationName,
            transport: (self as? ApolloClient)?.networkTransport ?? self)
        }
      } catch {
        deliver { results.delivered(.failure(error)) }
      }
    }
  }

  /// Performs a mutation and delivers its result to a handler on the main actor.
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
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    resultHandler: MainActorResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, publishResultToStore, contextIdentifier,
      resultHandler.map { deliveryOnMain(to: $0) })
  }

  /// Performs a mutation and delivers its result to a handler on a queue.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, publishResultToStore, contextIdentifier,
      resultHandler.map { delivery(on: queue, to: $0) })
  }

  private func perform<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ publishResultToStore: Bool, _ contextIdentifier: UUID?,
    _ deliver: CallbackDelivery<Result<GraphQLResult<Mutation.Data>, any Error>>?
  ) -> any Cancellable {
    call(
      request(
        mutation, .networkOnly, configuration(writesResultsToCache: publishResultToStore),
        contextIdentifier),
      deliver)
  }

  /// Sends an operation with files and delivers its result to a handler on the main actor, exactly
  /// once.
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
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func upload<Operation: UploadableOperation>(
    operation: Operation,
    files: [GraphQLFile],
    contextIdentifier: UUID? = nil,
    resultHandler: MainActorResultHandler<Operation.Data>?
  ) -> any Cancellable {
    call(
      request(operation, .networkOnly, nil, contextIdentifier, files: files),
      resultHandler.map { deliveryOnMain(to: $0) })
  }

  /// Sends an operation with files and delivers its result to a handler on a queue, exactly once.
  ///
  /// - Parameters:
  ///   - operation: The operation with the values of its variables.
  ///   - files: The files and the names of their variables.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func upload<Operation: UploadableOperation>(
    operation: Operation,
    files: [GraphQLFile],
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    call(
      request(operation, .networkOnly, nil, contextIdentifier, files: files),
      resultHandler.map { delivery(on: queue, to: $0) })
  }

  private func call<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>,
    _ deliver: CallbackDelivery<Result<GraphQLResult<Operation.Data>, any Error>>?
  ) -> any Cancellable {
    var request = request
    let layer = place(&request)
    return call(
      request, { [self, request] in try await response(to: request, in: layer) }, deliver)
  }

  /// Delivers the response that `respond` returns, exactly once.
  func call<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>,
    _ respond: @escaping @Sendable () async throws -> GraphQLResponse<Operation>,
    _ deliver: CallbackDelivery<Result<GraphQLResult<Operation.Data>, any Error>>?
  ) -> any Cancellable {
    CallTask(in: request.facts.session) { results in
      let result: Result<GraphQLResult<Operation.Data>, any Error>
      do {
        let response = try await respond()
        try Task.checkCancellation()
        result = .success(GraphQLResult(response))
      } catch {
        result = .failure(error)
      }
      deliver? { results.delivered(result) }
    }
  }

  /// Removes all data from the cache, notifies watchers, and calls `completion`.
  public func clearCache(
    callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (Result<Void, any Error>) -> Void)?
  ) {
    store.clearCache(callbackQueue: callbackQueue, completion: completion)
  }
}
