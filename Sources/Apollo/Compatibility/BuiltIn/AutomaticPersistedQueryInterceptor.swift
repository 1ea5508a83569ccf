public import ApolloAPI
import ApolloTransport

/// The step of a ``RequestChain`` that sends the text of an operation if the server does not know
/// its hash.
///
/// It has no effect unless the transport has `autoPersistQueries`. It comes behind the step that
/// decodes the response.
public struct AutomaticPersistedQueryInterceptor: ApolloInterceptor {
  /// Creates a step.
  public init() {}

  /// Proceeds, or retries with the text.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    guard let queries = request.call.link?.persistedQueries, let response,
      request.missesText(response)
    else {
      return chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
    request.noteRefusal(by: response)
    if PersistedQueries.isRefusal(NetworkResponse(body: response.rawData)) {
      queries.disable()
    } else if request.isPersistedQueryRetry {
      return chain.handleErrorAsync(
        APQError(.persistedQueryRetryFailed, operationName: Operation.operationName),
        request: request, response: response, completion: completion)
    }
    request.isPersistedQueryRetry = true
    chain.retry(request: request, completion: completion)
  }
}
