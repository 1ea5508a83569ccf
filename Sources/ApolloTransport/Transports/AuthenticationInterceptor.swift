#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// An interceptor that adds a token to each request, and refreshes it when the server rejects it.
///
/// ```swift
/// let authentication = AuthenticationInterceptor(token: keychain.token) {
///   let token = try await session.refreshToken()
///   keychain.token = token
///   return token
/// }
///
/// struct Interceptors: InterceptorProvider {
///   let authentication: AuthenticationInterceptor
///
///   func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
///     [authentication]
///   }
/// }
/// ```
///
/// Keep one interceptor for all requests that share a token.
///
/// 1. A request is sent with the current token. Without one, the token is refreshed first.
/// 2. If the response is rejected (status 401), the token is refreshed, unless that has happened
///    since the request was sent. However many requests are rejected at once, there is one refresh;
///    the others wait for it.
/// 3. The request is sent once more. A second rejection is the response to the request.
/// 4. If the refresh fails, all requests that wait for it fail with its error. The next rejected
///    request tries again.
/// 5. A refresh is cancelled when every request that waits for it is cancelled. If it succeeds all
///    the same, its token is kept: the server may have invalidated the one before.
/// 6. When the token is set to `nil`, the session ends: a refresh is abandoned, and requests under
///    way fail with `CancellationError`. So no response for the former user reaches the cache.
public final class AuthenticationInterceptor: HTTPInterceptor {
  private let tokens: TokenRefresher
  private let authorize: @Sendable (inout URLRequest, String) -> Void
  private let isRejection: @Sendable (HTTPURLResponse) -> Bool

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - token: The token to begin with, or `nil` to refresh it before the first request.
  ///   - authorize: Adds a token to a request. By default, it sets `Authorization: Bearer …`.
  ///   - isRejection: Returns whether a response rejects the token. By default, that is the status
  ///     401.
  ///   - refresh: Gets a new token. It must not use this interceptor.
  public init(
    token: String? = nil,
    authorize: @escaping @Sendable (inout URLRequest, String) -> Void = { request, token in
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    },
    isRejection: @escaping @Sendable (HTTPURLResponse) -> Bool = { $0.statusCode == 401 },
    refresh: @escaping @Sendable () async throws -> String
  ) {
    tokens = TokenRefresher(token: token, refresh: refresh)
    self.authorize = authorize
    self.isRejection = isRejection
  }

  /// Replaces the token, after a login or, by `nil`, at a logout: requests under way are cancelled
  /// then.
  public func setToken(_ token: String?) { tokens.set(token) }

  /// Sets the token to `nil`.
  public func _endSession() { setToken(nil) }

  /// Sends `request` with the token, and once more with a new one if it is rejected.
  public func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let session = tokens.session
    let token = try await tokens.token(replacing: nil, in: session)
    let response = try await send(authorized(request, token), in: session, next)
    guard isRejection(response.response) else { return response }
    let newToken = try await tokens.token(replacing: token, in: session)
    return try await send(authorized(request, newToken), in: session, next)
  }

  private func send(
    _ request: URLRequest, in session: CallSession,
    _ next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let response = try await withoutActuallyEscaping(next) { next in
      try await session.stopping { try await next(request) }
    }
    return response.wrapping { SessionBody($0, session) }
  }

  private func authorized(
    _ request: URLRequest, _ token: String
  ) throws(GraphQLHTTPRequestError) -> URLRequest {
    var request = request
    authorize(&request, token)
    try HeaderField.check(request)
    return request
  }
}
