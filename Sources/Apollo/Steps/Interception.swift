import ApolloAPI
import ApolloCache
import ApolloTransport

/// The interceptors of one call.
///
/// An object, because most calls have none: the place of none in a ``Call`` is a pointer, whatever
/// the operation is.
final class Interception<Operation: GraphQLOperation>: Sendable {
  /// `true` if the last interceptor is a ``RequestChain``, which reads the cache by its own steps.
  var hasRequestChain: Bool { requestChain != nil }
  private let interceptors: [any GraphQLInterceptor]
  /// The last one of `interceptors`, if it is a ``RequestChain``.
  private let requestChain: RequestChainInterceptor?
  private let provider: any InterceptorProvider

  /// Asks the provider of the transport for the interceptors of a call. Returns `nil` if the
  /// transport has none.
  init?(of call: Call<Operation>) {
    let context = call.context
    let source = context.transport.interceptors(
      for: Operation.operationType, hasFiles: !call.request.files.isEmpty)
    guard let source else { return nil }
    let operation = call.request.operation
    provider = source.provider
    var interceptors = provider.graphQLInterceptors(for: operation)
    let steps =
      provider._hasBuiltInSteps(for: context.store) ? [] : provider.interceptors(for: operation)
    if steps.isEmpty {
      requestChain = nil
    } else {
      let chain = RequestChainInterceptor(
        interceptors: steps,
        errorInterceptor: provider.additionalErrorInterceptor(for: operation),
        sending: source.sending)
      interceptors.append(chain)
      requestChain = chain
    }
    self.interceptors = interceptors
  }

  /// Returns a chain of all interceptors, followed by the rest of the steps.
  ///
  /// - Parameters:
  ///   - rest: The rest of the steps.
  ///   - context: The means of the call.
  ///   - handlesErrors: `false` to keep errors from the error interceptor of a ``RequestChain``.
  /// - Returns: The chain.
  func chain(
    before rest: CallSteps, _ context: CallContext, handlesErrors: Bool
  ) -> InterceptorChain<Operation> {
    var interceptors = interceptors
    if !handlesErrors, var requestChain {
      requestChain.errorInterceptor = nil
      interceptors[interceptors.endIndex - 1] = requestChain
    }
    return InterceptorChain(interceptors: interceptors[...], context: context) {
      rest.responses(to: $0, context)
    }
  }

  /// Returns the last step of a failed call, unless it belongs to the request chain.
  func errorInterceptor(for operation: Operation) -> (any ApolloErrorInterceptor)? {
    hasRequestChain ? nil : provider.additionalErrorInterceptor(for: operation)
  }
}
