public import ApolloAPI
public import ApolloCache
public import Dispatch
public import Foundation

/// Mutations whose response changes other cached data.
///
/// The closure `update` receives the response and a transaction. Its changes and the response are
/// one write: watchers see both or neither.
extension ApolloClientProtocol {
  /// Performs a mutation, and changes other cached data when it has a response with data.
  ///
  /// ```swift
  /// try await apollo.perform(
  ///   mutation: RenameCharacterMutation(id: "1000", name: "Luke"),
  ///   update: { transaction, response in
  ///     guard let name = response.data?.renameCharacter?.name else { return }
  ///     try transaction.merge(["Log": ["latestName": .string(name)]])
  ///   })
  /// ```
  ///
  /// The closure sees the cache with the response in it. If it throws, such as for a list that is
  /// not in the cache, it changes nothing, and the call does not fail: the server has performed the
  /// mutation. `onCacheFailure` of the store's configuration receives the error, unless data is
  /// missing.
  ///
  /// While the response waits for an older mutation with optimistic data, the closure runs again
  /// whenever the records below change, and a last time for the write. So it must depend on nothing
  /// but its parameters, and must have no other effects.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - data: The expected data, which is visible until the server responds, or `nil`.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  ///   - update: The closure that makes the changes.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of ``perform(mutation:contextIdentifier:requestConfiguration:)``.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic data: Mutation.Data? = nil,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil,
    update: @escaping @Sendable (ReadWriteTransaction, GraphQLResponse<Mutation>) throws -> Void
  ) async throws -> GraphQLResponse<Mutation> {
    var request = request(mutation, .networkOnly, requestConfiguration, contextIdentifier)
    request.update = update
    guard let data else {
      let layer = place(&request)
      return try await response(to: request, in: layer)
    }
    let showing: OptimisticUpdate = { try $0.write(data: data, for: mutation) }
    return try await response(to: request, in: store.layers.reserve(), showing: showing)
  }

  /// Performs a mutation, shows the changes of a closure until the server responds, and then
  /// changes other cached data.
  ///
  /// See the `async` function of the same arguments.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - optimistic: The closure that makes the changes of the layer, whenever the records below
  ///     have changed.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - requestConfiguration: The options of this call, or `nil` for those of the client.
  ///   - update: The closure that makes the changes because of the response.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of ``perform(mutation:contextIdentifier:requestConfiguration:)``.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic: @escaping @Sendable (ReadWriteTransaction) throws -> Void,
    contextIdentifier: UUID? = nil,
    requestConfiguration: RequestConfiguration? = nil,
    update: @escaping @Sendable (ReadWriteTransaction, GraphQLResponse<Mutation>) throws -> Void
  ) async throws -> GraphQLResponse<Mutation> {
    var request = request(mutation, .networkOnly, requestConfiguration, contextIdentifier)
    request.update = update
    return try await response(to: request, in: store.layers.reserve(), showing: optimistic)
  }

  /// Performs a mutation, changes other cached data when it has a response with data, and delivers
  /// the result to a handler on a queue.
  ///
  /// See the `async` function of the same arguments.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - optimistic: The closure that makes changes which are visible until the server responds, or
  ///     `nil`.
  ///   - update: The closure that makes the changes because of the response.
  ///   - contextIdentifier: An identifier for the cache write. A store's subscribers receive it.
  ///   - queue: The queue on which the handler is called, always asynchronously.
  ///   - resultHandler: A closure that receives the result, or `nil`.
  /// - Returns: A reference that can cancel the call.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    optimistic: (@Sendable (ReadWriteTransaction) throws -> Void)? = nil,
    update: @escaping @Sendable (ReadWriteTransaction, GraphQLResponse<Mutation>) throws -> Void,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    var request = request(mutation, .networkOnly, nil, contextIdentifier)
    request.update = update
    // Here, because the order of calls decides.
    let layer = optimistic == nil ? place(&request) : store.layers.reserve()
    return call(
      request,
      { [self, request] in try await response(to: request, in: layer, showing: optimistic) },
      resultHandler.map { delivery(on: queue, to: $0) })
  }
}
