public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An object that takes part in the work of an ``HTTPNetworkTransport``.
///
/// Conform to one or more of the protocols that refine this one. Their methods are called on any
/// thread, so a delegate is `Sendable`. In the Swift 5 language mode the compiler does not check
/// that.
@preconcurrency
public protocol HTTPNetworkTransportDelegate: AnyObject, Sendable {}

/// A delegate that sees requests before they are sent.
@preconcurrency
public protocol HTTPNetworkTransportPreflightDelegate: HTTPNetworkTransportDelegate {
  /// Returns `true` to send the request.
  ///
  /// Called before ``networkTransport(_:willSend:)``. If the result is `false`, the call fails with
  /// ``GraphQLHTTPRequestError/cancelledByDelegate``.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
  ) -> Bool

  /// Changes the request before it is sent.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest)
}

/// A delegate that sees responses before they are read.
@preconcurrency
public protocol HTTPNetworkTransportTaskCompletedDelegate: HTTPNetworkTransportDelegate {
  /// Called when a request has ended, with a response or with an error.
  ///
  /// Of subscriptions, and of operations with `@defer` or `@stream`, only errors before the first
  /// response are reported.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest,
    withData data: Data?, response: URLResponse?, error: (any Error)?)
}

/// A delegate that decides whether a failed request is sent again.
///
/// Implement one of its methods. Request a retry only after the cause of the failure was removed,
/// for example by a new token; otherwise the requests never end. A mutation that is retried may be
/// carried out twice.
@preconcurrency
public protocol HTTPNetworkTransportRetryDelegate: HTTPNetworkTransportDelegate {
  /// Called when a request has failed.
  ///
  /// Also called if the response to the operation has GraphQL errors, no data, and a status that
  /// reports a failure, such as 401 with `application/graphql-response+json`. A decision against a
  /// retry then delivers the response, or fails the call if it names another error than `error`.
  ///
  /// The call continues when `continueHandler` is called. Only the first decision counts. A handler
  /// that is released without a call fails the call with `error`. The default implementation calls
  /// the method with a `retryHandler`.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sent the request.
  ///   - error: The reason of the failure.
  ///   - request: The request as it was sent.
  ///   - response: The response, if there was one.
  ///   - continueHandler: A closure that takes the decision, at once or later.
  @preconcurrency
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (_ action: HTTPNetworkTransport.ContinueAction) -> Void)

  /// Called when a request has failed, with the parameters of Apollo iOS before 0.26.
  ///
  /// The default implementation decides against a retry.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sent the request.
  ///   - error: The reason of the failure.
  ///   - request: The request as it was sent.
  ///   - response: The response, if there was one.
  ///   - retryHandler: A closure that takes the decision, at once or later: `true` to send the
  ///     operation again, `false` to fail the call with `error` or to deliver the response.
  @preconcurrency
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void)
}

extension HTTPNetworkTransportRetryDelegate {
  /// Calls the method with a `retryHandler`.
  public func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (_ action: HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    self.networkTransport(
      networkTransport, receivedError: error, for: request, response: response,
      retryHandler: { continueHandler($0 ? .retry : .fail(error)) })
  }

  /// Decides against a retry.
  public func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
  ) {
    retryHandler(false)
  }
}

/// A delegate that decides whether an operation is sent again after a response with GraphQL errors.
@preconcurrency
public protocol HTTPNetworkTransportGraphQLErrorDelegate: HTTPNetworkTransportDelegate {
  /// Called when a response has GraphQL errors, before it is decoded.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sent the request.
  ///   - errors: The errors of the response.
  ///   - retryHandler: A closure that takes the decision, at once or later: `true` to send the
  ///     operation again, `false` to deliver the response. Only the first decision counts.
  @preconcurrency
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void)
}
