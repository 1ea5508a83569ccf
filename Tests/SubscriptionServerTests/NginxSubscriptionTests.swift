import Apollo
import Foundation
import LoopbackServer
import TestOperations
import TestProcesses
import Testing

/// Subscriptions through an nginx in front of the server.
@Suite(.needsHeroServers, .enabled(if: Nginx.isInstalled), .timeLimit(.minutes(10)))
struct NginxSubscriptionTests {
  // MARK: WebSockets

  #if CURL
    @Test func subscribesWithTLSOfAPrivateAuthority() async throws {
      let (nginx, server) = try await (Nginx.shared(), HeroServer(.strawberry))
      var curl = CurlClient.Configuration()
      curl.tls.authorities = .pem(try nginx.authority.data("authority.pem"))
      let transport = WebSocketTransport(
        endpointURL: nginx.url(.tls, "/socket/\(server.port)/graphql"),
        connector: CurlWebSocketConnector(configuration: curl), configuration: .patient)
      var events = heroChanges(ApolloClient(networkTransport: transport))
      #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
      await server.stop()
    }
  #endif

  /// Without pings, nginx ends a silent connection after five seconds. The subscription is sent
  /// again.
  @Test func returnsAfterAnIdleTimeoutOfTheProxy() async throws {
    let (nginx, server) = try await (Nginx.shared(), HeroServer(.strawberry))
    try await expectReturn(over: nginx.url(.plain, "/idle/\(server.port)/graphql")) {}
    await server.stop()
  }

  @Test func returnsAfterAReloadOfTheProxy() async throws {
    let (nginx, server) = try await (Nginx(), HeroServer(.strawberry))
    try await expectReturn(over: nginx.url(.plain, "/socket/\(server.port)/graphql")) {
      try nginx.reload()
    }
    await server.stop()
  }

  /// Responds to the handshake with status 502 until the server runs.
  @Test func waitsWhileTheProxyHasNoServer() async throws {
    let port = try ReservedPort()
    let nginx = try await Nginx.shared()
    let transport = WebSocketTransport(
      endpointURL: nginx.url(.plain, "/socket/\(port.number)/graphql"),
      configuration: Self.configuration)
    var failures = transport.connectionStates.compactMap(\.handshakeStatus).makeAsyncIterator()
    let call = Task {
      var events = heroChanges(ApolloClient(networkTransport: transport))
      return try await events.next()?.data?.heroChanged?.name
    }
    for _ in 1...3 { #expect(await failures.next() == 502) }
    let server = try await HeroServer(.strawberry, port: port)
    #expect(try await call.value == "subscribed")
    await server.stop()
    withExtendedLifetime(port) {}
  }

  private func expectReturn(
    over url: URL, after interruption: () throws -> Void
  ) async throws {
    let states = Lock<[String]>([])
    let transport = WebSocketTransport(endpointURL: url, configuration: Self.configuration)
    var events = heroChanges(ApolloClient(networkTransport: transport)) { state in
      states.withLock { $0.append(state.name) }
    }
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    try interruption()
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    expectInterruptionAndReturn(states.get())
  }

  /// Attempts that fail before the return may be reported between the two.
  private func expectInterruptionAndReturn(
    _ states: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(states.first == "interrupted", "\(states)", sourceLocation: sourceLocation)
    #expect(
      states.first { $0 != "interrupted" } == "resumed", "\(states)",
      sourceLocation: sourceLocation)
  }

  private static var configuration: WebSocketTransport.Configuration {
    var configuration = WebSocketTransport.Configuration.patient
    configuration.keepAlive.pingInterval = nil
    configuration.reconnection.initialDelay = .milliseconds(50)
    configuration.reconnection.maximumDelay = .milliseconds(50)
    return configuration
  }

  // MARK: Fallback

  @Test(arguments: [
    ("/socket", HeroServer.Library.strawberry, "webSocket"),
    ("/to", .strawberry, "multipart"),
    ("/to", .ariadneWithEvents, "serverSentEvents"),
  ])
  func usesTheFirstRouteThatThePeersSupport(
    _ path: String, _ library: HeroServer.Library, _ route: String
  ) async throws {
    let (nginx, server) = try await (Nginx.shared(), HeroServer(library))
    let url = nginx.url(.plain, "\(path)/\(server.port)/graphql")
    let memory = SubscriptionRouteMemory()
    let apollo = ApolloClient(networkTransport: fallbackTransport(url, memory))
    var events = heroChanges(apollo)
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    _ = try await apollo.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Leia"))
    #expect(try await events.next()?.data?.heroChanged?.name == "Leia")
    #expect(memory.route(for: "localhost:\(nginx.port(of: .plain))") == route)
    var again = heroChanges(apollo)
    #expect(try await again.next()?.data?.heroChanged?.name == "subscribed")
    await server.stop()
  }

  /// nginx ends the response over HTTP after five seconds of silence.
  @Test func opensALongResponseAgainThatTheProxyEnds() async throws {
    let (nginx, server) = try await (Nginx.shared(), HeroServer(.ariadneWithEvents))
    let states = Lock<[String]>([])
    let url = nginx.url(.plain, "/slow/\(server.port)/graphql")
    let transport = fallbackTransport(url, SubscriptionRouteMemory())
    var events = heroChanges(ApolloClient(networkTransport: transport)) { state in
      states.withLock { $0.append(state.name) }
    }
    for _ in 1...2 {
      #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    }
    expectInterruptionAndReturn(states.get())
    await server.stop()
  }

  private func fallbackTransport(
    _ url: URL, _ memory: SubscriptionRouteMemory
  ) -> FallbackNetworkTransport {
    let events = HTTPNetworkTransport(url: url)
    events.subscriptionFormat = .serverSentEvents
    return FallbackNetworkTransport(
      queryTransport: HTTPNetworkTransport(url: url),
      subscriptionRoutes: [
        .webSocket(WebSocketTransport(endpointURL: url, configuration: .patient)),
        .http(HTTPNetworkTransport(url: url)), .http(events),
      ],
      reconnection: ReconnectionPolicy(
        initialDelay: .milliseconds(50), maximumDelay: .milliseconds(50)),
      memory: memory)
  }
}

extension HeroServer {
  fileprivate var port: Int { url.port ?? 0 }
}

extension SubscriptionState {
  fileprivate var name: String {
    switch self {
    case .interrupted: "interrupted"
    case .resumed: "resumed"
    case .dropped(let count): "dropped \(count)"
    }
  }
}

extension WebSocketConnectionState {
  /// The status of a handshake that failed.
  fileprivate var handshakeStatus: Int? {
    if case .disconnected(let error) = self { error.statusCode } else { nil }
  }
}
