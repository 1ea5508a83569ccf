import ApolloAPI
import ApolloCache
import ApolloTransport

extension CallContext {
  /// Reads the response from the cache.
  ///
  /// - Throws: `CacheMissError` if some of the data is missing.
  func readFromCache<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let start = clientGeneration
    var reading: CacheReading<Operation.Data>
    do {
      reading = try await load(request)
    } catch {
      request.traceRecorder?.record(.unreadable(since: start))
      throw error
    }
    reading.trace = clientTrace(reading.trace, since: start)
    request.traceRecorder?.record(.trace(reading.trace))
    guard let response = GraphQLResponse<Operation>(reading) else {
      throw CacheMissError(operationName: Operation.operationName, misses: reading.misses)
    }
    return response
  }

  /// Reads the cache, and reports it.
  private func load<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> CacheReading<Operation.Data> {
    let servesErrors = request.configuration.servesCachedErrors
    let keepsPartialData = request.configuration.returnPartialData
    guard let events = request.facts.events else {
      return try await store.load(
        request.operation, servesFailures: servesErrors, keepsPartialData: keepsPartialData,
        readsPagesAlone: request.configuration.readsPagesAlone, demanding: request.freshnessDemand)
    }
    let start = events.now
    do {
      let reading = try await store.load(
        request.operation, servesFailures: servesErrors, keepsPartialData: keepsPartialData,
        readsPagesAlone: request.configuration.readsPagesAlone, demanding: request.freshnessDemand)
      events.record(
        .cacheRead(reading.misses.isEmpty ? .hit : .miss, duration: events.now - start))
      return reading
    } catch {
      if !(error is CancellationError) {
        events.record(.cacheRead(.failure, duration: events.now - start))
      }
      throw error
    }
  }
}

extension GraphQLResponse {
  /// The response that a cache reading found, or `nil` if some of the data is missing.
  init?(_ reading: CacheReading<Operation.Data>) {
    // With '@throwOnFieldError' or '@required', errors from the cache can leave no data.
    guard reading.data != nil || reading.end == .error else { return nil }
    self.init(
      data: reading.data, errors: reading.errors.isEmpty ? nil : reading.errors, source: .cache)
    result.dependencies = reading.trace
    result.freshness = reading.freshness
    if data != nil { result.missing = reading.misses.map(\.path) }
  }
}
