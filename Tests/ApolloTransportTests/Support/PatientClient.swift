import ApolloTransport
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The clients that keep the contract of `HTTPClient`.
///
/// The platform's own client is the only one where that is `URLSessionClient`.
enum ClientKind: String, CaseIterable, Sendable {
  case platform
  #if CURL
    case session
  #endif

  /// A client that no timeout interrupts but the given deadline: a busy machine must not be taken
  /// for a server that is too slow.
  func patient(
    deadline: Duration? = nil, limits: TransferLimits = TransferLimits()
  ) -> any HTTPClient {
    switch self {
    case .platform: .patient(deadline: deadline, limits: limits)
    #if CURL
      case .session: URLSessionClient.patient(deadline: deadline, limits: limits)
    #endif
    }
  }
}

extension HTTPClient where Self == DefaultHTTPClient {
  /// A client that no timeout interrupts but the given deadline.
  static func patient(
    deadline: Duration? = nil, limits: TransferLimits = TransferLimits()
  ) -> DefaultHTTPClient {
    var limits = limits
    limits.deadline = deadline
    #if CURL
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      return CurlClient(configuration: configuration, limits: limits)
    #else
      return URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
    #endif
  }
}

#if CURL
  extension URLSessionClient {
    static func patient(
      deadline: Duration? = nil, limits: TransferLimits = TransferLimits()
    ) -> URLSessionClient {
      var limits = limits
      limits.deadline = deadline
      return URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
    }
  }
#endif
