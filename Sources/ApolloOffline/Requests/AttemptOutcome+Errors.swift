import Apollo
import ApolloAPI
import ApolloTransport
import Foundation

extension AttemptOutcome {
  /// The meaning of the error of a call for its mutation. The first row that applies counts.
  ///
  /// | error | the mutation |
  /// | :-- | :-- |
  /// | any, and the server has rejected the token of the latest attempt | was not performed by this attempt, and waits |
  /// | the request could not be made, and nothing has left | fails |
  /// | any, and there was no attempt | was not performed |
  /// | a status from 400 to 499 other than 408, and a field has a value, or an error is inside of one | may have been performed by this attempt, and was rejected |
  /// | status 401, 407, 425, 429 | was not performed by this attempt, and waits |
  /// | status 408, 500 and above; a page instead of GraphQL | may have been performed |
  /// | another status from 400 | was rejected by this attempt |
  /// | a message over a WebSocket that refuses the operation, before any part of a response | the same as after a response with its errors |
  /// | a response that cannot be read, or that is too large; a message of it that would end each WebSocket | may have been performed, and fails, because the next response will be the same |
  /// | any, and nothing has left in any attempt | was not performed |
  /// | another one, such as a lost connection or a cancelled call | may have been performed |
  ///
  /// Neither codes nor the types of errors say whether the request has left: an interceptor may
  /// throw its own, and a call may have had several attempts. The record of the call does.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - facts: The facts about the attempts of the call.
  init(_ error: any Error, _ facts: SendingRecord.Facts) {
    // A step of a 1.x chain has an error of its own for a status.
    let error: any Error =
      (error as? ResponseCodeInterceptor.ResponseCodeError)?.responseError ?? error
    let isWithoutEffect =
      switch error {
      case let error as NetworkError: error.hasSentNothing
      case let error as GraphQLHTTPResponseError: SendingRecord.isRefusal(error.statusCode)
      default: false
      }
    let mayHaveArrived =
      isWithoutEffect ? facts.mayHaveArrivedInSpiteOfError : facts.mayHaveArrived
    switch error {
    case _ where facts.isTokenRejected:
      // The error may be that of the refresh, whose status says nothing about the mutation.
      self.init(
        statusCode: 401, retryAfter: (error as? GraphQLHTTPResponseError)?.retryAfter, [],
        mayHaveArrived: facts.mayHaveArrived)
    case is GraphQLHTTPRequestError where !mayHaveArrived:
      self = .rejected(OfflineFailure(.unsendable, messages: ["\(error)"]), mayHaveArrived: false)
    case let error as ApolloClientError
    where [.noUploadTransport, .noSubscriptionTransport].contains(error.code):
      self = .rejected(OfflineFailure(.unsendable, messages: ["\(error)"]), mayHaveArrived: false)
    case _ where facts.isEmpty: self = .notPerformed(retryAfter: nil, isFaultOfServer: false)
    case let error as GraphQLHTTPResponseError:
      self.init(
        statusCode: error.statusCode, retryAfter: error.retryAfter, error.graphQLErrors,
        hasResult: error.hasResult, mayHaveArrived: mayHaveArrived)
    case let error as any OperationRefusal where error.refusal != nil:
      // The same errors mean the same in a message over a WebSocket and in a response over HTTP.
      self.init(nil, error.refusal ?? [], facts)
    case let error as any UnreadableResponse where error.isUnreadable:
      self = .rejected(OfflineFailure(.unreadable, messages: ["\(error)"]), mayHaveArrived: true)
    default:
      self =
        mayHaveArrived
        ? .unknown(retryAfter: nil, isFaultOfServer: false)
        : .notPerformed(retryAfter: nil, isFaultOfServer: false)
    }
  }

  /// The meaning of a response with GraphQL errors, and without a result of the mutation.
  ///
  /// A server that follows GraphQL over HTTP sends such errors with the status that says what has
  /// happened, so that counts first, unless all errors reject the token.
  ///
  /// - Parameters:
  ///   - http: The head of the response, or `nil` if it has none.
  ///   - errors: The errors.
  ///   - facts: The facts about the attempts of the call.
  init(_ http: HTTPDetails?, _ errors: [GraphQLError], _ facts: SendingRecord.Facts) {
    let mayHaveArrived = facts.mayHaveArrivedBeforeResponse
    // With a longer path, the error is in what the mutation returns.
    let isOfField = errors.contains { $0.path?.count ?? 0 > 1 }
    if let http, facts.isTokenRejected || !(200..<300).contains(http.statusCode) {
      let headers = http.headers
      self.init(
        statusCode: facts.isTokenRejected ? 401 : http.statusCode,
        retryAfter: RetryAfter.delay(headers["retry-after"], date: headers["date"], now: Date()),
        errors, hasResult: isOfField, mayHaveArrived: mayHaveArrived)
      return
    }
    let areOfToken = errors.allSatisfy { $0["code"]?.stringValue == "UNAUTHENTICATED" }
    if areOfToken, !isOfField, !errors.isEmpty {
      // The same as status 401.
      self.init(statusCode: 401, retryAfter: nil, errors, mayHaveArrived: mayHaveArrived)
      return
    }
    self = .rejected(
      OfflineFailure(.graphQL, statusCode: http?.statusCode, messages: errors.map(\.message)),
      mayHaveArrived: isOfField || mayHaveArrived)
  }

  private init(
    statusCode status: Int, retryAfter delay: Duration?, _ errors: [GraphQLError],
    hasResult: Bool = false, mayHaveArrived: Bool
  ) {
    switch status {
    // A request of the server to wait, or the page of a network that wants a login.
    case ..<400, 408, 503, 511: self = .unknown(retryAfter: delay, isFaultOfServer: false)
    case 500...: self = .unknown(retryAfter: delay, isFaultOfServer: true)
    // The status is that of an error inside of the result: a part of the mutation was performed.
    case _ where hasResult:
      self = .rejected(
        OfflineFailure(.graphQL, statusCode: status, messages: errors.map(\.message)),
        mayHaveArrived: true)
    // The user is known again after a login, or with a new token.
    case 401, 407, 425, 429:
      self =
        mayHaveArrived
        ? .unknown(retryAfter: delay, isFaultOfServer: false)
        : .notPerformed(retryAfter: delay, isFaultOfServer: false)
    default:
      self = .rejected(
        OfflineFailure(.rejected, statusCode: status, messages: errors.map(\.message)),
        mayHaveArrived: mayHaveArrived)
    }
  }
}
