import ApolloAPI
import ApolloCache

/// Takes the response of the cache, of the server, or of the second one if the first one fails, as
/// the request's fetch behavior says.
struct SourcesStep: CallStep {
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    switch call.source {
    case .none: return nil
    case .server: return try await rest.next(of: call)
    case .undecided: call.source = .none
    }
    try Task.checkCancellation()
    let behavior = call.request.fetchBehavior
    // Checked before the request is sent: a mutation whose result cannot be written must not run.
    // A call that only reads is checked by its reading, which tasks of a transaction may do.
    if behavior.networkFetch != .never, call.request.usesCache {
      try call.context.store.checkIsOutsideOfTransactions()
    }
    do {
      switch (behavior.cacheRead, behavior.networkFetch) {
      case (_, .never): return try await call.context.readFromCache(call.request)
      case (.beforeNetworkFetch, .onCacheMiss), (.beforeNetworkFetch, .onStaleCache):
        return try await cacheFirst(call, rest)
      case (.onNetworkFailure, _): return try await networkFirst(call, rest)
      default: return try await fetch(call, rest)
      }
    } catch is NoResponse {
      return nil
    }
  }

  /// Returns the first response of the server, or `nil` if the call waits for it elsewhere. In a
  /// call that does not take a whole response, others may follow.
  private func fetch<Operation: GraphQLOperation>(
    _ call: Call<Operation>, _ rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    do {
      let response = try await rest.next(of: call)
      guard response != nil || call.isWaiting else { throw NoResponse() }
      if !call.request.isWhole { call.source = .server }
      return response
    } catch {
      call.endExchange()
      throw error
    }
  }

  private func cacheFirst<Operation: GraphQLOperation>(
    _ call: Call<Operation>, _ rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let cacheError: any Error
    do {
      let cached = try await call.context.readFromCache(call.request)
      if cached.isComplete { return cached }
      // The server has the rest. A call with one response waits for that.
      guard !call.request.isWhole else { return try await fetch(call, rest) }
      call.source = .server
      return cached
    } catch is CacheMissError {
      return try await fetch(call, rest)
    } catch {
      // An unreadable cache counts as a miss, but its error is reported and kept.
      try call.checkIsWanted()
      call.context.store.report(error)
      cacheError = error
    }
    do {
      return try await fetch(call, rest)
    } catch {
      try call.checkIsWanted()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: error, cacheError: cacheError)
    }
  }

  private func networkFirst<Operation: GraphQLOperation>(
    _ call: Call<Operation>, _ rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let networkError: any Error
    do {
      return try await fetch(call, rest)
    } catch {
      try call.checkIsWanted()
      networkError = error
    }
    do {
      return try await call.context.readFromCache(call.request)
    } catch {
      try call.checkIsWanted()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: networkError, cacheError: error)
    }
  }
}
