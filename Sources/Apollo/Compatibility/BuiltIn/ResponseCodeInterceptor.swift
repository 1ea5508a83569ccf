public import ApolloAPI
package import ApolloTransport
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The step of a ``RequestChain`` that fails if the status of the response is not a success.
///
/// A response that only says that the server does not know a persisted query may have any status.
public struct ResponseCodeInterceptor: ApolloInterceptor {
  /// A response whose status is not a success.
  public enum ResponseCodeError: Error, Sendable {
    /// The status is not one of 200 to 299, or there is no response.
    case invalidResponseCode(response: HTTPURLResponse?, rawData: Data?)
  }

  /// Creates a step.
  public init() {}

  /// Proceeds, or fails with a ``ResponseCodeError``.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    if let response, isAccepted(response, of: request) {
      return chain.proceedAsync(
        request: request, response: response, interceptor: self, completion: completion)
    }
    chain.handleErrorAsync(
      ResponseCodeError.invalidResponseCode(
        response: response?.httpResponse, rawData: response?.rawData),
      request: request, response: response, completion: completion)
  }

  private func isAccepted<Operation>(
    _ response: ChainResponse<Operation>, of request: HTTPRequest<Operation>
  ) -> Bool {
    (200..<300).contains(response.httpResponse.statusCode)
      || PersistedQueries.isStep(NetworkResponse(body: response.rawData))
      || request.missesText(response)
  }
}

extension ResponseCodeInterceptor.ResponseCodeError: HTTPStatusError {
  private var response: HTTPURLResponse? {
    switch self {
    case .invalidResponseCode(let response, _): response
    }
  }

  /// The status, or 0 if there is no response.
  var statusCode: Int { response?.statusCode ?? 0 }

  var retryAfter: Duration? {
    RetryAfter.delay(
      response?.value(forHTTPHeaderField: "Retry-After"),
      date: response?.value(forHTTPHeaderField: "Date"), now: Date())
  }
}

extension ResponseCodeInterceptor.ResponseCodeError {
  /// The error of a transport that gets the same response, or `nil` if there is no response.
  package var responseError: GraphQLHTTPResponseError? {
    guard case .invalidResponseCode(let response?, let data) = self, let url = response.url else {
      return nil
    }
    return GraphQLHTTPResponseError(
      .errorResponse, head: response, body: data ?? Data(), url: url)
  }
}

extension ResponseCodeInterceptor.ResponseCodeError: CustomStringConvertible, LocalizedError,
  CustomReflectable
{
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its solution in a sentence each. Never quotes the body.
  public var description: String {
    switch self {
    case .invalidResponseCode(let response?, let data):
      "The server responded with status \(response.statusCode) and \(data?.count ?? 0) bytes. Check the URL, the credentials and the server's log."
    case .invalidResponseCode(nil, _):
      "There is no response whose status can be checked. Put the step that fetches before ResponseCodeInterceptor."
    }
  }

  /// The status and the number of bytes. The body and the headers may have secrets.
  public var customMirror: Mirror {
    let byteCount =
      switch self {
      case .invalidResponseCode(_, let data): data?.count
      }
    return Mirror(
      self,
      children: ["statusCode": statusCode, "bodyByteCount": byteCount as Any],
      displayStyle: .enum)
  }
}
