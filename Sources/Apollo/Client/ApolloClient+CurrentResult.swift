import ApolloAPI
import ApolloCache

// The shortcut of a fetch that waits for nothing. The steps of a call cost more than such a fetch:
// each looks up generic types, and prepares for a server that is not asked.

extension ApolloClient {
  /// Returns the response to a query that the cache has given before, if nothing of it has changed
  /// since. Returns `nil` for every call that needs its steps: if the result is not current, if an
  /// observer or an interceptor takes part, or if the server comes first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled or the session has ended, and
  ///   `StoreError` inside of a transaction.
  func currentResponse<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) throws -> GraphQLResponse<Operation>? {
    guard Operation.operationType == .query, isAnsweredFirstByCache(request.fetchBehavior),
      request.traceRecorder == nil, !request.configuration.readsPagesAlone
    else { return nil }
    try Task.checkCancellation()
    if request.fetchBehavior.networkFetch != .never {
      try store.checkIsOutsideOfTransactions()
    }
    guard
      let reading = try store.currentReading(
        of: request.operation, servesFailures: request.configuration.servesCachedErrors,
        demanding: request.freshnessDemand),
      let response = GraphQLResponse<Operation>(reading)
    else { return nil }
    try request.facts.session?.check()
    return response
  }

  /// Indicates whether nothing but the cache takes part in a call that the cache can answer.
  private func isAnsweredFirstByCache(_ behavior: FetchBehavior) -> Bool {
    behavior.cacheRead == .beforeNetworkFetch
      && (behavior.networkFetch == .onCacheMiss || behavior.networkFetch == .never)
      && context.observers.isEmpty
      && context.transport._interceptors(for: .query, hasFiles: false) == nil
  }
}
