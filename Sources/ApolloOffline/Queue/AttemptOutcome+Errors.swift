import ApolloAPI
import ApolloTransport
import Foundation

extension AttemptOutcome {
  /// The meaning of an error for the mutation of the request.
  ///
  /// | error | the mutation |
  /// | :-- | :-- |
  /// | no connection, no host, no trust | was not performed |
  /// | the connection ended, or was silent, for too long | may have been performed |
  /// | status 425, 429 | was not performed |
  /// | status 408, 500 and above; a page instead of GraphQL | may have been performed |
  /// | another status | was rejected |
  /// | a response that cannot be read | was rejected: it will be the same again |
  /// | the request could not be made | was rejected: it will be the same again |
  /// | the call was cancelled | may have been performed |
  init(_ error: any Error) {
    switch error {
    case let error as NetworkError: self = Self.outcome(of: error)
    case let error as GraphQLHTTPResponseError: self = Self.outcome(of: error)
    case is CancellationError: self = .unknown(retryAfter: nil, isFaultOfServer: false)
    case let error as ResponseError:
      self = .rejected(OfflineFailure(.unreadable, messages: ["\(error)"]))
    case let error as GraphQLHTTPRequestError:
      self = .rejected(OfflineFailure(.unsendable, messages: ["\(error)"]))
    case let error as ApolloClientError:
      self = .rejected(OfflineFailure(.unsendable, messages: ["\(error)"]))
    default:
      // An error of an interceptor or a transport of the program: nothing says what it means.
      self = .unknown(retryAfter: nil, isFaultOfServer: true)
    }
  }

  private static func outcome(of error: NetworkError) -> AttemptOutcome {
    guard !error.responseHadBegun else { return .unknown(retryAfter: nil, isFaultOfServer: false) }
    return switch error.code {
    case .hostNotFound, .cannotConnect, .offline, .insecure, .proxyFailed, .connectionLimit,
      .invalidated:
      .notPerformed(retryAfter: nil, isFaultOfServer: false)
    default: .unknown(retryAfter: nil, isFaultOfServer: false)
    }
  }

  private static func outcome(of error: GraphQLHTTPResponseError) -> AttemptOutcome {
    let status = error.statusCode
    switch status {
    case 425, 429: return .notPerformed(retryAfter: error.retryAfter, isFaultOfServer: true)
    case 408, 500...: return .unknown(retryAfter: error.retryAfter, isFaultOfServer: true)
    case ..<400:
      // The page of a network that wants a login, or of a proxy.
      return .unknown(retryAfter: error.retryAfter, isFaultOfServer: true)
    default:
      return .rejected(
        OfflineFailure(
          .rejected, statusCode: status, messages: error.graphQLErrors.map(\.message)))
    }
  }
}
