public import ApolloAPI
internal import ApolloTransport

// Each of the two methods of an error interceptor is called where the other one is implemented.

extension ApolloErrorInterceptor {
  /// Calls ``handleErrorAsync(error:chain:request:response:completion:)`` with a chain that retries
  /// through `retry`.
  public func handleError<Operation: GraphQLOperation>(
    _ error: any Error, request: GraphQLRequest<Operation>, retry: InterceptorChain<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    let results = RequestChainResults<Operation>(.one)
    let source = retry.context.transport.interceptors(
      for: Operation.operationType, hasFiles: !request.files.isEmpty)
    let call = RequestChainCall(
      [], errorInterceptor: nil, context: retry.context,
      sending: source?.sending ?? .operations(nil), results: results, restart: retry)
    handleErrorAsync(
      error: error, chain: RequestChainStep(next: 0, of: call),
      request: HTTPRequest(request, call), response: nil, completion: call.completion())
    let response = try await withTaskCancellationHandler {
      try await results.next()
    } onCancel: {
      call.cancel()
    }
    guard let response else { throw error }
    return response
  }

  /// Calls ``handleError(_:request:retry:)`` with the steps of `chain`.
  public func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    // An interceptor without either method has nothing to do.
    guard !request.call.isWithoutSteps else { return completion(.failure(error)) }
    let call = request.call
    call.perform {
      let others = call.results.takesSeveral ? RemainingResponses<Operation>() : nil
      do {
        let response = try await handleError(
          error, request: request.graphQLRequest, retry: call.retryChain(keepingRemaining: others))
        completion(.success(GraphQLResult(response)))
        guard let others else { return }
        await call.results.waitUntilTaken()
        while let response = try await others.next() {
          completion(.success(GraphQLResult(response)))
          await call.results.waitUntilTaken()
        }
      } catch let error where others != nil && error is NoResponse {
        // The retry of a subscription may have no event. The completion is released without one.
      } catch {
        completion(.failure(error))
      }
    }
  }
}
