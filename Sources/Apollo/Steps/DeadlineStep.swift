import ApolloAPI
import ApolloCache
import ApolloTransport

/// Limits the time of a call: its own timeout, or the limit of its transport.
///
/// The deadline cancels the rest of the call and leaves it behind. A whole response for which a
/// call can only wait for requests and for other writers needs no task that could be left behind:
/// both end by themselves.
struct DeadlineStep: CallStep {
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    guard let limit = limit(of: call) else { return try await rest.next(of: call) }
    let remaining = call.remainingTime ?? limit
    call.request.hasDeadline = true
    return try await CacheDeadline.limiting(remaining) {
      let deadline = CallDeadline(limit, remaining: remaining, clock: call.context.clock)
      if keepsDeadline(call) {
        call.request.deadline = deadline
        return try await rest.next(of: call)
      }
      // The time between two responses is the reader's, and does not count.
      defer { call.remainingTime = deadline.remaining }
      // Code of the program, which interceptors are, may keep a thread from going on.
      let transport = call.context.transport
      return try await deadline.limit(
        url: transport.endpointURL,
        startsHere: call.request.isWhole
          && transport._interceptors(for: Operation.operationType) == nil
      ) {
        try await rest.next(of: call)
      }
    }
  }

  /// The longest time that a call may take, or `nil` if it may take any time.
  ///
  /// A call that only reads the cache needs no limit but its own timeout. A subscription lives as
  /// long as it likes; its transport limits the time until it is established.
  private func limit<Operation: GraphQLOperation>(of call: Call<Operation>) -> Duration? {
    guard Operation.operationType != .subscription else { return nil }
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
