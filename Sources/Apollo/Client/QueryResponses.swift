public import ApolloAPI

/// The responses to one query: first from the cache, if all of the data is there, then from the server.
///
/// Nothing happens until it is iterated; the server is asked when the value after the cached one is
/// awaited, or at once when the cache had none.
public struct QueryResponses<Query: GraphQLQuery>: AsyncSequence, Sendable {
  let executor: OperationExecutor
  let request: GraphQLRequest<Query>

  /// Begins with the cache.
  public func makeAsyncIterator() -> Iterator {
    Iterator(executor: executor, request: request)
  }

  /// Takes one step after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Step {
      case cache, network, done
    }

    private let executor: OperationExecutor
    private let request: GraphQLRequest<Query>
    private var step: Step

    init(executor: OperationExecutor, request: GraphQLRequest<Query>) {
      self.executor = executor
      self.request = request
      step = request.fetchBehavior == .cacheAndNetwork ? .cache : .network
    }

    /// The next response; `nil` behind that of the server.
    public mutating func next() async throws -> GraphQLResponse<Query>? {
      if step == .cache {
        step = .network
        if let cached = try await cachedResponse() { return cached }
      }
      guard step == .network else { return nil }
      step = .done
      var request = request
      if request.fetchBehavior == .cacheAndNetwork { request.fetchBehavior = .networkOnly }
      return try await executor.response(to: request)
    }

    /// What the cache has. A miss is silent, and so is a cache that cannot be read: the server
    /// follows anyway.
    private func cachedResponse() async throws -> GraphQLResponse<Query>? {
      var request = request
      request.fetchBehavior = .cacheOnly
      do {
        return try await executor.response(to: request)
      } catch {
        try Task.checkCancellation()
        if !(error is CacheMissError) { executor.store.report(error) }
        return nil
      }
    }
  }
}
