import ApolloAPI
import ApolloCache
import ApolloTransport

/// Limits the time of a call: its own timeout, or the limit of its transport.
///
/// The deadline cancels the rest of the call and leaves it behind. A whole response for which a
/// call can only wait for requests and for other writers needs no task that could be left behind:
/// both end by themselves. A subscription lives as long as it likes; its transport limits the time
/// until it is established.
///
/// With ``FetchBehavior/networkFirst``, the cache responds in place of a server that is too late.
struct DeadlineStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    Operation.operationType != .subscription
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    guard call.progress != .ended else { return nil }
    let isFirst = call.progress == .notBegun
    call.progress = .begun
    guard isFirst, call.request.fetchBehavior == .networkFirst else {
      return try await limitedNext(of: call, rest)
    }
    let mayReadCache = Lock(false)
    do {
      return try await limitedNext(of: call, rest, mayReadCache)
    } catch let error as NetworkError where error.code == .deadlineExceeded && mayReadCache.get() {
      return try await cachedResponse(to: call, inPlaceOf: error)
    }
  }

  /// Returns the next response of the rest of the steps.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - rest: The rest of the steps.
  ///   - mayReadCache: Becomes `true` if the cache may take the place of the server, once that is
  ///     known.
  /// - Returns: The response, or `nil` after the last one.
  /// - Throws: The error of the call, or ``NetworkError`` with the code `deadlineExceeded`.
  private func limitedNext<Operation: GraphQLOperation>(
    of call: Call<Operation>, _ rest: CallSteps, _ mayReadCache: Lock<Bool>? = nil
  ) async throws -> GraphQLResponse<Operation>? {
    guard let limit = limit(of: call) else {
      return try await limitingInterceptors(of: call, rest, mayReadCache)
    }
    let remaining = call.remainingTime ?? limit
    return try await CacheDeadline.limiting(remaining) {
      let deadline = CallDeadline(limit, remaining: remaining, clock: call.context.clock)
      let keepsDeadline = keepsDeadline(call)
      var facts = call.request.facts
      facts.hasDeadline = true
      if keepsDeadline { facts.deadline = deadline }
      call.request.facts = facts
      if keepsDeadline { return try await rest.next(of: call) }
      // Code of the program, which interceptors are, may keep a thread from going on.
      let transport = call.context.transport
      return try await deadline.limit(
        url: transport.endpointURL,
        startsHere: call.request.isWhole
          && transport._interceptors(
            for: Operation.operationType, hasFiles: !call.request.files.isEmpty) == nil
      ) {
        // The time between two responses is the reader's, and does not count. Nor does the time
        // until this task's result is taken, which may be after the deadline.
        defer { call.remainingTime = deadline.remaining }
        noteReader(of: call, in: mayReadCache)
        return try await rest.next(of: call)
      }
    }
  }

  /// Limits what interceptors do if the transport names no limit, as a program's own wrapper may
  /// not. The requests of such a call are limited by the transport that sends them.
  private func limitingInterceptors<Operation: GraphQLOperation>(
    of call: Call<Operation>, _ rest: CallSteps, _ mayReadCache: Lock<Bool>?
  ) async throws -> GraphQLResponse<Operation>? {
    guard call.request.fetchBehavior.networkFetch != .never, call.interception != nil,
      let limit = TransferLimits().deadline
    else { return try await rest.next(of: call) }
    let context = call.context
    // One for all responses: the calls that interceptors have made keep it.
    let deadline =
      call.request.facts.pausableDeadline ?? PausableDeadline(limit, clock: context.clock)
    call.request.facts.pausableDeadline = deadline
    return try await deadline.limit(url: context.transport.endpointURL) {
      noteReader(of: call, in: mayReadCache)
      return try await rest.next(of: call)
    }
  }

  /// The longest time that a call may take, or `nil` if the transport names none.
  ///
  /// A call that only reads the cache needs no limit but its own timeout.
  private func limit<Operation: GraphQLOperation>(of call: Call<Operation>) -> Duration? {
    if let limit = call.request.configuration.requestTimeout { return limit }
    guard call.request.fetchBehavior.networkFetch != .never else { return nil }
    return call.context.transport._timeLimit(
      for: Operation.operationType, hasFiles: !call.request.files.isEmpty)
  }

  /// Returns `true` if a call waits for nothing but requests, which end at the deadline by
  /// themselves, and for other writers of a cache in memory.
  private func keepsDeadline<Operation: GraphQLOperation>(_ call: Call<Operation>) -> Bool {
    call.request.isWhole && call.context.transport._keepsDeadlines && call.request.files.isEmpty
      && call.context.store.isInMemory
  }
}

// MARK: - The cache in place of the server

extension DeadlineStep {
  /// The longest time in which the cache is read after the deadline.
  private static let longestReading = Duration.seconds(2)

  /// Notes that the cache may take the place of the server, unless the call has a ``RequestChain``,
  /// whose steps alone read the cache.
  ///
  /// Called in the task that is limited: a provider of interceptors is code of the program.
  private func noteReader<Operation: GraphQLOperation>(
    of call: Call<Operation>, in mayReadCache: Lock<Bool>?
  ) {
    guard let mayReadCache else { return }
    let hasRequestChain = call.interception?.hasRequestChain ?? false
    mayReadCache.withLock { $0 = !hasRequestChain }
  }

  /// Reads the cache after the deadline. ``SourcesStep``, which does so after other failures, was
  /// left behind.
  private func cachedResponse<Operation: GraphQLOperation>(
    to call: Call<Operation>, inPlaceOf networkError: NetworkError
  ) async throws -> GraphQLResponse<Operation> {
    try call.checkIsWanted()
    call.progress = .ended
    let (context, request) = (call.context, call.request)
    do {
      return try await CallDeadline(Self.longestReading, clock: context.clock).limit(url: nil) {
        try await context.readFromCache(request)
      }
    } catch {
      try call.checkIsWanted()
      throw CacheAndNetworkError(
        operationName: Operation.operationName, networkError: networkError, cacheError: error)
    }
  }
}
