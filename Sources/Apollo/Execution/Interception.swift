import ApolloAPI

/// The interceptors of one call.
struct Interception<Operation: GraphQLOperation>: Sendable {
  /// All interceptors, followed by the cache and the server.
  let chain: InterceptorChain<Operation>
  /// `true` if the last interceptor is a ``RequestChain``, which reads the cache by its own steps.
  let hasRequestChain: Bool
  private let provider: any InterceptorProvider

  fileprivate init(
    _ provider: any InterceptorProvider, _ request: GraphQLRequest<Operation>,
    _ executor: OperationExecutor
  ) {
    self.provider = provider
    var interceptors = provider.graphQLInterceptors(for: request.operation)
    let steps =
      provider.hasBuiltInSteps(for: executor.store)
      ? [] : provider.interceptors(for: request.operation)
    hasRequestChain = !steps.isEmpty
    if !steps.isEmpty {
      interceptors.append(
        RequestChainInterceptor(
          interceptors: steps,
          errorInterceptor: provider.additionalErrorInterceptor(for: request.operation)))
    }
    chain = InterceptorChain(interceptors: interceptors[...], executor: executor)
  }

  /// Returns the last step of a failed call, unless it belongs to the request chain.
  func errorInterceptor(for operation: Operation) -> (any ApolloErrorInterceptor)? {
    hasRequestChain ? nil : provider.additionalErrorInterceptor(for: operation)
  }
}

extension OperationExecutor {
  /// Returns the interceptors of a call, or `nil` if the transport has none.
  func interception<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>
  ) -> Interception<Operation>? {
    transport.interceptors(for: Operation.operationType).map {
      Interception($0.provider, request, self)
    }
  }
}

extension InterceptorProvider {
  /// Returns `true` if the steps are those that the executor takes by itself, with a store.
  fileprivate func hasBuiltInSteps(for store: ApolloStore) -> Bool {
    (self as? DefaultInterceptorProvider)?.usesBuiltInSteps(for: store) ?? false
  }
}
