public import ApolloAPI
internal import ApolloTransport

/// The remaining steps of a call: interceptors in order, then the cache and the server.
public struct InterceptorChain<Operation: GraphQLOperation>: Sendable {
  typealias End = @Sendable (GraphQLRequest<Operation>) -> GraphQLResponses<Operation>

  var interceptors: ArraySlice<any GraphQLInterceptor>
  let context: CallContext
  /// Executes the steps behind the interceptors.
  private let end: End
  /// The place for the responses after the first one, if the call has several.
  private var remaining: RemainingResponses<Operation>?

  init(
    interceptors: ArraySlice<any GraphQLInterceptor>, context: CallContext, end: @escaping End
  ) {
    self.interceptors = interceptors
    self.context = context
    self.end = end
  }

  /// Executes the remaining steps for `request` and returns their response.
  ///
  /// In a call with several responses this is the first one.
  public func proceed(
    _ request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    if let remaining { return try await remaining.first(of: responses(to: request)) }
    if let first = interceptors.first { return try await first.intercept(request, next: rest) }
    var request = request
    request.isWhole = true
    var responses = end(request).makeAsyncIterator()
    guard let response = try await responses.next() else { throw NoResponse() }
    return response
  }

  /// Executes the remaining steps for `request` and returns their responses.
  public func responses(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> {
    if let first = interceptors.first { return first.responses(to: request, next: rest) }
    var request = request
    request.isWhole = false
    return end(request)
  }

  private var rest: InterceptorChain {
    InterceptorChain(interceptors: interceptors.dropFirst(), context: context, end: end)
  }

  /// Returns a chain that keeps the responses after the first one in `remaining`.
  func keepingRemaining(in remaining: RemainingResponses<Operation>) -> InterceptorChain {
    var chain = self
    chain.remaining = remaining
    return chain
  }
}

/// The responses after the first one, while an interceptor handles the first one.
///
/// An interceptor that proceeds again, to retry, replaces them: the earlier call is cancelled.
final class RemainingResponses<Operation: GraphQLOperation>: Sendable {
  private let iterator = Lock<GraphQLResponses<Operation>.Iterator?>(nil)

  /// Starts an iteration and returns its first response.
  ///
  /// - Throws: ``NoResponse`` if the sequence is empty, and the errors of the sequence.
  func first(of responses: GraphQLResponses<Operation>) async throws -> GraphQLResponse<Operation> {
    _ = iterator.exchange(nil)
    var iterator = responses.makeAsyncIterator()
    guard let first = try await iterator.next() else { throw NoResponse() }
    // A call that was made at the same time is released here, outside of the lock.
    _ = self.iterator.exchange(iterator)
    return first
  }

  /// Returns the next response of the latest iteration.
  func next() async throws -> GraphQLResponse<Operation>? {
    guard var iterator = iterator.exchange(nil) else { return nil }
    guard let response = try await iterator.next() else { return nil }
    self.iterator.withLock { $0 = iterator }
    return response
  }
}

/// The end of a sequence without a response, such as a subscription that is completed at once.
struct NoResponse: Error {}
