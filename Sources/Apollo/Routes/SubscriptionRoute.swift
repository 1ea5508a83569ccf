#if WebSocket
  public import ApolloTransport
  public import ApolloWebSocket

  /// A way to send subscriptions to a server, for a ``FallbackNetworkTransport``.
  ///
  /// ```swift
  /// let routes: [SubscriptionRoute] = [
  ///   .webSocket(WebSocketTransport(endpointURL: webSocketEndpoint)),
  ///   .http(HTTPNetworkTransport(url: endpoint)),
  /// ]
  /// ```
  public struct SubscriptionRoute: Sendable {
    /// The name under which a ``SubscriptionRouteMemory`` keeps the route.
    public let name: String

    let transport: any SubscriptionNetworkTransport

    init(name: String, _ transport: any SubscriptionNetworkTransport) {
      self.name = name
      self.transport = transport
    }

    /// Returns the route over a WebSocket.
    public static func webSocket(
      _ transport: WebSocketTransport, name: String = "webSocket"
    ) -> SubscriptionRoute {
      SubscriptionRoute(name: name, transport)
    }

    /// Makes a route over HTTP, in the transport's format for subscriptions.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - name: The name of the route, by default that of the format.
    /// - Returns: The route.
    public static func http(
      _ transport: HTTPNetworkTransport, name: String? = nil
    ) -> SubscriptionRoute {
      SubscriptionRoute(name: name ?? transport.subscriptionFormat.routeName, transport)
    }

    /// Makes a route over HTTP with interceptors, in the transport's format for subscriptions.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - name: The name of the route, by default that of the format.
    /// - Returns: The route.
    public static func http(
      _ transport: RequestChainNetworkTransport, name: String? = nil
    ) -> SubscriptionRoute {
      SubscriptionRoute(name: name ?? transport.subscriptionFormat.routeName, transport)
    }
  }

  extension HTTPSubscriptionFormat {
    var routeName: String {
      switch self {
      case .multipart: "multipart"
      case .serverSentEvents: "serverSentEvents"
      }
    }
  }
#endif
