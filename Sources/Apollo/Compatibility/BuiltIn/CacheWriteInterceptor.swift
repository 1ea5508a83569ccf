public import ApolloAPI
public import ApolloCache

/// The step of a ``RequestChain`` that writes the response to the cache, unless the request's cache
/// policy excludes that.
///
/// The data is in the cache when the next step begins. A cache that cannot be written does not fail
/// the call; the store reports the error. A part whose lists may lack elements is written at the
/// end, if that comes without an error: a list in the cache counts as whole. Therefore a response
/// with a list that has failed is not written.
public struct CacheWriteInterceptor: ApolloInterceptor {
  private let store: ApolloStore?

  /// Creates a step.
  ///
  /// - Parameter store: The store to write, or `nil` for that of the client.
  public init(store: ApolloStore? = nil) { self.store = store }

  /// Writes the response and proceeds.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    @Sendable func proceed() {
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
    let graphQLRequest = request.graphQLRequest
    guard graphQLRequest.configuration.writeResultsToCache, let response,
      let parsed = response.parsedResponse
    else { return proceed() }
    let call = request.call
    let exchange = call.exchange(of: response)
    guard let records = response.records else {
      call.keep(nil, of: exchange)  // a part without data takes the place of the one before, too
      return proceed()
    }
    let context = call.context.using(store)
    let whole = GraphQLResponse<Operation>(parsed)
    if let short = context.postpone(records, of: exchange, for: graphQLRequest, whole) {
      response.parsedResponse = short.response.result
      call.keep(short.write, of: exchange)
      return proceed()
    }
    call.keep(nil, of: exchange)
    call.perform {
      do {
        let written = try await context.write(records, of: exchange, for: graphQLRequest, whole)
        response.parsedResponse = written.result
      } catch {
        return chain.handleErrorAsync(
          error, request: request, response: response, completion: completion)
      }
      proceed()
    }
  }
}
