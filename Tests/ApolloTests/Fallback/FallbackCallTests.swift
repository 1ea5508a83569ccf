import ApolloAPI
import ApolloCache
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

@testable import Apollo
@testable import ApolloTransport
@testable import ApolloWebSocket

/// Subscriptions over scripted routes, on a clock that the tests advance.
@Suite(.timeLimit(.minutes(10)))
struct FallbackCallTests {
  private let clock = ManualClock()
  private let states = Lock<[String]>([])

  // MARK: Choosing

  @Test func usesThePreferredRouteIfItOpens() async throws {
    let routes = [ScriptedRoute(.opened, .event("A"), .event("B")), ScriptedRoute(.opened)]
    #expect(try await names(client(routes)) == ["A", "B"])
    #expect(routes.map(\.callCount) == [1, 0])
    #expect(clock.alarmCount == 0)
  }

  @Test func triesEachRouteAfterARefusalAndRemembersTheOneThatWorks() async throws {
    let routes = [
      ScriptedRoute(.failure(WebSocketError(.refused, statusCode: 426))),
      ScriptedRoute(.failure(NetworkError(.cannotConnect, url: nil))),
      ScriptedRoute(.opened, .event("A")),
    ]
    let client = client(routes)
    for _ in 1...3 { #expect(try await names(client) == ["A"]) }
    #expect(routes.map(\.callCount) == [1, 1, 3])
  }

  @Test func forgetsARouteAfterAnHourAndAfterItsFailure() async throws {
    let routes = [
      ScriptedRoute { call in
        call == 1 ? [.failure(WebSocketError(.refused))] : [.opened, .event("first")]
      },
      ScriptedRoute { call in
        call < 3 ? [.opened, .event("second")] : [.failure(WebSocketError(.refused))]
      },
    ]
    let memory = SubscriptionRouteMemory(lifetime: .seconds(3_600), clock: clock)
    let client = client(routes, memory: memory)
    #expect(try await names(client) == ["second"])
    clock.advance(by: .seconds(3_599))
    #expect(try await names(client) == ["second"])
    #expect(try await names(client) == ["first"], "the remembered route fails")
    #expect(try await names(client) == ["first"])
    memory.remember("1", for: "")
    #expect(memory.route(for: "") == "1")
    clock.advance(by: .seconds(3_600))
    #expect(memory.route(for: "") == nil)
    memory.remember("1", for: "")
    memory.forgetAll()
    #expect(memory.route(for: "") == nil)
  }

  @Test func opensNoRouteForASessionThatHasEnded() async throws {
    let route = ScriptedRoute(.opened, .event("A"))
    let sessions = CallSessions()
    var request = OperationRequest(HeroAPI.HeroChangedSubscription())
    request.facts.session = sessions.current
    sessions.end()
    let (events, report) = AsyncStream.makeStream(of: RouteCall.Event.self)
    let call = RouteCall(0, request, over: route, clock: clock) { report.yield($0) }
    let event = await events.first { _ in true }
    withExtendedLifetime(call) {}
    guard case .response(.failure(let error)) = event else {
      Issue.record("The route has reported \(String(describing: event)).")
      return
    }
    #expect(error is CancellationError)
    #expect(route.callCount == 0)
  }

  @Test func triesTheNextRouteIfOneIsNotOpenInTime() async throws {
    let routes = [ScriptedRoute(.silence), ScriptedRoute(.opened, .event("A"))]
    let call = Task { try await names(client(routes)) }
    await clock.waitForAlarms(1)
    #expect(clock.delays == [.seconds(10)])
    #expect(states.get() == [])
    clock.advance(by: .seconds(10))
    #expect(try await call.value == ["A"])
    await routes[0].wasCancelled.wait()
    #expect(states.get() == ["interrupted", "resumed"])
  }

  /// A proxy holds the heads of all responses back until the first event, which takes hours.
  @Test func keepsLateRoutesOpenUntilOneOfThemOpens() async throws {
    let event = Signal()
    let routes = [
      ScriptedRoute(.failure(WebSocketError(.refused, statusCode: 400))),
      ScriptedRoute(.wait(event), .opened, .event("A")), ScriptedRoute(.silence),
    ]
    let call = Task { try await names(client(routes)) }
    for _ in 1...2 {
      await clock.waitForAlarms(1)
      clock.advance(by: .seconds(10))
    }
    await routes[2].isSilent.wait()
    #expect(states.get() == ["interrupted"])
    clock.advance(by: .seconds(86_400))
    event.fire()
    #expect(try await call.value == ["A"])
    #expect(routes.map(\.callCount) == [1, 1, 1], "none is given up and opened again")
    await routes[2].wasCancelled.wait()
    #expect(states.get() == ["interrupted", "resumed"])
  }

  @Test func triesTheNextRouteWhenATransportReportsItsFirstFailure() async throws {
    let routes = [
      ScriptedRoute(.interrupted, .silence), ScriptedRoute(.opened, .event("A")),
    ]
    #expect(try await names(client(routes)) == ["A"])
    await routes[0].wasCancelled.wait()
    #expect(states.get() == ["interrupted", "resumed"])
  }

  @Test func returnsToALateRouteThatOpensByItself() async throws {
    let isOther = Signal()
    let routes = [
      ScriptedRoute(.interrupted, .wait(isOther), .opened, .resumed, .event("A")),
      ScriptedRoute(.signal(isOther), .silence),
    ]
    #expect(try await names(client(routes)) == ["A"])
    #expect(states.get() == ["interrupted", "resumed"])
    await routes[1].wasCancelled.wait()
  }

  @Test func triesTheNextRouteIfAResponseHasNoEvents() async throws {
    let routes = [
      ScriptedRoute(.wholeResponse, .event("no subscriptions here")),
      ScriptedRoute(.opened, .event("A")),
    ]
    #expect(try await names(client(routes)) == ["A"])
  }

  // MARK: Failures

  @Test func deliversTheWholeResponseIfNoRouteHasEvents() async throws {
    let routes = [
      ScriptedRoute(.failure(WebSocketError(.refused, statusCode: 426))),
      ScriptedRoute(.wholeResponse, .event("errors")),
      ScriptedRoute(.failure(WebSocketError(.refused))),
    ]
    var bodies: [String?] = []
    let error = await #expect(throws: WebSocketError.self) {
      for try await event in subscription(client(routes)) {
        bodies.append(event.data?.heroChanged?.name)
      }
    }
    #expect(bodies == ["errors"])
    #expect(error?.statusCode == 426, "the refusal of the preferred route is the end")
    #expect(routes.map(\.callCount) == [1, 1, 1])
  }

  /// A server without subscriptions over HTTP executes one as a query, and says "Cannot return
  /// null for non-nullable field".
  @Test func endsWithTheRefusalIfAnotherRouteHasNoData() async throws {
    let routes = [
      ScriptedRoute(.failure(WebSocketError(.refused, statusCode: 400))),
      ScriptedRoute(.opened, .body(#"{"data":null,"errors":[{"message":"Cannot return null"}]}"#)),
    ]
    var messages: [String] = []
    let error = await #expect(throws: WebSocketError.self) {
      for try await event in subscription(client(routes)) {
        messages += (event.errors ?? []).map(\.message)
      }
    }
    #expect(messages == ["Cannot return null"])
    #expect(error?.statusCode == 400)
  }

  @Test func failsWithTheLastErrorIfAllRoutesAreRefused() async throws {
    let routes = [401, 403].map { status in
      ScriptedRoute(.failure(WebSocketError(.refused, statusCode: status)))
    }
    let error = await #expect(throws: WebSocketError.self) { try await names(client(routes)) }
    #expect(error?.statusCode == 403)
  }

  @Test func failsAtOnceWithAnErrorOfTheOperation() async throws {
    let routes = [ScriptedRoute(.opened, .failure(WebSocketError(.rejected))), ScriptedRoute()]
    let error = await #expect(throws: WebSocketError.self) { try await names(client(routes)) }
    #expect(error?.code == .rejected)
    #expect(routes[1].callCount == 0)
    #expect(states.get() == [])
  }

  @Test func waitsBetweenRounds() async throws {
    let down = NetworkError(.cannotConnect, url: nil)
    let routes = [
      ScriptedRoute { $0 < 4 ? [.failure(down)] : [.opened, .event("A")] },
      ScriptedRoute(.failure(down)),
    ]
    let call = Task { try await names(client(routes)) }
    for delay in [1, 2, 4] {
      await clock.waitForAlarm(after: .seconds(delay))
      clock.advance(by: .seconds(delay))
    }
    #expect(try await call.value == ["A"])
    #expect(routes.map(\.callCount) == [4, 3])
  }

  // MARK: Losses

  @Test func opensALostRouteAgainAfterAWait() async throws {
    let lost = ResponseStreamError(.truncated, "cut")
    let routes = [
      ScriptedRoute { $0 == 1 ? [.opened, .event("A"), .failure(lost)] : [.opened, .event("B")] },
      ScriptedRoute(),
    ]
    let call = Task { try await names(client(routes)) }
    await clock.waitForAlarm(after: .seconds(1))
    #expect(states.get() == ["interrupted"])
    clock.advance(by: .seconds(1))
    #expect(try await call.value == ["A", "B"])
    #expect(states.get() == ["interrupted", "resumed"])
  }

  /// Apollo Router ends all subscriptions when its schema or its configuration has changed, also
  /// those without an event so far.
  @Test(
    arguments: ["SUBSCRIPTION_SCHEMA_RELOAD", "SUBSCRIPTION_CONFIG_RELOAD"],
    [false, true])
  func subscribesAgainOverTheRouteWhoseServerHasReloaded(
    _ code: String, _ hasEvent: Bool
  ) async throws {
    let reload = ResponseStreamError(
      .endedByServer, "",
      graphQLErrors: [GraphQLError(message: "reload", extensions: ["code": .string(code)])])
    let first: [ScriptedRoute.Step] =
      hasEvent ? [.opened, .event("A"), .failure(reload)] : [.opened, .failure(reload)]
    let routes = [
      ScriptedRoute { $0 == 1 ? first : [.opened, .event("B")] },
      ScriptedRoute(),
    ]
    let call = Task { try await names(client(routes)) }
    await clock.waitForAlarm(after: .seconds(1))
    #expect(states.get() == ["interrupted"])
    clock.advance(by: .seconds(1))
    let expected: [String?] = hasEvent ? ["A", "B"] : ["B"]
    #expect(try await call.value == expected)
    #expect(states.get() == ["interrupted", "resumed"])
    #expect(routes.map(\.callCount) == [2, 0])
  }

  @Test func leavesARouteThatIsLostBeforeItsFirstEvent() async throws {
    let lost = NetworkError(.connectionLost, url: nil)
    let routes = [ScriptedRoute(.opened, .failure(lost)), ScriptedRoute(.opened, .event("A"))]
    #expect(try await names(client(routes)) == ["A"])
    #expect(states.get() == ["interrupted", "resumed"])
  }

  @Test func letsATransportRestoreItsConnection() async throws {
    let routes = [
      ScriptedRoute(.opened, .event("A"), .interrupted, .resumed, .event("B")), ScriptedRoute(),
    ]
    #expect(try await names(client(routes)) == ["A", "B"])
    #expect(states.get() == ["interrupted", "resumed"])
    #expect(clock.alarmCount == 0)
  }

  @Test func leavesAConnectionThatIsNotRestoredInTime() async throws {
    let routes = [
      ScriptedRoute(.opened, .interrupted, .silence), ScriptedRoute(.opened, .event("A")),
    ]
    let call = Task { try await names(client(routes)) }
    await clock.waitForAlarm(after: .seconds(30))
    clock.advance(by: .seconds(30))
    #expect(try await call.value == ["A"])
    #expect(states.get() == ["interrupted", "resumed"], "each once")
  }

  /// The time without a connection is no part of a route's lifetime.
  @Test(arguments: [(3_600, 1), (0, 2)])
  func theWaitsBeginAnewAfterARouteThatRestoredItself(
    _ lifetime: Int, _ wait: Int
  ) async throws {
    let (isBack, isLost) = (Signal(), Signal())
    let routes = [
      ScriptedRoute(
        .opened, .event("A"), .interrupted, .wait(isBack), .opened, .event("B"), .wait(isLost),
        .interrupted, .silence),
      ScriptedRoute(.failure(NetworkError(.cannotConnect, url: nil))),
    ]
    let received = Lock<[String?]>([])
    let events = subscription(client(routes))
    let call = Task {
      for try await event in events {
        received.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    await clock.waitForAlarm(after: .seconds(30))
    clock.advance(by: .seconds(30))
    await clock.waitForAlarm(after: .seconds(1))
    isBack.fire()
    await until { received.get() == ["A", "B"] }
    clock.advance(by: .seconds(lifetime))
    isLost.fire()
    await clock.waitForAlarm(after: .seconds(30))
    clock.advance(by: .seconds(30))
    await clock.waitForAlarm(after: .seconds(wait))
    #expect(routes.map(\.callCount) == [1, 2])
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  // MARK: Cancellation

  @Test func endsTheRouteWhenTheSubscriptionIsDropped() async throws {
    let route = ScriptedRoute(.opened, .event("A"), .silence)
    let dropping = Task {
      for try await _ in subscription(client([route])) { break }
    }
    try await dropping.value
    let cancelling = Task { try await names(client([route])) }
    await route.isSilent.wait()
    cancelling.cancel()
    await #expect(throws: CancellationError.self) { try await cancelling.value }
  }

  @Test func endsTheRouteWhenTheTaskIsCancelled() async throws {
    let route = ScriptedRoute(.silence)
    let call = Task { try await names(client([route])) }
    await clock.waitForAlarms(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    await route.wasCancelled.wait()
    #expect(clock.alarmCount == 0)
  }

  @Test func canBeCancelledDuringAWait() async throws {
    let route = ScriptedRoute(.failure(NetworkError(.cannotConnect, url: nil)))
    let call = Task { try await names(client([route])) }
    await clock.waitForAlarm(after: .seconds(1))
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.alarmCount == 0)
  }

  // MARK: Real sockets

  /// This proxy refuses handshakes and cuts multipart responses. Every second response with
  /// server-sent events breaks off.
  @Test func usesServerSentEventsIfAProxyKillsTheOtherRoutes() async throws {
    let count = Lock(0)
    let server = try LoopbackServer { request, reply in
      if request.headers["upgrade"] != nil { return reply.respond(403) }
      guard request.headers["accept"]?.contains("text/event-stream") == true else {
        reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
        return reply.close()
      }
      let number = count.withLock { count in
        count += 1
        return count
      }
      reply.beginChunks(type: "text/event-stream")
      reply.chunk("event: next\ndata: \(StreamingTransport.body("\(number)"))\n\n")
      if number % 2 == 1 { return reply.close() }
      reply.chunk("event: complete\ndata:\n\n")
      reply.endChunks()
    }
    defer { server.stop() }
    let memory = SubscriptionRouteMemory()
    let events = HTTPNetworkTransport(url: server.url())
    events.subscriptionFormat = .serverSentEvents
    let transport = FallbackNetworkTransport(
      queryTransport: events,
      subscriptionRoutes: [
        .webSocket(WebSocketTransport(endpointURL: server.url())),
        .http(HTTPNetworkTransport(url: server.url())), .http(events),
      ],
      openingTimeout: .seconds(60),
      reconnection: ReconnectionPolicy(initialDelay: .milliseconds(1)), memory: memory)
    #expect(try await names(ApolloClient(networkTransport: transport)) == ["1", "2"])
    #expect(states.get() == Array(repeating: ["interrupted", "resumed"], count: 3).flatMap(\.self))
    #expect(memory.route(for: "127.0.0.1:\(server.port)") == "serverSentEvents")
  }

  // MARK: Other operations

  @Test func sendsQueriesOverHTTP() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let transport = FallbackNetworkTransport(endpointURL: server.url)
    let apollo = ApolloClient(networkTransport: transport)
    let response = try await apollo.fetch(query: HeroAPI.HeroQuery())
    #expect(response.data?.hero?.name == "R2-D2")
    #expect(transport.endpointURL == server.url)
  }

  // MARK: Support

  private func client(
    _ routes: [ScriptedRoute], memory: SubscriptionRouteMemory? = nil
  ) -> ApolloClient {
    ApolloClient(
      networkTransport: FallbackNetworkTransport(
        queryTransport: HTTPNetworkTransport(url: URL(fileURLWithPath: "/")),
        FallbackCall.Environment(
          routes: routes.enumerated().map { SubscriptionRoute(name: "\($0)", $1) }, host: "",
          memory: memory ?? SubscriptionRouteMemory(lifetime: .seconds(3_600), clock: clock),
          openingTimeout: .seconds(10), recoveryTimeout: .seconds(30),
          reconnection: ReconnectionPolicy(), clock: clock, jitter: { 1 })))
  }

  /// The time in which a call waits.
  enum Phase: CaseIterable {
    /// For a route to open, to recover, or for the next attempt.
    case opening, recovering, reconnecting

    fileprivate var steps: [ScriptedRoute.Step] {
      switch self {
      case .opening: [.silence]
      case .recovering: [.opened, .event("A"), .interrupted, .silence]
      case .reconnecting: [.opened, .event("A"), .failure(WebSocketError(.connectionLost))]
      }
    }
  }

  /// It waits before it opens a route, which would have the token of the next user.
  @Test(arguments: Phase.allCases)
  func aCallThatWaitsEndsWithItsSession(_ phase: Phase) async throws {
    let next: [ScriptedRoute.Step] = [.opened, .event("B"), .silence]
    let routes = [ScriptedRoute { $0 == 1 ? phase.steps : next }, ScriptedRoute { _ in next }]
    let client = client(routes)
    let received = Lock<[String?]>([])
    let events = subscription(client)
    let call = Task {
      for try await event in events {
        received.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    await until { received.get() == (phase == .opening ? [] : ["A"]) }
    if phase != .reconnecting { await routes[0].isSilent.wait() }
    await clock.waitForAlarms(1)
    try await client.endSession()
    clock.advance(by: .seconds(3_600))
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(routes.map(\.callCount) == [1, 0])
  }

  private func subscription(
    _ client: ApolloClient
  ) -> GraphQLResponses<HeroAPI.HeroChangedSubscription> {
    client.subscribe(
      subscription: HeroAPI.HeroChangedSubscription(), cachePolicy: .networkOnly,
      stateHandler: { [states] state in
        let name =
          switch state {
          case .interrupted: "interrupted"
          case .resumed: "resumed"
          case .dropped(let count): "dropped \(count)"
          }
        states.withLock { $0.append(name) }
      })
  }

  private func names(_ client: ApolloClient) async throws -> [String?] {
    var names: [String?] = []
    for try await event in subscription(client) { names.append(event.data?.heroChanged?.name) }
    return names
  }

  // MARK: Routes without events

  @Test func aWholeResponseIsNoError() async throws {
    let whole = ScriptedRoute(.wholeResponse, .body(#"{"errors":[{"message":"no events"}]}"#))
    let refused = ScriptedRoute(.failure(WebSocketError(.refused, statusCode: 426)))
    for routes in [[whole], [whole, refused]] {
      var messages: [String] = []
      do {
        for try await event in subscription(client(routes)) {
          messages += (event.errors ?? []).map(\.message)
        }
        #expect(routes.count == 1)
      } catch {
        #expect((error as? WebSocketError)?.statusCode == 426)
      }
      #expect(messages == ["no events"])
    }
    #expect(states.get() == ["interrupted"], "by the refusal")
  }

  /// The server has no subscriptions over HTTP, and its WebSocket is down for a moment.
  @Test func failuresBeforeAnEventAreNotTheEnd() async throws {
    let routes = [
      ScriptedRoute { call in
        call == 1
          ? [.failure(NetworkError(.cannotConnect, url: nil))]
          : [.opened, .event("A"), .failure(WebSocketError(.rejected))]
      },
      ScriptedRoute(.wholeResponse, .body(#"{"errors":[{"message":"no events"}]}"#)),
    ]
    let received = Lock<[String?]>([])
    let events = subscription(client(routes))
    let call = Task {
      for try await event in events {
        received.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    await clock.waitForAlarm(after: .seconds(1))
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: WebSocketError.self) { try await call.value }
    #expect(error?.code == .rejected)
    #expect(received.get() == ["A"])
  }

  @Test func aLateRouteThatHadDeliveredBeginsNoRound() async throws {
    let signal = Signal()
    let routes = [
      ScriptedRoute(
        .opened, .event("A"), .interrupted, .wait(signal),
        .failure(WebSocketError(.refused, statusCode: 404))),
      ScriptedRoute(.silence), ScriptedRoute(.opened, .event("B")),
    ]
    let call = Task { try await names(client(routes)) }
    await clock.waitForAlarm(after: .seconds(30))
    clock.advance(by: .seconds(30))
    while routes[1].callCount == 0 { await Task.yield() }
    signal.fire()
    #expect(try await call.value == ["A", "B"])
    #expect(routes.map(\.callCount) == [1, 1, 1])
  }
}
