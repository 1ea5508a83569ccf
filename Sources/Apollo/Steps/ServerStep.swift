import ApolloAPI
import ApolloTransport

/// Sends the operation, and decodes what arrives: the last step.
struct ServerStep: CallStep {
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let received: (NetworkResponse, ServerExchange)?
    do {
      received = try await wait(for: call)
    } catch {
      // Of a transport of the program, or of an interceptor of its requests.
      try call.checkCancellation(after: error)
      throw error
    }
    guard let (networkResponse, exchange) = received else { return nil }
    let (response, records) = try call.context.decode(
      networkResponse, of: exchange, for: call.request)
    if let records { call.received = (records, exchange) }
    return response
  }

  /// Does as ``receive(_:)``, until the session of the call ends.
  ///
  /// Three calls need no task of their own for that: a subscription, which is awaited elsewhere and
  /// of which there may be thousands; a call whose one response has arrived, and that only learns
  /// that there are no more; and one whose request ends with the session by itself.
  private func wait<Operation: GraphQLOperation>(
    for call: Call<Operation>
  ) async throws -> (NetworkResponse, ServerExchange)? {
    let hasArrived = call.exchange != nil && Operation.partsContent == nil
    guard let session = call.request.facts.session, case .inStep = call.waiting, !hasArrived else {
      return try await receive(call)
    }
    guard call.request.isWhole, call.context.transport._keepsDeadlines else {
      return try await session.stopping { try await receive(call) }
    }
    do {
      let received = try await receive(call)
      try session.check()
      return received
    } catch {
      try session.check()
      throw error
    }
  }

  /// Sends the operation if that has not been done, and returns the next response: `nil` after the
  /// last one, or if the call waits for it elsewhere.
  private func receive<Operation: GraphQLOperation>(
    _ call: Call<Operation>
  ) async throws -> (NetworkResponse, ServerExchange)? {
    let context = call.context
    // An interceptor may have let the call wait, or repeat it.
    if call.exchange == nil { try call.request.facts.session?.check() }
    guard !call.request.isWhole else {
      let exchange = context.beginExchange(Operation.operationType)
      return (try await context.send(call.request, in: exchange), exchange)
    }
    if call.network == nil {
      let exchange = context.beginExchange(Operation.operationType)
      call.exchange = exchange
      call.network = try context.responses(to: call.request, in: exchange).makeAsyncIterator()
    }
    if case .inStep = call.waiting {
      // A failure is taken from the call below, and counts for the deadline here.
      try? await call.request.pausingDeadline {
        await call.receive()
        if let failure = call.failure { throw failure }
      }
    }
    guard let arrived = call.takeArrived() else { return nil }
    guard let response = try arrived.get(), let exchange = call.exchange else {
      call.endExchange()
      return nil
    }
    try Task.checkCancellation()
    return (response, exchange)
  }
}
