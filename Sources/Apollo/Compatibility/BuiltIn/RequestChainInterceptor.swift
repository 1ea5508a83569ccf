import ApolloAPI
import ApolloTransport

/// The adapter of a chain of interceptors of Apollo iOS 1.x to the interceptors of a call.
///
/// It is the last interceptor. The chain's own steps read the cache, send the operation, parse the
/// response and write the cache, with the means of every call and of the transport.
struct RequestChainInterceptor: GraphQLInterceptor {
  let interceptors: [any ApolloInterceptor]
  var errorInterceptor: (any ApolloErrorInterceptor)?
  let sending: StepSending
  /// Called before the first step.
  var willStart: (@Sendable () -> Void)?

  func intercept<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    // The parts of a response are merged, so the last one is the whole response.
    guard let last = try await responses(to: request, next: next).last() else { throw NoResponse() }
    return last
  }

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
  ) -> GraphQLResponses<Operation> {
    GraphQLResponses {
      let call = RequestChainCall<Operation>(
        interceptors, errorInterceptor: errorInterceptor, context: next.context,
        sending: sending, results: RequestChainResults(request.expectation))
      let owner = Owner(call, request.facts.session)
      var hasStarted = false
      return {
        if !hasStarted {
          hasStarted = true
          try Task.checkCancellation()
          if request.usesCache { try next.context.store.checkIsOutsideOfTransactions() }
          // A step of the program may send the operation in its own way.
          try request.facts.session?.record?.handOver()
          willStart?()
          call.start(request)
        }
        return try await withTaskCancellationHandler {
          try await call.results.next()
        } onCancel: {
          owner.cancel()
        }
      }
    }
  }

  /// The owner of a call, which ends with it.
  private final class Owner: Sendable {
    private let call: any CancellableChainCall
    /// Ends the call with its session. What steps do afterwards has no effect.
    private let sessionObserver: CallSessionObserver?

    init(_ call: any CancellableChainCall, _ session: CallSession?) {
      self.call = call
      sessionObserver = session?.onEnd { call.cancel() }
    }

    deinit { call.cancel() }

    func cancel() { call.cancel() }
  }
}

extension GraphQLRequest {
  /// The number of results that a chain may deliver.
  fileprivate var expectation: RequestChainResults<Operation>.Expectation {
    switch transportRequest.partsContent {
    case .response: .parts
    case .events: .events
    case nil: fetchBehavior == .cacheAndNetwork ? .cacheAndServer : .one
    }
  }
}
