import ApolloAPI

/// The chain as one of its steps sees it: it continues behind that step.
///
/// Every step has its own, so a step that is called again, or proceeds twice, needs no bookkeeping.
final class RequestChainStep: RequestChain {
  private let next: Int
  private let call: any CancellableChainCall

  init(next: Int, of call: any CancellableChainCall) {
    self.next = next
    self.call = call
  }

  var isCancelled: Bool { call.hasEnded }

  func cancel() { call.cancel() }

  func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.beginAnew(request, completion)
  }

  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.run(next, request, response, completion)
  }

  func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    interceptor: any ApolloInterceptor,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.run(next, request, response, completion)
  }

  func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.retry(request, completion)
  }

  func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    request.call.handle(error, self, request, response, completion)
  }

  func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    completion(.success(value))
  }
}
