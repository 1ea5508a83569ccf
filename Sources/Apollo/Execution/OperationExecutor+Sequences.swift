import ApolloAPI
import ApolloCache
import ApolloTransport

// Calls that take each response as it arrives: from the cache and then from the server, in parts,
// or one for each event of a subscription.

extension OperationExecutor {
  /// Executes `request` with all interceptors and returns its responses.
  ///
  /// With ``FetchBehavior/cacheAndNetwork`` and ``FetchBehavior/revalidateCache``, the cache and
  /// the server are two calls to the interceptors: what repeats a failed request does not read the
  /// cache again.
  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    guard needsEvents(request) else { return unobservedResponses(to: request) }
    return observedResponses(to: request)
  }

  /// Executes `request`, of whose end nothing is reported.
  func unobservedResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    guard Operation.operationType != .subscription, let limit = timeLimit(of: request) else {
      return unlimitedResponses(to: request)
    }
    var request = request
    request.hasDeadline = true
    let responses = unlimitedResponses(to: request)
      .limited(to: limit, clock: clock, url: transport.endpointURL)
    return GraphQLResponses {
      var iterator = responses.makeAsyncIterator()
      return { try await CacheDeadline.limiting(limit) { try await iterator.next() } }
    }
  }

  private func unlimitedResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    let revalidates = request.fetchBehavior == .revalidateCache
    guard revalidates || request.fetchBehavior == .cacheAndNetwork else {
      return interceptedResponses(to: request)
    }
    return GraphQLResponses {
      var server: GraphQLResponses<Operation>.Iterator?
      var isFresh = false
      return {
        if isFresh { return nil }
        if server == nil {
          let interception = interception(of: request)
          // A chain reads the cache by its own steps, but does not know whether it is stale.
          let readsByItself = interception?.hasRequestChain ?? false && !revalidates
          server = interceptedResponses(
            to: readsByItself ? request : request.with(.networkOnly), interception
          ).makeAsyncIterator()
          if !readsByItself, let cached = try await cachedResponse(to: request) {
            isFresh = revalidates && !cached.isStale
            return cached
          }
        }
        return try await server?.next()
      }
    }
  }

  /// Returns the cached response, or `nil` if data is missing or the cache cannot be read.
  ///
  /// Neither is an error of the call, because the server's responses follow.
  private func cachedResponse<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    do {
      var cacheOnly = request.with(.cacheOnly)
      cacheOnly.configuration.ttlEnforcement = request.freshnessDemand.enforcement
      return try await response(to: cacheOnly)
    } catch {
      try Task.checkCancellation()
      if !(error is CacheMissError) { store.report(error) }
      return nil
    }
  }

  /// Passes the request through the interceptors, and an error to the additional error interceptor.
  private func interceptedResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    guard transport.interceptors(for: Operation.operationType) != nil else {
      return responsesOfSources(to: request)
    }
    return GraphQLResponses {
      var iterator: GraphQLResponses<Operation>.Iterator?
      return {
        if iterator == nil {
          iterator = interceptedResponses(to: request, interception(of: request))
            .makeAsyncIterator()
        }
        return try await iterator?.next()
      }
    }
  }

  private func interceptedResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, _ interception: Interception<Operation>?
  ) -> GraphQLResponses<Operation> {
    guard let interception else { return responsesOfSources(to: request) }
    return GraphQLResponses {
      let chain = interception.chain
      var iterator = chain.responses(to: request).makeAsyncIterator()
      let retried = RemainingResponses<Operation>()
      var hasFailed = false
      return {
        if hasFailed { return try await retried.next() }
        do {
          return try await iterator.next()
        } catch let error where !(error is CancellationError) {
          guard let errorInterceptor = interception.errorInterceptor(for: request.operation) else {
            throw error
          }
          hasFailed = true
          do {
            return try await errorInterceptor.handleError(
              error, request: request, retry: chain.keepingRemaining(in: retried))
          } catch is NoResponse {
            return nil
          }
        }
      }
    }
  }

  /// Executes `request` with the cache and the server alone.
  func responsesOfSources<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      // Stays `nil` if the cache has the response.
      var server: GraphQLResponses<Operation>.Iterator?
      var isFirst = true
      return {
        guard isFirst else { return try await server?.next() }
        isFirst = false
        do {
          return try await response(to: request) {
            server = serverResponses(to: request).makeAsyncIterator()
            guard let first = try await server?.next() else { throw NoResponse() }
            return first
          }
        } catch is NoResponse {
          return nil
        }
      }
    }
  }

  /// Sends the operation. Each response is in the cache when it is delivered, unless the request
  /// excludes that.
  private func serverResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      var iterator: NetworkResponses.Iterator?
      var exchange: ServerExchange?
      return {
        if iterator == nil {
          let new = begin(request)
          exchange = new
          iterator = try networkResponses(to: request, new).makeAsyncIterator()
        }
        guard let response = try await iterator?.next(), let current = exchange else {
          exchange = nil
          return nil
        }
        // A reader may take its time before it asks for the end.
        defer { if request.transportRequest.partsContent == nil { current.sent.end() } }
        try Task.checkCancellation()
        return try await receive(response, of: current, for: request)
      }
    }
  }

  /// - Throws: ``ApolloClientError`` if the transport cannot send subscriptions.
  private func networkResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, _ exchange: ServerExchange
  ) throws -> NetworkResponses {
    if Operation.operationType == .subscription, !transport._sendsSubscriptions {
      throw ApolloClientError(
        .noSubscriptionTransport, operationName: Operation.operationName, transport: transport)
    }
    return transport.responses(to: request.transportRequest(exchange))
  }
}

extension GraphQLRequest {
  fileprivate func with(_ behavior: FetchBehavior) -> GraphQLRequest {
    var request = self
    request.fetchBehavior = behavior
    return request
  }
}
