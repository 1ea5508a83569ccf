import ApolloAPI
import ApolloCache
import ApolloTransport

/// Carries operations out: cache and server in the order that each request asks for.
struct OperationExecutor: Sendable {
  let transport: any NetworkTransport
  let store: ApolloStore
  private let interceptorProvider: (any InterceptorProvider)?

  init(transport: any NetworkTransport, store: ApolloStore) {
    self.transport = transport
    self.store = store
    interceptorProvider = (transport as? RequestChainNetworkTransport)?.interceptorProvider
  }

  /// The response to `request`, by way of all interceptors.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let interceptorProvider else { return try await execute(request) }
    let interceptors = interceptorProvider.graphQLInterceptors(for: request.operation)
    let chain = InterceptorChain<Operation>(interceptors: interceptors[...], executor: self)
    do {
      return try await chain.proceed(request)
    } catch let error where !(error is CancellationError) {
      let handler = interceptorProvider.additionalErrorInterceptor(for: request.operation)
      guard let handler else { throw error }
      return try await handler.handleError(error, request: request, retry: chain)
    }
  }

  /// The response to `request`, from cache and server.
  func execute<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    try Task.checkCancellation()
    // Before anything is sent: a mutation must not be carried out for a result that cannot be kept.
    if request.usesCache { try store.checkIsOutsideOfTransactions() }
    switch (request.fetchBehavior.cacheRead, request.fetchBehavior.networkFetch) {
    case (_, .never): return try await cached(request)
    case (.beforeNetworkFetch, .onCacheMiss): return try await cacheFirst(request)
    case (.onNetworkFailure, _): return try await networkFirst(request)
    default: return try await fetched(request)
    }
  }

  private func cacheFirst<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let cacheError: any Error
    do {
      return try await cached(request)
    } catch is CacheMissError {
      return try await fetched(request)
    } catch {
      // A cache that cannot be read counts as a miss, but is not forgotten.
      try Task.checkCancellation()
      store.report(error)
      cacheError = error
    }
    do {
      return try await fetched(request)
    } catch {
      try Task.checkCancellation()
      throw CacheAndNetworkError(networkError: error, cacheError: cacheError)
    }
  }

  private func networkFirst<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let networkError: any Error
    do {
      return try await fetched(request)
    } catch {
      try Task.checkCancellation()
      networkError = error
    }
    do {
      return try await cached(request)
    } catch {
      try Task.checkCancellation()
      throw CacheAndNetworkError(networkError: networkError, cacheError: error)
    }
  }
}

// MARK: - The two sides

extension OperationExecutor {
  /// What the cache has. Nothing is sent.
  ///
  /// - Throws: ``CacheMissError`` when something is missing.
  func cached<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let reading = try await store.load(request.operation)
    request.traces?.put(reading.trace)
    guard let response = GraphQLResponse<Operation>(reading) else {
      throw CacheMissError(operationName: Operation.operationName, misses: reading.misses)
    }
    return response
  }

  /// What the server answers. It is in the cache when this returns, if the request wants that.
  func fetched<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard !request.files.isEmpty else {
      return try await receive(transport.send(request.transportRequest), for: request)
    }
    guard let transport = transport as? any UploadingNetworkTransport else {
      throw ApolloClient.Error.noUploadTransport
    }
    let answer = try await transport.upload(request.transportRequest, files: request.files)
    return try await receive(answer, for: request)
  }

  /// Reads an answer and writes it to the cache, in one walk over the bytes.
  private func receive<Operation: GraphQLOperation>(
    _ answer: NetworkResponse, for request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let writesToCache = request.configuration.writeResultsToCache
    let normalizer = writesToCache ? store.normalizer(for: request.operation) : nil
    var response = try ResponseDecoder().decode(
      answer.body, as: request.operation, listener: normalizer)
    response.http = answer.http
    guard let normalizer, response.data != nil else { return response }
    let records = normalizer.finish(errors: response.errors ?? [])
    let trace = try await keep(records, origin: request.origin)
    request.traces?.put(trace)
    return response
  }

  /// Writes an answer to the cache. If the cache fails, the answer is good all the same.
  private func keep(_ response: NormalizedResponse, origin: ChangeOrigin?) async throws
    -> ReadingTrace
  {
    do {
      return try await store.publish(response, origin: origin)
    } catch let error where !(error is CancellationError || error is StoreError) {
      store.report(error)
      return store.trace(of: response)
    }
  }
}

extension GraphQLRequest {
  /// Whether the cache is read or written on the way.
  fileprivate var usesCache: Bool {
    fetchBehavior.cacheRead != .never || configuration.writeResultsToCache
  }

  var transportRequest: OperationRequest {
    OperationRequest(
      operation, additionalHeaders: configuration.additionalHeaders,
      timeout: configuration.requestTimeout)
  }
}

extension GraphQLResponse {
  /// What a reading of the cache found; `nil` when something was missing.
  init?(_ reading: CacheReading<Operation.Data>) {
    guard let data = reading.data else { return nil }
    self.init(data: data, errors: reading.errors.isEmpty ? nil : reading.errors, source: .cache)
  }
}
