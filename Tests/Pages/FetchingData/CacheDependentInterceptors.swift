// swift-format-ignore-file

import Apollo
import Foundation

/// The one line that code for Apollo iOS 1.x needs: its name of the response in a chain.
typealias HTTPResponse<Operation: GraphQLOperation> = ChainResponse<Operation>

/// This interceptor will reroute anything that fails with a response code error to retry hitting
/// only the cache.
class RerouteToCacheErrorInterceptor: ApolloErrorInterceptor {
  var handledError: Error?

  func handleErrorAsync<Operation: GraphQLOperation>(
    error: Error,
    chain: RequestChain,
    request: HTTPRequest<Operation>,
    response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void) {

    self.handledError = error

    switch error {
    case ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode:
      request.cachePolicy = .returnCacheDataDontFetch
      chain.retry(request: request, completion: completion)
    default:
      completion(.failure(error))
    }
  }
}

class CacheDependentProvider: InterceptorProvider {
  let errorInterceptor = RerouteToCacheErrorInterceptor()
  let store: ApolloStore
  lazy var client = URLSessionClient()

  init(store: ApolloStore) { self.store = store }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [ApolloInterceptor] {
    [
      MaxRetryInterceptor(),
      CacheReadInterceptor(store: self.store),
      NetworkFetchInterceptor(client: self.client),
      ResponseCodeInterceptor(),
      JSONResponseParsingInterceptor(),
      AutomaticPersistedQueryInterceptor(),
      CacheWriteInterceptor(store: self.store),
    ]
  }

  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation) -> ApolloErrorInterceptor? {
    return self.errorInterceptor
  }
}

class TokenAddingInterceptor: ApolloInterceptor {
  func interceptAsync<Operation: GraphQLOperation>(
    chain: RequestChain,
    request: HTTPRequest<Operation>,
    response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void) {
    request.addHeader(name: "Authorization", value: "Bearer token")
    chain.proceedAsync(request: request, response: response) { result in
      completion(result)
    }
  }
}

class NetworkInterceptorProvider: DefaultInterceptorProvider, @unchecked Sendable {
  override func interceptors<Operation: GraphQLOperation>(
    for operation: Operation) -> [ApolloInterceptor] {
    var interceptors = super.interceptors(for: operation)
    interceptors.insert(TokenAddingInterceptor(), at: 0)
    return interceptors
  }
}
