import Apollo
import ApolloAPI
import LoopbackServer
import TestOperations

/// A provider whose chain a test puts together.
struct StepProvider: InterceptorProvider {
  var error: (any ApolloErrorInterceptor)?
  let steps: @Sendable () -> [any ApolloInterceptor]

  init(
    error: (any ApolloErrorInterceptor)? = nil,
    _ steps: @escaping @Sendable () -> [any ApolloInterceptor]
  ) {
    self.error = error
    self.steps = steps
  }

  /// The built-in steps with another one at a position.
  init(
    error: (any ApolloErrorInterceptor)? = nil, adding step: any ApolloInterceptor, at position: Int
  ) {
    self.init(error: error) {
      var steps = builtInSteps()
      steps.insert(step, at: position)
      return steps
    }
  }

  func interceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any ApolloInterceptor] { steps() }

  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { error }
}

/// The steps of Apollo iOS 0.34 to 1.x, in their order.
func builtInSteps() -> [any ApolloInterceptor] {
  DefaultInterceptorProvider().interceptors(for: HeroAPI.HeroQuery())
}

/// A step with a fixed behavior.
struct Step: ApolloInterceptor {
  enum Action: String, CaseIterable, Sendable {
    case proceed, proceedTwice, completeTwice, forget, hold, fail, retry
  }

  struct Failure: Error {}

  let action: Action
  var note: @Sendable () -> Void = {}

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    note()
    switch action {
    case .proceed:
      chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    case .proceedTwice:
      for _ in 0..<2 {
        chain.proceedAsync(
          request: request, response: response, interceptor: self, completion: completion)
      }
    case .completeTwice:
      for _ in 0..<2 { completion(.failure(Failure())) }
    case .forget: break
    case .hold: Self.held.withLock { $0.append { withExtendedLifetime(completion) {} } }
    case .fail:
      chain.handleErrorAsync(
        Failure(), request: request, response: response, completion: completion)
    case .retry: chain.retry(request: request, completion: completion)
    }
  }

  /// Completions that are kept until the process ends.
  private static let held = Lock<[@Sendable () -> Void]>([])
}
