public import ApolloAPI

/// The responses to one query: from the cache, if all of the data is there, then from the server.
///
/// Returned by
/// ``ApolloClient/fetch(query:cachePolicy:requestConfiguration:)-(_,CachePolicy.Query.CacheAndNetwork,_)``.
///
/// ```swift
/// let responses = apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork)
/// for try await response in responses {
///   print(response.source, response.data?.hero?.name ?? "no hero")
/// }
/// ```
///
/// The sequence is lazy: the cache is read when the first response is awaited, the request is sent
/// when the next one is. Each iteration is a call of its own.
public struct QueryResponses<Query: GraphQLQuery>: AsyncSequence, Sendable {
  let executor: OperationExecutor
  let request: GraphQLRequest<Query>

  /// Returns an iterator that begins with the cache.
  public func makeAsyncIterator() -> Iterator {
    Iterator(executor: executor, request: request)
  }

  /// An iterator that makes one step of the call at a time.
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

    /// Returns the next response, or `nil` after the server's response.
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

    /// Returns the cached response, or `nil` if data is missing or the cache cannot be read.
    ///
    /// Neither is an error of the call, because the server's response follows.
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
