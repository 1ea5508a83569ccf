import ApolloAPI
import ApolloTransport

/// Reports the beginning, the responses and the end of a call to the observers of the client.
///
/// The other steps report what they do to the recorder of the request. A client without observers
/// has no recorder.
struct ObserveStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    !call.context.observers.isEmpty
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    if call.request.facts.events == nil { begin(call) }
    guard call.isObserved, let events = call.request.facts.events else {
      return try await rest.next(of: call)
    }
    do {
      guard let response = try await rest.next(of: call) else {
        if !call.isWaiting { events.record(.completed) }
        return nil
      }
      events.record(.delivered(response.source))
      if call.request.isWhole { events.record(.completed) }
      return response
    } catch {
      events.record(end: error)
      throw error
    }
  }

  /// Reports the beginning of a call, and adds the headers of its trace.
  private func begin<Operation: GraphQLOperation>(_ call: Call<Operation>) {
    let context = call.context
    let recorder = CallEventRecorder(
      call.request.operation, observers: context.observers, clock: context.clock)
    call.isObserved = true
    call.request.facts.events = recorder
    let headers = call.request.configuration.additionalHeaders
    if let context = recorder.call.traceContext,
      !headers.contains(where: { $0.key.lowercased() == "traceparent" })
    {
      call.request.configuration.additionalHeaders = headers.merging(context.headers) { $1 }
    }
  }
}
