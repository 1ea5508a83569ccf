#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Stands between a transport and its session: sees each HTTP request before it is sent, and the
/// response before it is read.
///
/// ```swift
/// struct Authorization: HTTPInterceptor {
///   let tokens: TokenStore
///
///   func intercept(
///     request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
///   ) async throws -> HTTPResponse {
///     var request = request
///     request.setValue("Bearer \(await tokens.current)", forHTTPHeaderField: "Authorization")
///     return try await next(request)
///   }
/// }
/// ```
///
/// Headers are checked behind the last interceptor. A request fails with a
/// ``GraphQLHTTPRequestError`` if one has characters that HTTP does not allow, or if it belongs to
/// the connection: `Connection`, `Content-Length`, `Host`, `Keep-Alive`, `Proxy-Connection`, `TE`,
/// `Trailer`, `Transfer-Encoding` and `Upgrade`. On Linux, `URLRequest.setValue` itself ignores a
/// value with line breaks, so remove them from a token that was read from a file.
public protocol HTTPInterceptor: Sendable {
  /// Does something before, after or instead of `next`, which sends the request. Calling `next`
  /// again sends it again.
  func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse

  /// Forgets what belongs to a user, such as a token, at the end of a session. By default, does
  /// nothing. May be called several times.
  ///
  /// An interceptor that wraps another one passes this on to it.
  func _endSession()
}

extension HTTPInterceptor {
  /// Does nothing.
  public func _endSession() {}
}
