import ApolloAPI
import ApolloTransport

/// Passes a call through the interceptors of its transport, and a remaining error to the additional
/// error interceptor, which can retry.
struct InterceptStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    call.interception != nil
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    guard let interception = call.interception else { return try await rest.next(of: call) }
    let request = call.request
    let chain = interception.chain(
      before: rest, call.context, handlesErrors: call.asksErrorInterceptor)
    if call.intercepted == nil {
      let responses =
        request.isWhole
        ? GraphQLResponses<Operation>(one: { try await chain.proceed(request) })
        : chain.responses(to: request)
      call.intercepted = responses.makeAsyncIterator()
    }
    do {
      return try await nextOfChain(call)
    } catch {
      try call.checkCancellation(after: error)
      guard call.asksErrorInterceptor, !(error is CancellationError),
        let errorInterceptor = interception.errorInterceptor(for: request.operation)
      else { throw error }
      call.asksErrorInterceptor = false
      do {
        return try await retry(call, chain, errorInterceptor, after: error)
      } catch {
        try call.checkCancellation(after: error)
        throw error
      }
    }
  }

  private func nextOfChain<Operation: GraphQLOperation>(
    _ call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    var iterator = call.intercepted
    let response = try await iterator?.next()
    call.intercepted = iterator
    return response
  }

  /// Returns the response of the error interceptor. The other responses of its retry follow.
  private func retry<Operation: GraphQLOperation>(
    _ call: Call<Operation>, _ chain: InterceptorChain<Operation>,
    _ interceptor: any ApolloErrorInterceptor, after error: any Error
  ) async throws -> GraphQLResponse<Operation>? {
    if call.request.isWhole {
      return try await interceptor.handleError(error, request: call.request, retry: chain)
    }
    let retried = RemainingResponses<Operation>()
    let others = GraphQLResponses<Operation> { { try await retried.next() } }
    call.intercepted = others.makeAsyncIterator()
    do {
      return try await interceptor.handleError(
        error, request: call.request, retry: chain.keepingRemaining(in: retried))
    } catch is NoResponse {
      return nil
    }
  }
}
