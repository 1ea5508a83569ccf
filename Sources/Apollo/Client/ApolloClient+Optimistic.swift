public import ApolloAPI
public import ApolloCache
public import Dispatch
public import Foundation

/// Mutations whose result is visible before the server responds.
///
/// Optimistic data is in a layer of its own above the cache, and is never written to the cache.
/// Queries and watchers see it until the mutation ends:
///
/// | end of the mutation | its layer |
/// | :-- | :-- |
/// | a response with data | The response takes its place, in the same step. |
/// | a response without data, an error, a cancellation | It is removed, and nothing of it remains. |
///
/// The layers of several mutations are in the order of the calls. A response that arrives before
/// that of an older mutation stays above it. The response of a query is below all layers, so a
/// watcher never flips back to the server's older data.
extension ApolloClientProtocol {
  /// Performs a mutation and shows its expected data until the server responds.
  ///
  /// ```swift
  /// let expected = try RenameCharacterMutation.Data(jsonObject: [
  ///   "renameCharacter": ["__typename": "Human", "id": "1000", "name": "Luke"]
  /// ])
  /// let response = try await apollo.perform(
  ///   mutation: RenameCharacterMutation(id: "1000", name: "Luke"), optimistic: expected)
  /// ```
  ///
  /// The data is visible as if it were the response: in the cached objects with the same keys.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - data: The expected data.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of ``perform(mutation:contextIdentifier:requestConfiguration:)``. The
  ///   expected data is no longer visible then.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic data: Mutation.Data,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Mutation> {
    try await response(
      to: request(mutation, .networkOnly, requestConfiguration, contextIdentifier),
      in: store.layers.reserve(), showing: writing(data, for: mutation))
  }

  // The parameter without a use makes a trailing closure that of a result handler, also where
  // `await` is possible: the compiler tries the first parameter with the type of a function, which
  // no such closure fits. `perform(mutation:)` without data is the better match for that call.

  /// Performs a mutation and shows the changes of a closure until the server responds.
  ///
  /// ```swift
  /// let response = try await apollo.perform(
  ///   mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
  ///   optimistic: { transaction in
  ///     try transaction.merge(["Human:1000": ["name": "Luke"]])
  ///   })
  /// ```
  ///
  /// The closure sees the cache and the layers of older mutations. It runs again whenever something
  /// that it has read there changes, so it must depend on nothing else, and must have no other
  /// effects.
  ///
  /// A closure that throws, such as for data that is not in the cache, changes nothing until it
  /// runs again. The mutation is sent nevertheless.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - _noTrailingClosure: Not used.
  ///   - update: The closure that makes the changes. Its transaction writes to the layer.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of ``perform(mutation:contextIdentifier:requestConfiguration:)``. The
  ///   changes are no longer visible then.
  @_disfavoredOverload
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    _noTrailingClosure: ((Never, Never, Never) -> Never)? = nil,
    optimistic update: (@Sendable (ReadWriteTransaction) throws -> Void)? = nil,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResponse<Mutation> {
    try await response(
      to: request(mutation, .networkOnly, requestConfiguration, contextIdentifier),
      in: store.layers.reserve(), showing: update)
  }

  /// Performs a mutation, shows its expected data until the server responds, and delivers the
  /// result to a handler on the main actor.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - data: The expected data.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic data: Mutation.Data,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    resultHandler: MainActorResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, writing(data, for: mutation), publishResultToStore, contextIdentifier,
      resultHandler.map { deliveryOnMain(to: $0) })
  }

  /// Performs a mutation, shows the changes of a closure until the server responds, and delivers
  /// the result to a handler on the main actor.
  ///
  /// ```swift
  /// apollo.perform(
  ///   mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
  ///   optimistic: { try $0.merge(["Human:1000": ["name": "Luke"]]) }
  /// ) { result in
  ///   print(result)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - update: The closure that makes the changes, whenever the records below have changed.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic update: @escaping @Sendable (ReadWriteTransaction) throws -> Void,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    resultHandler: MainActorResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, update, publishResultToStore, contextIdentifier,
      resultHandler.map { deliveryOnMain(to: $0) })
  }

  /// Performs a mutation, shows its expected data until the server responds, and delivers the
  /// result to a handler on a queue.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - data: The expected data.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic data: Mutation.Data,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, writing(data, for: mutation), publishResultToStore, contextIdentifier,
      resultHandler.map { delivery(on: queue, to: $0) })
  }

  /// Performs a mutation, shows the changes of a closure until the server responds, and delivers
  /// the result to a handler on a queue.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - update: The closure that makes the changes, whenever the records below have changed.
  ///   - publishResultToStore: `false` to leave the cache unchanged.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic update: @escaping @Sendable (ReadWriteTransaction) throws -> Void,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation, update, publishResultToStore, contextIdentifier,
      resultHandler.map { delivery(on: queue, to: $0) })
  }

  private func perform<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ update: @escaping OptimisticUpdate, _ publishResultToStore: Bool,
    _ contextIdentifier: UUID?,
    _ deliver: CallbackDelivery<Result<GraphQLResult<Mutation.Data>, any Error>>?
  ) -> any Cancellable {
    let request = request(
      mutation, .networkOnly, configuration(writesResultsToCache: publishResultToStore),
      contextIdentifier)
    let layer = store.layers.reserve()  // here, because the order of calls decides
    return call(
      request,
      { [self] in try await response(to: request, in: layer, showing: update) }, deliver)
  }

  private func writing<Mutation: GraphQLMutation>(
    _ data: Mutation.Data, for mutation: Mutation
  ) -> OptimisticUpdate {
    { try $0.write(data: data, for: mutation) }
  }
}

extension ApolloClientProtocol {
  /// Gives the response to a request its position: above the layers that exist at the call, and
  /// below later ones, which may be added before the task of the call begins.
  ///
  /// - Parameter request: The request of a call that shows nothing until it has a response.
  /// - Returns: The layer of the request, or `nil` if it needs none.
  func place<Operation: GraphQLOperation>(_ request: inout GraphQLRequest<Operation>) -> LayerID? {
    let layer = store.layers.reserveIfNeeded(for: Operation.self)
    if layer == nil { request.position = .requested(after: store.layers.latest) }
    return layer
  }

  /// Performs a mutation whose response takes the place of a layer.
  ///
  /// - Parameters:
  ///   - request: The mutation and the options of the call.
  ///   - layer: The layer, which this call removes, or `nil` if there are no others.
  ///   - update: The closure that makes the changes of the layer, if it shows any.
  /// - Returns: The response.
  /// - Throws: The error of the call.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, in layer: LayerID?,
    showing update: OptimisticUpdate? = nil
  ) async throws -> GraphQLResponse<Operation> {
    guard let layer else { return try await response(to: request) }
    var request = request
    request.position = .layer(layer)
    let result: Result<GraphQLResponse<Operation>, any Error>
    do {
      // The call may have waited until the next session.
      try request.facts.session?.check()
      if let update { try await store.showLayer(layer, update) }
      result = .success(try await response(to: request))
    } catch {
      result = .failure(error)
    }
    await store.removeLayer(layer)
    return try result.get()
  }
}
