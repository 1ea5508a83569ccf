import ApolloAPI
import ApolloCache
import ApolloTransport

/// Executes operations with the interceptors, the cache and the server.
///
/// A call takes these steps:
///
/// 1. ``response(to:)`` passes the request through the GraphQL interceptors, in order.
/// 2. The end of their chain calls ``execute(_:)``. It rejects a call that would wait for the write
///    transaction in which it is made.
/// 3. The request's fetch behavior selects the sources: the cache, the server, or the second one if
///    the first one fails.
/// 4. The server's response is decoded and normalized in one pass over its bytes.
/// 5. Its records are published to the store, which notifies watchers. A failing cache does not
///    fail the call.
/// 6. The response returns through the interceptors, in reverse order.
/// 7. A remaining error goes to the additional error interceptor, which can retry from step 1.
///
/// All of this happens before the deadline of the call, which is its own timeout or the transport's
/// limit. A step that has not ended by then is cancelled and left behind. A call that can only wait
/// for requests and for other writers needs no task that could be left behind: both end by
/// themselves.
///
/// A call that takes several responses begins with ``responses(to:)`` and takes the same steps for
/// each of them; see `OperationExecutor+Sequences.swift`.
struct OperationExecutor: Sendable {
  let transport: any NetworkTransport
  let store: ApolloStore
  let clock: any AlarmClock
  let observers: [any CallEventObserver]

  init(
    transport: any NetworkTransport, store: ApolloStore, observers: [any CallEventObserver],
    clock: any AlarmClock
  ) {
    self.transport = transport
    self.store = store
    self.observers = observers
    self.clock = clock
  }

  /// Executes `request` with all interceptors. Steps 1 to 7, before the call's deadline.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard needsEvents(request) else { return try await unobservedResponse(to: request) }
    return try await observedResponse(to: request)
  }

  /// Executes `request`, of whose end nothing is reported.
  func unobservedResponse<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let limit = timeLimit(of: request) else { return try await intercepted(request) }
    return try await CacheDeadline.limiting(limit) {
      try await response(to: request, within: limit)
    }
  }

  private func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, within limit: Duration
  ) async throws -> GraphQLResponse<Operation> {
    var request = request
    request.hasDeadline = true
    if keepsDeadline(request) {
      request.deadline = deadline(limit)
      return try await execute(request)
    }
    // Code of the program, which interceptors are, may keep a thread from going on.
    return try await deadline(limit).limit(
      url: transport.endpointURL,
      startsHere: transport.interceptors(for: Operation.operationType) == nil
    ) { [request] in
      try await intercepted(request)
    }
  }

  /// Returns `true` if a call waits for nothing but requests, which end at the deadline by
  /// themselves, and for other writers of a cache in memory.
  private func keepsDeadline<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> Bool {
    transport._keepsDeadlines && request.files.isEmpty && store.isInMemory
  }

  /// The longest time that a call may take, or `nil` if it may take any time.
  ///
  /// A call that only reads the cache needs no limit. A subscription lives as long as it likes; its
  /// transport limits the time until it is established.
  func timeLimit<Operation: GraphQLOperation>(of request: GraphQLRequest<Operation>) -> Duration? {
    if let limit = request.configuration.requestTimeout { return limit }
    guard request.fetchBehavior.networkFetch != .never else { return nil }
    return transport._timeLimit(
      for: Operation.operationType, hasFiles: !request.files.isEmpty)
  }

  /// Starts the deadline of a call.
  func deadline(_ limit: Duration) -> CallDeadline { CallDeadline(limit, clock: clock) }

  @Sendable
  private func intercepted<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    guard let interception = interception(of: request) else { return try await execute(request) }
    let chain = interception.chain
    do {
      return try await chain.proceed(request)
    } catch let error where !(error is CancellationError) {
      guard let errorInterceptor = interception.errorInterceptor(for: request.operation) else {
        throw error
      }
      return try await errorInterceptor.handleError(error, request: request, retry: chain)
    }
  }

  /// Executes `request` with the cache and the server alone. Steps 2 to 5.
  func execute<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    try await response(to: request) { try await fetchFromServer(request) }
  }

  /// Returns a response from the sources that the request's fetch behavior names. `fetch` sends the
  /// operation and returns a response of the server.
  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>,
    orFetch fetch: () async throws -> GraphQLResponse<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    try Task.checkCancellation()
    // Checked before the request is sent: a mutation whose result cannot be written must not run.
    // A call that only reads is checked by its reading, which tasks of a transaction may do.
    if request.usesCache, request.fetchBehavior.networkFetch != .never {
      try store.checkIsOutsideOfTransactions()
    }
    switch (request.fetchBehavior.cacheRead, request.fetchBehavior.networkFetch) {
    case (_, .never): return try await readFromCache(request)
    case (.beforeNetworkFetch, .onCacheMiss), (.beforeNetworkFetch, .onStaleCache):
      return try await cacheFirst(request, fetch)
    case (.onNetworkFailure, _): return try await networkFirst(request, fetch)
    default: return try await fetch()
    }
  }

  private func cacheFirst<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ fetch: () async throws -> GraphQLResponse<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let cacheError: any Error
    do {
      return try await readFromCache(request)
    } catch is CacheMissError {
      return try await fetch()
    } catch {
      // An unreadable cache counts as a miss, but its error is reported and kept.
      try Task.checkCancellation()
      store.report(error)
      cacheError = error
    }
    do {
      return try await fetch()
    } catch {
      try Task.checkCancellation()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: error, cacheError: cacheError)
    }
  }

  private func networkFirst<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ fetch: () async throws -> GraphQLResponse<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let networkError: any Error
    do {
      return try await fetch()
    } catch {
      try Task.checkCancellation()
      networkError = error
    }
    do {
      return try await readFromCache(request)
    } catch {
      try Task.checkCancellation()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: networkError, cacheError: error)
    }
  }
}

// MARK: - Cache and server

extension OperationExecutor {
  /// Reads the response from the cache.
  ///
  /// - Throws: `CacheMissError` if some of the data is missing.
  func readFromCache<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let generation = store.registry.generation
    let reading: CacheReading<Operation.Data>
    do {
      reading = try await load(request)
    } catch {
      request.traceRecorder?.record(.unreadable(since: generation))
      throw error
    }
    request.traceRecorder?.record(.trace(reading.trace))
    guard let response = GraphQLResponse<Operation>(reading) else {
      throw CacheMissError(operationName: Operation.operationName, misses: reading.misses)
    }
    return response
  }

  /// Sends the operation. Its result is in the cache when this method returns, unless the request
  /// excludes that.
  func fetchFromServer<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let exchange = begin(request)
    return try await receive(send(request, in: exchange), of: exchange, for: request)
  }

  /// Notes that a request is about to be sent.
  func begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> ServerExchange {
    ServerExchange(store.begin(Operation.operationType))
  }

  /// Sends the operation and returns the whole response.
  ///
  /// - Throws: ``ApolloClientError`` if the operation has files, and the transport cannot upload.
  func send<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, in exchange: ServerExchange
  ) async throws -> NetworkResponse {
    let operation = request.transportRequest(exchange)
    guard !request.files.isEmpty else { return try await transport.send(operation) }
    guard let response = try await transport._upload(operation) else {
      throw ApolloClientError(
        .noUploadTransport, operationName: Operation.operationName, transport: transport)
    }
    return response
  }

  /// Decodes a response and normalizes it for the cache, in one pass over its bytes.
  func receive<Operation: GraphQLOperation>(
    _ networkResponse: NetworkResponse, of exchange: ServerExchange,
    for request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let (response, records) = try decode(networkResponse, of: exchange, for: request)
    guard let records else { return response }
    return try await write(records, of: exchange, for: request, response)
  }

  /// Returns the age of a response that was written, or `nil` if the store does not track it.
  func freshness<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>, _ trace: ReadingTrace
  ) -> ResponseFreshness? {
    store.freshness(of: request.operation, trace, request.freshnessDemand)
  }

  /// Decodes a response. Returns its records as well, if there are any for the cache.
  ///
  /// - Throws: `ResponseError`.
  func decode<Operation: GraphQLOperation>(
    _ networkResponse: NetworkResponse, of exchange: ServerExchange?,
    for request: GraphQLRequest<Operation>
  ) throws -> (GraphQLResponse<Operation>, ReceivedRecords?) {
    let events = request.events
    events?.record(.received(byteCount: networkResponse.body.count))
    let start = events?.now
    let writesToCache = request.configuration.writeResultsToCache
    let normalizer = writesToCache ? store.normalizer(for: request.operation) : nil
    var response: GraphQLResponse<Operation>
    do throws(ResponseError) {
      response = try ResponseDecoder().decode(
        networkResponse.body, as: request.operation, observer: normalizer)
    } catch {
      throw error.from(networkResponse)
    }
    response.http = networkResponse.http
    if let events, let start {
      events.record(
        .decoded(errorCount: response.errors?.count ?? 0, duration: events.now - start))
    }
    guard let normalizer, response.data != nil else { return (response, nil) }
    var records = normalizer.finish(errors: response.errors ?? [])
    records.sent = networkResponse.sent ?? exchange?.sent
    records.earlierPart = exchange?.latestPart
    records.receipt?.maxAge = store.freshness.serverMaxAge(of: networkResponse)
    let update = request.update.map { update -> OptimisticUpdate in
      { [response] in try update($0, response) }
    }
    return (response, ReceivedRecords(records: records, update: update))
  }

  /// Writes the records of a response to the cache.
  ///
  /// - Returns: The response. If newer data in the cache has overtaken some of it, it has the data
  ///   of the cache.
  func write<Operation: GraphQLOperation>(
    _ records: ReceivedRecords, of exchange: ServerExchange?,
    for request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    var response = response
    var entry = try await writeToCache(records, for: request)
    if case .trace(let trace) = entry {
      if request.transportRequest.partsContent == .response { exchange?.note(records.records) }
      switch trace.standing {
      case .written: break
      case .excluded: entry = .excluded(trace)
      case .overtaken: entry = try await update(&response, overtakenAt: trace, for: request)
      }
    }
    request.traceRecorder?.record(entry)
    response.dependencies = entry.trace
    if response.freshness == nil {
      response.freshness = entry.trace.flatMap { freshness(of: request, $0) }
    }
    return response
  }

  /// Replaces the data of a response by that of the cache, which is newer in part.
  private func update<Operation: GraphQLOperation>(
    _ response: inout GraphQLResponse<Operation>, overtakenAt trace: ReadingTrace,
    for request: GraphQLRequest<Operation>
  ) async throws -> TraceRecorder.Entry {
    guard Operation.operationType == .query else { return .trace(trace) }
    let demand = FreshnessDemand(
      .permissive, maxAge: request.configuration.maxAge, maxStale: request.configuration.maxStale)
    let reading: CacheReading<Operation.Data>
    do {
      reading = try await store.load(
        request.operation, servesFailures: response.errors != nil, demanding: demand)
    } catch let error where !(error is CancellationError) {
      store.report(error)
      return .trace(trace)
    }
    guard let data = reading.data else {
      let error = CacheMissError(operationName: Operation.operationName, misses: reading.misses)
      return .overtaken(reading.trace, error)
    }
    response.data = data
    response.freshness = reading.freshness
    return .trace(reading.trace)
  }

  /// Writes a response to the cache. An error of the cache is reported, but does not fail the call.
  private func writeToCache<Operation: GraphQLOperation>(
    _ response: ReceivedRecords, for request: GraphQLRequest<Operation>
  ) async throws -> TraceRecorder.Entry {
    let start = request.events?.now
    try request.checkSession?()
    do {
      let trace = try await publish(response, for: request)
      if let events = request.events, let start {
        events.record(.cacheWritten(duration: events.now - start))
      }
      return .trace(trace)
    } catch let error where !(error is CancellationError || error is StoreError) {
      // The error of the deadline. A cache in memory has none of its own.
      if request.deadline != nil, error is NetworkError { throw error }
      store.report(error)
      return .unwritten(store.trace(of: response.records))
    }
  }

  private func publish<Operation: GraphQLOperation>(
    _ response: ReceivedRecords, for request: GraphQLRequest<Operation>
  ) async throws -> ReadingTrace {
    let (origin, position) = (request.origin, request.position)
    let (response, update) = (response.records, response.update)
    guard let deadline = request.deadline else {
      return try await store.publish(response, origin: origin, at: position, update: update)
    }
    if let trace = try await store.publishAtOnce(
      response, origin: origin, at: position, update: update)
    {
      return trace
    }
    // The writer before this one may be a transaction that does not end.
    return try await deadline.limit(url: transport.endpointURL) {
      try await store.publish(response, origin: origin, at: position, update: update)
    }
  }
}

/// One request to the server, and what its response has brought so far.
///
/// Isolation: `part` is guarded by a lock.
final class ServerExchange: Sendable {
  let sent: SentRequest
  private let part = Lock<ResponsePart?>(nil)

  init(_ sent: SentRequest) { self.sent = sent }

  deinit { sent.end() }

  /// The latest part of a response that arrives in parts, which has everything before it.
  var latestPart: ResponsePart? { part.get() }

  /// Notes that a part of the response is in the cache.
  func note(_ records: NormalizedResponse) {
    let new = ResponsePart(records)
    part.withLock { $0 = new }
  }
}

/// The records of a response, and the changes that the program makes because of it.
struct ReceivedRecords: Sendable {
  var records: NormalizedResponse
  var update: OptimisticUpdate?
}

extension CacheFreshness {
  /// Returns the maximum age that the server gives the data of a response, or `nil` if it does not
  /// say or these settings ignore it.
  fileprivate func serverMaxAge(of response: NetworkResponse) -> Duration? {
    guard usesServerMaxAge || honorsNoStore, let headers = response.http?.headers else {
      return nil
    }
    let maxAge = ServerMaxAge(headers, now: now())
    if honorsNoStore, maxAge.forbidsReuse { return .zero }
    return usesServerMaxAge ? maxAge.duration : nil
  }
}

extension ResponseError {
  /// The same error, with the facts about the response in which it was found.
  fileprivate func from(_ response: NetworkResponse) -> ResponseError {
    var error = self
    error.source = response.source
    return error
  }
}

extension GraphQLRequest {
  /// `true` if the call reads or writes the cache.
  var usesCache: Bool {
    fetchBehavior.cacheRead != .never || configuration.writeResultsToCache
  }

  /// The age of cached data that the call tolerates.
  var freshnessDemand: FreshnessDemand {
    let revalidates = fetchBehavior.networkFetch == .onStaleCache
    return FreshnessDemand(
      configuration.ttlEnforcement ?? (revalidates ? .permissive : .strict),
      maxAge: configuration.maxAge, maxStale: configuration.maxStale)
  }

  /// The operation as the transport sends it in an exchange.
  func transportRequest(_ exchange: ServerExchange) -> OperationRequest {
    var request = transportRequest
    request.sent = exchange.sent
    return request
  }

  /// The operation as the transport sends it.
  var transportRequest: OperationRequest {
    var request = OperationRequest(
      operation, additionalHeaders: configuration.additionalHeaders,
      timeout: configuration.requestTimeout)
    request.files = files
    request.hasDeadline = hasDeadline
    request.deadline = deadline
    request.usesGET = configuration.usesGET
    request.uploadProgressHandler = configuration.uploadProgressHandler
    request.stateHandler = stateHandler
    request.events = events
    request.clientAwareness = clientAwareness
    return request
  }
}

extension GraphQLResponse {
  /// The response that a cache reading found, or `nil` if some of the data is missing.
  init?(_ reading: CacheReading<Operation.Data>) {
    guard let data = reading.data else { return nil }
    self.init(data: data, errors: reading.errors.isEmpty ? nil : reading.errors, source: .cache)
    dependencies = reading.trace
    freshness = reading.freshness
  }
}
