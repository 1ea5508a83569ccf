import Apollo
import Foundation

/// The way to a server through a proxy, and the transports that take it.
struct Endpoint: Sendable {
  let url: URL
  /// The time for which a check of silence waits.
  let silence: Duration
  private let socketConfiguration: WebSocketTransport.Configuration
  private let client: DefaultHTTPClient
  private let connector: DefaultWebSocketConnector

  /// Creates an endpoint from the arguments of the program, or returns `nil` if they are wrong.
  init?(_ arguments: ArraySlice<String>) throws {
    let words = Array(arguments)
    guard words.count == 5, let url = URL(string: words[0]), let silence = Double(words[3]) else {
      return nil
    }
    self.url = url
    self.silence = .seconds(silence)
    var sockets = WebSocketTransport.Configuration()
    sockets.reconnection.initialDelay = .milliseconds(200)
    sockets.reconnection.maximumDelay = .milliseconds(200)
    if words[4] != "-" {
      guard let seconds = Double(words[4]) else { return nil }
      sockets.keepAlive.pingInterval = seconds == 0 ? nil : .seconds(seconds)
    }
    socketConfiguration = sockets
    #if CURL
      var curl = CurlClient.Configuration()
      curl.proxy = .none
      switch words[1] {
      case "1": curl.version = .http1
      case "2": curl.version = .automatic
      case "2c": curl.version = .http2PriorKnowledge
      default: return nil
      }
      if words[2] != "-" {
        curl.tls.authorities = .pem(try Data(contentsOf: URL(fileURLWithPath: words[2])))
      }
      client = CurlClient(configuration: curl)
      curl.version = .http1
      connector = CurlWebSocketConnector(configuration: curl)
    #else
      client = DefaultHTTPClient()
      connector = DefaultWebSocketConnector()
    #endif
  }

  /// A client that sends everything over HTTP.
  func http(
    _ format: HTTPSubscriptionFormat = .multipart, usesGET: Bool = false
  ) -> ApolloClient {
    let transport = HTTPNetworkTransport(url: url, client: client, useGETForQueries: usesGET)
    transport.subscriptionFormat = format
    return ApolloClient(networkTransport: transport)
  }

  /// A client for the subscriptions of a route.
  func client(_ route: Route) -> ApolloClient {
    switch route {
    case .socket:
      ApolloClient(
        networkTransport: WebSocketTransport(
          endpointURL: url, connector: connector, configuration: socketConfiguration))
    case .events: http(.serverSentEvents)
    case .multipart: http(.multipart)
    }
  }

  /// A client whose subscriptions take the first route that works, and the routes that worked.
  func fallback() -> (ApolloClient, SubscriptionRouteMemory) {
    func http(_ format: HTTPSubscriptionFormat) -> HTTPNetworkTransport {
      let transport = HTTPNetworkTransport(url: url, client: client)
      transport.subscriptionFormat = format
      return transport
    }
    let memory = SubscriptionRouteMemory()
    let transport = FallbackNetworkTransport(
      queryTransport: http(.multipart),
      subscriptionRoutes: [
        .webSocket(
          WebSocketTransport(
            endpointURL: url, connector: connector, configuration: socketConfiguration)),
        .http(http(.multipart)), .http(http(.serverSentEvents)),
      ], memory: memory)
    return (ApolloClient(networkTransport: transport), memory)
  }
}

/// The ways of a subscription's events.
enum Route: String, CaseIterable, Sendable {
  case socket, events, multipart
}
