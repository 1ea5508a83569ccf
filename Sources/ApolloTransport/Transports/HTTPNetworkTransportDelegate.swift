public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Takes part in what an ``HTTPNetworkTransport`` does.
///
/// Conform to one or more of the protocols that refine this one. Their methods are called on
/// whatever thread the transport happens to work.
public protocol HTTPNetworkTransportDelegate: AnyObject, Sendable {}

/// Looks at requests before they are sent.
public protocol HTTPNetworkTransportPreflightDelegate: HTTPNetworkTransportDelegate {
  /// Returns whether the request may be sent. Called before ``networkTransport(_:willSend:)``; if
  /// the result is `false`, the operation fails with
  /// ``GraphQLHTTPRequestError/cancelledByDelegate``.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest
  ) -> Bool

  /// The last chance to change the request.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest)
}

/// Sees what came back, before anything is made of it.
public protocol HTTPNetworkTransportTaskCompletedDelegate: HTTPNetworkTransportDelegate {
  /// A request has ended, with a response or with an error.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest,
    withData data: Data?, response: URLResponse?, error: (any Error)?)
}

/// Decides whether a request that failed is sent again.
public protocol HTTPNetworkTransportRetryDelegate: HTTPNetworkTransportDelegate {
  /// A request failed. Call `continueHandler` once, now or later, to go on.
  ///
  /// A handler that is released without a call ends the request with its error.
  ///
  /// Ask for a retry only when something was done about the problem, or it goes on for ever. A
  /// mutation that is retried may be carried out twice.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sent it.
  ///   - error: Why it failed.
  ///   - request: What was sent.
  ///   - response: What the server answered, if it did.
  ///   - continueHandler: Takes the decision.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
    for request: URLRequest, response: URLResponse?,
    continueHandler: @escaping @Sendable (_ action: HTTPNetworkTransport.ContinueAction) -> Void)
}
