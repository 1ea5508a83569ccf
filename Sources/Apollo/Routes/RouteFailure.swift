#if WebSocket
  import ApolloAPI
  import ApolloTransport
  import ApolloWebSocket

  /// The meaning of an error for the other routes of a subscription.
  enum RouteFailure: Hashable, Sendable {
    /// The error belongs to the operation, or to the program. It would be the same on every route.
    case ofOperation
    /// The server, or a proxy before it, refuses this route.
    case refused
    /// The route may work again later.
    case temporary
    /// The server asks over this route to subscribe again. The route works.
    case restart

    /// The meaning of a transport's error.
    init(_ error: any Error) {
      self =
        switch error {
        case let error as WebSocketError: RouteFailure(error)
        case let error as ResponseStreamError: RouteFailure(error)
        case let error as GraphQLHTTPResponseError: RouteFailure(status: error.statusCode)
        case let error as NetworkError: RouteFailure(error)
        default: .ofOperation
        }
    }

    private init(_ error: WebSocketError) {
      switch error.code {
      case .cannotConnect, .connectionLost: self = .temporary
      case .refused: self = .refused
      default: self = .ofOperation
      }
    }

    private init(_ error: ResponseStreamError) {
      switch error.kind {
      case .truncated: self = .temporary
      case .endedByServer where error.isOfReload: self = .restart
      // A proxy may have changed the body.
      case .malformedFraming, .unexpectedPartType, .malformedPart: self = .refused
      default: self = .ofOperation
      }
    }

    private init(_ error: NetworkError) {
      switch error.code {
      case .invalidated: self = .ofOperation
      case .insecure, .notHTTP, .malformedResponse, .redirectRefused: self = .refused
      default: self = .temporary
      }
    }

    private init(status: Int) {
      switch status {
      case 501, 505: self = .refused
      case 408, 425, 429, 500...: self = .temporary
      default: self = .refused
      }
    }
  }

  extension ResponseStreamError {
    /// `true` if Apollo Router has ended a subscription because it has another schema or
    /// configuration now.
    fileprivate var isOfReload: Bool {
      let codes: Set<JSONValue> = ["SUBSCRIPTION_SCHEMA_RELOAD", "SUBSCRIPTION_CONFIG_RELOAD"]
      return graphQLErrors.contains { error in error["code"].map { codes.contains($0) } ?? false }
    }
  }
#endif
