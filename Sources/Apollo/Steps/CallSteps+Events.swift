import ApolloAPI

extension CallSteps {
  /// Returns the next event of a subscription, or `nil` after the last one.
  ///
  /// A task keeps the memory of its deepest calls as long as it lives, and there may be thousands
  /// that wait for events. So the task of a subscription only waits, and another one, which ends at
  /// once, takes the steps:
  ///
  /// 1. The steps of the first event are taken until ``ServerStep`` has sent the subscription. It
  ///    returns `nil`, because nothing has arrived (``Call/isWaiting``).
  /// 2. The call waits for what the server sends (``Call/receiveEvent()``). The end of the session
  ///    ends that: the transport does it, or an ``EventReader``.
  /// 3. The steps are taken again, and ``ServerStep`` finds what has arrived.
  ///
  /// Interceptors make calls of their own for the steps behind them, which do the same. The task in
  /// which an interceptor waits for its call keeps its memory, though.
  func nextEvent<Operation: GraphQLOperation>(
    of call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    if call.isWaiting { await call.receiveEvent() }
    while true {
      let response = try await inShortTask { try await next(of: call) }
      guard response == nil, call.isWaiting else { return response }
      await call.receiveEvent()
    }
  }
}

/// Does work in a task of its own, which is cancelled with the current one.
///
/// Work that waits for nothing is done without a change of threads.
///
/// Not inlined, because its local values would be part of the memory of each task that waits for
/// the next event.
@inline(never)
private func inShortTask<Result: Sendable>(
  _ work: sending @escaping () async throws -> Result
) async throws -> Result {
  let isCancelled = Task.isCancelled
  let task = startedTask {
    // The handler below cancels the task too late: the work has already begun.
    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
    return try await work()
  }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    task.cancel()
  }
}

private func startedTask<Result: Sendable>(
  _ work: sending @escaping () async throws -> Result
) -> Task<Result, any Error> {
  // Apple's systems of before 2025 cannot do this.
  #if os(Linux) && compiler(>=6.2)
    return Task.immediate(operation: work)
  #else
    return Task(operation: work)
  #endif
}
