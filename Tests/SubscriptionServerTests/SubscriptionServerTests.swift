import Apollo
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// The client against the server libraries that speak GraphQL over WebSockets.
@Suite(.needsHeroServers, .timeLimit(.minutes(10)))
struct SubscriptionServerTests {
  @Test(arguments: HeroServer.Library.all)
  func deliversTheEventsOfASubscription(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let apollo = ApolloClient(
      networkTransport: SplitNetworkTransport(
        uploadingNetworkTransport: HTTPNetworkTransport(url: server.url),
        webSocketNetworkTransport: transport(to: server, library)))
    var events = heroChanges(apollo)
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    for name in ["Luke", "Leia “\u{1F680}”"] {
      _ = try await apollo.perform(mutation: HeroAPI.RenameMutation(id: "1", name: name))
      #expect(try await events.next()?.data?.heroChanged?.name == name)
    }
    await server.stop()
  }

  @Test(arguments: HeroServer.Library.all)
  func sendsQueriesOverTheSocket(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let apollo = ApolloClient(networkTransport: transport(to: server, library))
    if library.acceptsQueries {
      let response = try await apollo.fetch(
        query: HeroAPI.HeroQuery(name: "Luke"), cachePolicy: .networkOnly)
      #expect(response.data?.hero?.name == "Luke")
    } else {
      let error = await #expect(throws: WebSocketError.self) {
        try await apollo.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
      }
      #expect(error?.code == .rejected)
    }
    await server.stop()
  }

  @Test(arguments: HeroServer.Library.all.filter(\.survivesStops))
  func startsAndStopsManySubscriptions(_ library: HeroServer.Library) async throws {
    let server = try await HeroServer(library)
    let apollo = ApolloClient(networkTransport: transport(to: server, library))
    for _ in 1...50 {
      var events = heroChanges(apollo)
      #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    }
    await server.stop()
  }

  @Test func offersBothProtocolsAndSpeaksTheSelectedOne() async throws {
    for library in HeroServer.Library.all {
      let server = try await HeroServer(library)
      let apollo = ApolloClient(
        networkTransport: WebSocketTransport(endpointURL: server.url, configuration: .patient))
      var events = heroChanges(apollo)
      #expect(try await events.next()?.data?.heroChanged?.name == "subscribed", "\(library)")
      await server.stop()
    }
  }

  @Test func asksForAFreshTokenWhenTheServerRejectsIt() async throws {
    let server = try await HeroServer(.strawberry)
    var configuration = WebSocketTransport.Configuration.patient
    configuration.reconnection.initialDelay = .milliseconds(10)
    configuration.connectingPayloadProvider = { attempt in
      ["token": attempt.isRejected ? "fresh" : "expired"]
    }
    let apollo = ApolloClient(
      networkTransport: WebSocketTransport(
        endpointURL: server.url, configuration: configuration))
    var events = heroChanges(apollo)
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    await server.stop()
  }

  /// The server stops for a while, as if the network had dropped all packets.
  @Test func detectsAServerThatHangs() async throws {
    let server = try await HeroServer(.strawberry)
    var configuration = WebSocketTransport.Configuration.patient
    configuration.reconnection.initialDelay = .milliseconds(10)
    configuration.keepAlive.pingInterval = .milliseconds(100)
    // Longer than a busy machine takes for a pong.
    configuration.keepAlive.pongTimeout = .seconds(10)
    let apollo = ApolloClient(
      networkTransport: WebSocketTransport(endpointURL: server.url, configuration: configuration))
    let isInterrupted = Lock(false)
    var events = heroChanges(apollo) { state in
      switch state {
      case .interrupted:
        isInterrupted.withLock { $0 = true }
        server.send(SIGCONT)
      case .resumed: isInterrupted.withLock { $0 = false }
      case .dropped: break
      }
    }
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    server.send(SIGSTOP)
    // A pong that came too late before has interrupted the subscription already: this is not
    // reported again.
    if isInterrupted.get() { server.send(SIGCONT) }
    #expect(try await events.next()?.data?.heroChanged?.name == "subscribed")
    await server.stop()
  }

  /// The server is killed and starts again while 100 subscriptions are live.
  @Test func survivesTheRestartOfAServer() async throws {
    let port = try ReservedPort()
    let server = try await HeroServer(.strawberry, port: port)
    var configuration = WebSocketTransport.Configuration.patient
    configuration.reconnection.initialDelay = .milliseconds(100)
    let transport = WebSocketTransport(endpointURL: server.url, configuration: configuration)
    let apollo = ApolloClient(networkTransport: transport)
    let resumed = Lock(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let subscribed = AsyncStream.makeStream(of: Void.self)
      for _ in 1...100 {
        group.addTask {
          var events = heroChanges(apollo) { state in
            if case .resumed = state { resumed.withLock { $0 += 1 } }
          }
          for _ in 1...2 {
            let event = try await events.next()
            #expect(event?.data?.heroChanged?.name == "subscribed")
            subscribed.continuation.yield()
          }
        }
      }
      var count = 0
      var restarted: HeroServer?
      for await _ in subscribed.stream {
        count += 1
        if count == 100 {
          await server.stop()
          restarted = try await HeroServer(.strawberry, port: port)
        }
        if count == 200 { break }
      }
      try await group.waitForAll()
      await restarted?.stop()
    }
    #expect(resumed.get() == 100)
    withExtendedLifetime(port) {}
  }

  private func transport(
    to server: HeroServer, _ library: HeroServer.Library
  ) -> WebSocketTransport {
    var configuration = WebSocketTransport.Configuration.patient
    configuration.subprotocols = [library.subprotocol]
    return WebSocketTransport(endpointURL: server.url, configuration: configuration)
  }
}

func heroChanges(
  _ apollo: ApolloClient, stateHandler: (@Sendable (SubscriptionState) -> Void)? = nil
) -> GraphQLResponses<HeroAPI.HeroChangedSubscription>.Iterator {
  apollo.subscribe(
    subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly,
    stateHandler: stateHandler
  ).makeAsyncIterator()
}
