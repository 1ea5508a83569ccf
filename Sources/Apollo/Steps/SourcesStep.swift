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
    case .missingFields:
      call.source = .none
      do { return try await fetchMissing(call, rest) } catch is NoResponse { return nil }
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
      case (.beforeNetworkFetch, .always) where call.request.isWhole:
        return try await fetch(call, rest)
      case (.beforeNetworkFetch, _): return try await cacheFirst(call, rest)
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
    var cacheError: (any Error)?
    do {
      let cached = try await call.context.readFromCache(call.request)
      // The server has the rest. A call with one response waits for that.
      if cached.isComplete || !call.request.isWhole {
        call.source = source(after: cached, call.request.fetchBehavior)
        return cached
      }
    } catch is CacheMissError {
      // The server has what is missing.
    } catch {
      // An unreadable cache counts as a miss, but its error is reported and kept.
      try call.checkIsWanted()
      call.context.store.report(error)
      cacheError = error
    }
    guard let cacheError else { return try await fetchMissing(call, rest) }
    do {
      return try await fetch(call, rest)
    } catch {
      try call.checkIsWanted()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: error, cacheError: cacheError)
    }
  }

  /// Returns the source of the responses that follow a cached one.
  ///
  /// ``CacheThenServerStep`` has made two calls of one whose caller asks for both. Here, an
  /// interceptor asks for them.
  private func source<Operation: GraphQLOperation>(
    after cached: GraphQLResponse<Operation>, _ behavior: FetchBehavior
  ) -> Call<Operation>.Source {
    switch behavior.networkFetch {
    case .always: .server
    case .onStaleCache where cached.isStale: .server
    default: cached.isComplete ? .none : .missingFields
    }
  }

  /// Returns the response of the server after a cache miss.
  ///
  /// The request is for the missing part if the call reads the cache first and asks for that, and
  /// if the cache then has everything. Otherwise it is for the operation.
  private func fetchMissing<Operation: GraphQLOperation>(
    _ call: Call<Operation>, _ rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let context = call.context
    if call.request.fetchBehavior == .cacheFirst,
      let completion = try await context.completion(of: call.request)
    {
      var request = call.request
      request.facts.completion = completion
      let start = context.store.freshness.now()
      do {
        let response = try await rest.response(to: request, context)
        let completed = try await context.completed(
          call.request, by: response, lookingUp: completion.names, sentAt: start)
        if let completed { return completed }
      } catch is ResponseError {
        // The response to the whole operation decides whether the server can be understood.
      }
      try call.checkIsWanted()
    }
    return try await fetch(call, rest)
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
