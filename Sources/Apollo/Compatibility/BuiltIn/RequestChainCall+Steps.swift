import ApolloAPI
import ApolloTransport

extension RequestChainCall {
  /// Calls the first step.
  func start(_ request: GraphQLRequest<Operation>) {
    beginExchange()
    run(0, HTTPRequest(request, self), nil, completion())
  }

  /// Calls the step at `index`, or completes behind the last one.
  func run(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: ChainResponse<Operation>?,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard hasUse(of: response) else { return }
    guard index < interceptors.count else {
      return completion(
        response?.parsedResponse.map { .success($0) }
          ?? .failure(
            RequestChainError(.noResult, operationName: Operation.operationName)))
    }
    interceptors[index].interceptAsync(
      chain: RequestChainStep(next: index + 1, of: self), request: request, response: response,
      completion: completion)
  }

  /// Calls the first step again, unless the limit of retries is reached.
  func retry(
    _ request: HTTPRequest<Operation>,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    if let error = countRetry() { return completion(.failure(error)) }
    beginAnew(request, completion)
  }

  /// Calls the first step again, or executes a call without steps anew. Does so from a task, so
  /// that retries don't fill the stack.
  func beginAnew(
    _ request: HTTPRequest<Operation>,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    beginExchange()
    perform {
      guard let restart = self.restart else { return self.run(0, request, nil, completion) }
      completion(await Result(catching: { try await restart.proceed(request.graphQLRequest) }))
    }
  }

  /// Passes an error to the error interceptor, if there is one and the error matters to the call.
  func handle(
    _ error: any Error, _ chain: RequestChainStep, _ request: HTTPRequest<Operation>,
    _ response: ChainResponse<Operation>?,
    _ completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard hasUse(of: response) else { return }
    guard let errorInterceptor, !(error is CancellationError) else {
      return completion(.failure(error))
    }
    errorInterceptor.handleErrorAsync(
      error: error, chain: chain, request: request, response: response, completion: completion)
  }

  /// Returns a chain that begins with the first step. Its requests take the place of the one that
  /// has failed.
  ///
  /// - Parameter remaining: The place for the responses after the first one, if there may be some.
  /// - Returns: The chain.
  func retryChain(
    keepingRemaining remaining: RemainingResponses<Operation>?
  ) -> InterceptorChain<Operation> {
    let steps = RequestChainInterceptor(
      interceptors: interceptors, errorInterceptor: nil, sending: sending,
      willStart: { self.beginExchange() })
    let chain = InterceptorChain<Operation>(interceptors: [steps][...], context: context) { _ in
      // The chain is the last interceptor.
      GraphQLResponses(throwing: NoResponse())
    }
    return remaining.map { chain.keepingRemaining(in: $0) } ?? chain
  }
}

extension Result where Failure == any Error {
  /// The result of a call of the client, as callbacks receive it.
  fileprivate init<Operation: GraphQLOperation>(
    catching body: () async throws -> GraphQLResponse<Operation>
  ) async where Success == GraphQLResult<Operation.Data> {
    do {
      self = .success(GraphQLResult(try await body()))
    } catch {
      self = .failure(error)
    }
  }
}
