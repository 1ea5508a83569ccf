import ApolloAPI
import ApolloCache
import ApolloTransport

// The reports to the observers of a client. A client without observers has no recorder, and every
// step asks for that alone.

extension OperationExecutor {
  /// Returns `true` if a call has observers and has not begun: a call within a call does not begin.
  func needsEvents<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> Bool {
    !observers.isEmpty && request.events == nil
  }

  /// Reports the beginning of a call, and returns its request with the recorder and the headers of
  /// its trace.
  private func begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> (GraphQLRequest<Operation>, CallEventRecorder) {
    let recorder = CallEventRecorder(request.operation, observers: observers, clock: clock)
    var request = request
    request.events = recorder
    let headers = request.configuration.additionalHeaders
    if let context = recorder.call.traceContext,
      !headers.contains(where: { $0.key.lowercased() == "traceparent" })
    {
      request.configuration.additionalHeaders = headers.merging(context.headers) { $1 }
    }
    return (request, recorder)
  }

  /// Executes a call with one response and reports its steps.
  func observedResponse<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let (request, recorder) = begin(request)
    do {
      let response = try await unobservedResponse(to: request)
      recorder.record(.delivered(response.source))
      recorder.record(.completed)
      return response
    } catch {
      recorder.record(end: error)
      throw error
    }
  }

  /// Executes a call with several responses and reports its steps. It begins when the first
  /// response is awaited.
  func observedResponses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      var call: (iterator: GraphQLResponses<Operation>.Iterator, recorder: CallEventRecorder)?
      return {
        if call == nil {
          let (request, recorder) = begin(request)
          call = (unobservedResponses(to: request).makeAsyncIterator(), recorder)
        }
        guard let recorder = call?.recorder else { return nil }
        do {
          guard let response = try await call?.iterator.next() else {
            recorder.record(.completed)
            return nil
          }
          recorder.record(.delivered(response.source))
          return response
        } catch {
          recorder.record(end: error)
          throw error
        }
      }
    }
  }

  /// Reads the cache, and reports it.
  func load<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> CacheReading<Operation.Data> {
    let servesErrors = request.configuration.servesCachedErrors
    guard let events = request.events else {
      return try await store.load(
        request.operation, servesFailures: servesErrors, demanding: request.freshnessDemand)
    }
    let start = events.now
    do {
      let reading = try await store.load(
        request.operation, servesFailures: servesErrors, demanding: request.freshnessDemand)
      events.record(
        .cacheRead(reading.data == nil ? .miss : .hit, duration: events.now - start))
      return reading
    } catch {
      if !(error is CancellationError) {
        events.record(.cacheRead(.failure, duration: events.now - start))
      }
      throw error
    }
  }
}
