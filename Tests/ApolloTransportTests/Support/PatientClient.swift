import ApolloTransport
import Foundation
import LoopbackServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The clients that keep the contract of `HTTPClient`.
enum ClientKind: String, CaseIterable, Sendable {
  case platform, session

  /// A client that no timeout interrupts but the given deadline: a busy machine must not be taken
  /// for a server that is too slow.
  func patient(
    deadline: Duration? = nil, limits: TransferLimits = TransferLimits()
  ) -> any HTTPClient {
    switch self {
    case .platform: .patient(deadline: deadline, limits: limits)
    case .session: URLSessionClient.patient(deadline: deadline, limits: limits)
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
    #if os(Linux)
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .seconds(600)
      configuration.connectTimeout = .seconds(600)
      return CurlClient(configuration: configuration, limits: limits)
    #else
      return URLSessionClient(sessionConfiguration: .graphQL.patient, limits: limits)
    #endif
  }
}

#if os(Linux)
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
