import ApolloAPI
import ApolloCache

/// Makes two calls of one that takes the data of the cache and then that of the server.
///
/// With ``FetchBehavior/cacheAndNetwork`` and ``FetchBehavior/revalidateCache``, the cache and the
/// server are two calls to the interceptors: what repeats a failed request does not read the cache
/// again.
struct CacheThenServerStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    guard !call.request.isWhole else { return false }
    let behavior = call.request.fetchBehavior
    return behavior == .revalidateCache || behavior == .cacheAndNetwork
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let revalidates = call.request.fetchBehavior == .revalidateCache
    if let server = call.serverCall { return try await rest.next(of: server) }
    if call.source == .none { return nil }
    let interception = call.interception
    // A chain reads the cache by its own steps, but does not know whether it is stale.
    let readsByItself = interception?.hasRequestChain ?? false && !revalidates
    let server = Call(readsByItself ? call.request : call.request.with(.networkOnly), call.context)
    server.interception = interception
    // A chain makes a call of its own kind.
    if !readsByItself { server.waiting = call.waiting }
    if !readsByItself, let cached = try await cachedResponse(to: call, from: rest) {
      if revalidates, !cached.isStale, cached.isComplete {
        call.source = .none
      } else {
        call.serverCall = server
      }
      return cached
    }
    call.serverCall = server
    return try await rest.next(of: server)
  }

  /// Returns the cached response, or `nil` if data is missing or the cache cannot be read.
  ///
  /// Neither is an error of the call, because the server's responses follow. The additional error
  /// interceptor is not asked.
  private func cachedResponse<Operation: GraphQLOperation>(
    to call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    do {
      var cacheOnly = call.request.with(.cacheOnly)
      cacheOnly.configuration.ttlEnforcement = call.request.freshnessDemand.enforcement
      let cache = Call(cacheOnly, call.context)
      cache.interception = call.interception
      cache.asksErrorInterceptor = false
      return try await rest.response(of: cache)
    } catch {
      try call.checkIsWanted()
      if !(error is CacheMissError) { call.context.store.report(error) }
      return nil
    }
  }
}

extension GraphQLRequest {
  fileprivate func with(_ behavior: FetchBehavior) -> GraphQLRequest {
    var request = self
    request.fetchBehavior = behavior
    return request
  }
}
