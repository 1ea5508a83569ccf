import ApolloAPI
import ApolloCache
import ApolloTransport

/// Limits the time of a call: its own timeout, or the limit of its transport.
///
/// The deadline cancels the rest of the call and leaves it behind. A whole response for which a
/// call can only wait for requests and for other writers needs no task that could be left behind:
/// both end by themselves. A subscription lives as long as it likes; its transport limits the time
/// until it is established.
struct DeadlineStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    Operation.operationType != .subscription
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    guard let limit = limit(of: call) else {
      return try await limitingInterceptors(of: call, rest)
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
        return try await rest.next(of: call)
      }
    }
  }

  /// Limits what interceptors do if the transport names no limit, as a program's own wrapper may
  /// not. The requests of such a call are limited by the transport that sends them.
  private func limitingInterceptors<Operation: GraphQLOperation>(
    of call: Call<Operation>, _ rest: CallSteps
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
      try await rest.next(of: call)
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
