import ApolloAPI

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
/// 2. If the response rejects the token, by the status 401 or by a GraphQL error whose code
///    (`extensions.code`) is `UNAUTHENTICATED`, the token is refreshed, unless that has happened
///    since the request was sent. However many requests are rejected at once, there is one refresh;
///    the others wait for it.
/// 3. The request is sent once more, unless it is a mutation, and a field has a value, or an error
///    is inside of a field's result: that field has been carried out, whatever the status is. A
///    second rejection is the response to the request.
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
  private let errorCodes: Set<String>
  /// The token that ``currentToken(isRejected:)`` returned last in this session.
  private let handedOut = Lock<String?>(nil)

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - token: The token to begin with, or `nil` to refresh it before the first request.
  ///   - authorize: Adds a token to a request. By default, it sets `Authorization: Bearer …`.
  ///   - isRejection: Returns whether a response rejects the token. By default, that is the status
  ///     401. With a result of a mutation, the token is refreshed, and the mutation is not sent
  ///     again.
  ///   - errorCodes: The codes of GraphQL errors that reject the token, whatever the status is. A
  ///     response to a mutation that has data does not count, because the server may have carried
  ///     out a part of it, and neither do responses in parts. With an error inside of a field's
  ///     result, the token is refreshed, and the mutation is not sent again. By default,
  ///     `UNAUTHENTICATED`. Pass none if a refused login has this code, too. Pass none that a
  ///     missing permission has as well: a mutation of an offline queue would wait for another
  ///     token.
  ///   - refresh: Gets a new token. It must not use this interceptor.
  public init(
    token: String? = nil,
    authorize: @escaping @Sendable (inout URLRequest, String) -> Void = { request, token in
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    },
    isRejection: @escaping @Sendable (HTTPURLResponse) -> Bool = { $0.statusCode == 401 },
    errorCodes: Set<String> = ["UNAUTHENTICATED"],
    refresh: @escaping @Sendable () async throws -> String
  ) {
    tokens = TokenRefresher(token: token, refresh: refresh)
    self.authorize = authorize
    self.isRejection = isRejection
    self.errorCodes = errorCodes
  }

  /// Returns the token, after a refresh if there is none, for a connection that other means
  /// authenticate.
  ///
  /// ```swift
  /// var configuration = WebSocketTransport.Configuration()
  /// configuration.connectingPayloadProvider = { attempt in
  ///   let token = try await authentication.currentToken(isRejected: attempt.isRejected)
  ///   return ["token": .string(token)]
  /// }
  /// ```
  ///
  /// - Parameter isRejected: `true` if the server has rejected the token that this method returned
  ///   last. It is refreshed then, unless that has happened since.
  /// - Returns: The token that requests are sent with.
  /// - Throws: The error of the refresh, or `CancellationError`.
  public func currentToken(isRejected: Bool = false) async throws -> String {
    let rejected = isRejected ? handedOut.withLock { $0 } : nil
    let session = tokens.session
    let token = try await tokens.token(replacing: rejected, in: session)
    handedOut.withLock { $0 = session.isCurrent ? token : nil }
    return token
  }

  /// Replaces the token, after a login or, by `nil`, at a logout: requests under way are cancelled
  /// then.
  public func setToken(_ token: String?) {
    tokens.set(token)
    if token == nil { handedOut.withLock { $0 = nil } }
  }

  /// Sets the token to `nil`.
  public func _endSession() { setToken(nil) }

  /// Sends `request` with the token, and once more with a new one if it is rejected.
  public func intercept(
    request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let session = tokens.session
    let token = try await tokens.token(replacing: nil, in: session)
    if let response = try await responseUnlessRepeatable(to: request, token, in: session, next) {
      return response
    }
    let newToken = try await tokens.token(replacing: token, in: session)
    var response = try await send(authorized(request, newToken), in: session, next)
    _ = try await rejection(by: &response, of: request)  // which is noted
    return response
  }

  /// Sends a request. Returns `nil` if the response rejects the token, and the request can be sent
  /// again. The response is released then: others may wait for its connection.
  private func responseUnlessRepeatable(
    to request: URLRequest, _ token: String, in session: CallSession,
    _ next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse? {
    var response = try await send(authorized(request, token), in: session, next)
    switch try await rejection(by: &response, of: request) {
    case .none: return response
    case .inside:
      // Not noted in the record of the call: the response is the verdict on the mutation.
      tokens.beginRefresh(replacing: token, in: session)
      return response
    case .partial, .whole:
      response.sendingAttempt?.rejectToken()
      return nil
    }
  }

  /// Returns the kind of rejection of the token by a response. Its body is read if that can say so.
  /// A server that only says so has done nothing.
  ///
  /// Errors that only say so are noted, also of a new token: a code means nothing else. A status
  /// may: with a new token, 403 can be the response to a user who may not do this.
  private func rejection(
    by response: inout HTTPResponse, of request: URLRequest
  ) async throws -> Rejection {
    if isRejection(response.response) {
      // A query is sent again in any case. The status of a mutation may be that of any field's
      // error.
      guard !request.isQuery, let body = try await response.readUnlessInParts() else {
        return .partial
      }
      return ResponseOutline(body).hasResult ? .inside : .partial
    }
    guard !errorCodes.isEmpty, let body = try await response.readUnlessInParts() else {
      return .none
    }
    let rejection = body.rejection(errorCodes, isQuery: request.isQuery)
    if rejection == .whole {
      response.sendingAttempt?.endWithoutEffect()
      response.sendingAttempt?.rejectToken()
    }
    return rejection
  }

  private func send(
    _ request: URLRequest, in session: CallSession,
    _ next: @Sendable (URLRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let response = try await withoutActuallyEscaping(next) { next in
      try await session.stopping { try await next(request) }
    }
    return response.ending(with: session)
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

extension URLRequest {
  /// `true` if the request is known to change nothing at the server.
  fileprivate var isQuery: Bool {
    httpMethod == "GET"
      || value(forHTTPHeaderField: OperationHeaders.typeName) == GraphQLOperationType.query.rawValue
  }
}

/// The rejection of a token by a response.
private enum Rejection {
  case none
  /// The status or some errors reject the token.
  case partial
  /// The status or some errors reject the token of what may be a mutation, and the server has
  /// carried out a field: it has a value, or an error is inside of what it returns.
  case inside
  /// There is no data, all errors do, and none is inside of what a field returns.
  case whole
}

extension Data {
  /// Returns whether this is a response with an error that has one of the codes and, unless it
  /// answers a query, no data.
  fileprivate func rejection(_ codes: Set<String>, isQuery: Bool) -> Rejection {
    // Nearly every response has none of the codes, and need not be read twice.
    guard codes.contains(where: { contains(Array($0.utf8)) }),
      let value = try? JSONValue(responseBytes: self)
    else { return .none }
    let hasData = value["data"]?.hasContents == true
    let errors = value["errors"].map(GraphQLError.list) ?? []
    let count = errors.count { error in
      error["code"]?.stringValue.map { codes.contains($0) } ?? false
    }
    guard count > 0, isQuery || !hasData else { return .none }
    let isOfField = errors.contains { $0.path?.count ?? 0 > 1 }
    guard isQuery || !isOfField else { return .inside }
    return count == errors.count && !hasData && !isOfField ? .whole : .partial
  }

  /// Returns whether the bytes occur here. The buffers do not leave the closures.
  private func contains(_ pattern: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      pattern.withUnsafeBufferPointer { pattern in
        var position = 0
        return pattern.isEmpty
          || bytes.bindMemory(to: UInt8.self).find(pattern, from: &position)
      }
    }
  }
}
