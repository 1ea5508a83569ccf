public import ApolloAPI

/// A closure that receives a result of a chain of interceptors.
public typealias RequestChainCompletion<Data: RootSelectionSet> =
  @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void

/// A step of a ``RequestChain``, as in Apollo iOS 0.34 to 1.x.
///
/// ```swift
/// struct TokenAddingInterceptor: ApolloInterceptor {
///   func interceptAsync<Operation: GraphQLOperation>(
///     chain: any RequestChain, request: HTTPRequest<Operation>,
///     response: ChainResponse<Operation>?,
///     completion: @escaping RequestChainCompletion<Operation.Data>
///   ) {
///     request.addHeader(name: "Authorization", value: "Bearer …")
///     chain.proceedAsync(
///       request: request, response: response, interceptor: self, completion: completion)
///   }
/// }
/// ```
///
/// An ``InterceptorProvider`` lists the steps in its `interceptors(for:)`. A step continues in one
/// of these ways, at once or later:
///
/// 1. It proceeds to the next step: `chain.proceedAsync`.
/// 2. It begins anew with the first step: `chain.retry`.
/// 3. It reports an error: `chain.handleErrorAsync`.
/// 4. It delivers a result: `chain.returnValueAsync`, or a call of `completion`.
///
/// A call ends exactly once. A second result is ignored, and a step that releases `completion`
/// without calling it fails the call with a ``RequestChainError``. New code writes the same in
/// fewer words as a ``GraphQLInterceptor`` or an `HTTPInterceptor`.
@preconcurrency
public protocol ApolloInterceptor: Sendable {
  /// The interceptor's name in a chain: by default that of its type. The chain itself does not need
  /// it.
  var id: String { get }

  /// Does the work of the step.
  ///
  /// - Parameters:
  ///   - chain: The chain, which continues behind this step.
  ///   - request: The request, which can be changed.
  ///   - response: The response, if a step before this one has received it.
  ///   - completion: The closure that receives the result of the chain.
  @preconcurrency
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>)
}

extension ApolloInterceptor {
  /// The name of the type.
  public var id: String { String(reflecting: Self.self) }
}
