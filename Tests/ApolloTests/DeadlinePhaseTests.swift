import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The deadline of calls with an `HTTPNetworkTransport`, in every phase in which they can wait.
///
/// Those that can only wait for requests and for other writers have no task beside the deadline.
/// Those that can wait for code of the program have one.
@Suite(.timeLimit(.minutes(10)))
struct DeadlinePhaseTests {
  private let clock = ManualClock()

  private func client(
    _ transport: any NetworkTransport, store: ApolloStore = ApolloStore()
  ) -> ApolloClient {
    ApolloClient(networkTransport: transport, store: store, clock: clock)
  }

  private func client(_ server: LoopbackServer, _ client: any HTTPClient) -> ApolloClient {
    self.client(HTTPNetworkTransport(url: server.url(), client: client))
  }

  private func fetch(
    _ client: ApolloClient, limit: Duration = .seconds(5)
  ) -> Task<GraphQLResponse<HeroAPI.HeroQuery>, any Error> {
    Task {
      try await client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(requestTimeout: limit))
    }
  }

  /// Expects a call to have ended at its deadline, with nothing left behind.
  private func expectDeadline<Success>(
    _ call: Task<Success, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
      _ = try await call.value
    }
    #expect(error?.code == .deadlineExceeded, sourceLocation: sourceLocation)
    #expect(
      error?.description.hasSuffix(
        "did not end within 5 seconds. Check the server and what surrounds the call, or raise the deadline."
      ) == true, sourceLocation: sourceLocation)
    #expect(clock.alarmCount == 0, sourceLocation: sourceLocation)
  }

  // MARK: Requests

  /// The moment at which a server stops.
  enum Silence: String, CaseIterable {
    case beforeTheHead, insideTheHead, insideTheBody, afterARedirect, afterTheHashIsUnknown
  }

  @Test(arguments: Silence.allCases) func aSilentServerEndsNoLater(_ silence: Silence) async throws
  {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    let isSilent = Signal()
    let server = try LoopbackServer { request, reply in
      switch silence {
      case .beforeTheHead: break
      case .insideTheHead: reply.send(head + "Content-Le")
      case .insideTheBody: reply.send(head + "Content-Length: 1000\r\n\r\n{\"data\":")
      case .afterARedirect where request.path == "/graphql":
        return reply.respond(307, headers: [("Location", "/moved")])
      case .afterTheHashIsUnknown where !request.bodyText.contains(#""query":"#):
        return reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      case .afterARedirect, .afterTheHashIsUnknown: break
      }
      isSilent.fire()
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let call = fetch(
      client(
        HTTPNetworkTransport(
          url: server.url(), client: .patient,
          enableAutoPersistedQueries: silence == .afterTheHashIsUnknown)))
    await isSilent.wait()
    await clock.waitForAlarms(1)
    #expect(clock.delays == [.seconds(5)])
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func theRequestsOfACallShareItsTime() async throws {
    let wasAsked = Signal()
    let mayAnswer = Signal()
    let server = try LoopbackServer { request, reply in
      if request.bodyText.contains(#""query":"#) { return reply.waitForClientToClose() }
      wasAsked.fire()
      mayAnswer.block()
      reply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let call = fetch(
      client(
        HTTPNetworkTransport(
          url: server.url(), client: .patient, enableAutoPersistedQueries: true)))
    await wasAsked.wait()
    clock.advance(by: .seconds(3))
    mayAnswer.fire()
    await server.wait { $0.requests.count == 2 }
    await clock.waitForAlarm(after: .seconds(2))
    clock.advance(by: .seconds(2))
    await expectDeadline(call)
  }

  #if CURL
    @Test func aCallThatWaitsForAConnectionEnds() async throws {
      let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.maximumConnectionCountPerHost = 1
      let http = CurlClient(
        configuration: configuration, limits: TransferLimits(deadline: .seconds(3_600)))
      let client = client(server, http)
      let occupying = fetch(client, limit: .seconds(60))
      await server.wait { $0.requests.count == 1 }
      let waiting = fetch(client)
      await clock.waitForAlarms(2)
      clock.advance(by: .seconds(5))
      let error = await #expect(throws: NetworkError.self) { try await waiting.value }
      #expect(error?.code == .deadlineExceeded)
      occupying.cancel()
      await #expect(throws: CancellationError.self) { try await occupying.value }
      #expect(server.requests.count == 1)
      #expect(clock.alarmCount == 0)
    }
  #endif

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aCallWithoutTimeSendsNothing(_ limit: Duration) async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let http = DefaultHTTPClient.patient
    let error = await #expect(throws: NetworkError.self) {
      try await fetch(client(server, http), limit: limit).value
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(clock.alarmCount == 0)
    http.invalidate()
    await server.wait { $0.openConnectionCount == 0 }
    #expect(server.requests.isEmpty)
  }

  @Test func aCallThatEndsInTimeLeavesNoAlarm() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url, client: .patient))
    for _ in 0..<3 {
      #expect(try await fetch(client).value.data?.hero?.name == "R2-D2")
      #expect(clock.alarmCount == 0)
    }
  }

  @Test func aCancelledCallLeavesNoAlarm() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let call = fetch(client(server, .patient))
    await server.wait { $0.requests.count == 1 }
    await clock.waitForAlarms(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.alarmCount == 0)
    await server.wait { $0.openConnectionCount == 0 }
  }

  // MARK: Code of the program

  /// A client that never returns, and ignores that its task is cancelled.
  private final class ForgettingClient: HTTPClient {
    let end = Signal()
    let limits = TransferLimits(deadline: nil)

    func response(to request: URLRequest) async throws -> HTTPResponse {
      await end.wait()
      throw CancellationError()
    }

    func invalidate() {}
  }

  @Test func aCallEndsAlthoughItsHTTPClientNeverReturns() async throws {
    let http = ForgettingClient()
    defer { http.end.fire() }
    let transport = HTTPNetworkTransport(url: URL(string: "http://localhost/")!, client: http)
    let call = fetch(client(transport))
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
  }

  /// A client with a hook that never returns.
  // `@unchecked Sendable` because both properties are constants.
  private final class ForgettingHook: DefaultHTTPClient, @unchecked Sendable {
    let wasAsked = Signal()
    let end = Signal()

    override func authorize(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      wasAsked.fire()
      await end.wait()
      return nil
    }
  }

  @Test func aCallEndsAlthoughAHookNeverReturns() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 401) }
    defer { server.stop() }
    let http = ForgettingHook(limits: TransferLimits(deadline: nil))
    defer { http.end.fire() }
    let call = fetch(client(server, http))
    await http.wasAsked.wait()
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
  }

  /// A delegate that keeps its handlers and calls none.
  private final class ForgettingDelegate: HTTPNetworkTransportRetryDelegate,
    HTTPNetworkTransportGraphQLErrorDelegate
  {
    let wasAsked = Signal()
    private let handlers = Lock<[any Sendable]>([])

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
      for request: URLRequest, response: URLResponse?,
      continueHandler: @escaping @Sendable (HTTPNetworkTransport.ContinueAction) -> Void
    ) {
      handlers.withLock { $0.append(continueHandler) }
      wasAsked.fire()
    }

    func networkTransport(
      _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
      retryHandler: @escaping @Sendable (_ shouldRetry: Bool) -> Void
    ) {
      handlers.withLock { $0.append(retryHandler) }
      wasAsked.fire()
    }
  }

  @Test(arguments: [200, 500], [true, false])
  func aCallEndsAlthoughADelegateForgetsItsHandler(
    status: Int, isSetDuringTheCall: Bool
  ) async throws {
    let hasBegun = Signal()
    let mayAnswer = Signal()
    let server = try LoopbackServer { _, reply in
      hasBegun.fire()
      mayAnswer.block()
      reply.json(#"{"errors":[{"message":"no"}]}"#, status: status)
    }
    defer { server.stop() }
    let delegate = ForgettingDelegate()
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient)
    if !isSetDuringTheCall { transport.delegate = delegate }
    let call = fetch(client(transport))
    await hasBegun.wait()
    transport.delegate = delegate
    mayAnswer.fire()
    await delegate.wasAsked.wait()
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
  }

  @Test func aCallEndsAlthoughATransactionDoesNot() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let store = ApolloStore()
    let isWriting = Signal()
    let end = Signal()
    let transaction = Task {
      try await store.withinReadWriteTransaction { _ in
        isWriting.fire()
        await end.wait()
      }
    }
    await isWriting.wait()
    let client = client(
      HTTPNetworkTransport(url: server.url, client: .patient), store: store)
    let call = fetch(client)
    while store.writers.waitingCount == 0 { await Task.yield() }
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
    let waiting = fetch(client)
    while store.writers.waitingCount == 0 { await Task.yield() }
    end.fire()
    try await transaction.value
    #expect(try await waiting.value.data?.hero?.name == "R2-D2")
    #expect(try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly) != nil)
    #expect(clock.alarmCount == 0)
  }

  // MARK: Transports in between

  @Test(arguments: [true, false])
  func aCallThroughAnotherTransportOrClientEnds(isTransport: Bool) async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let http = HTTPNetworkTransport(
      url: server.url(),
      client: isTransport
        ? .patient : BatchingHTTPClient(.patient, configuration: .init(maximumQueryCount: 1)))
    let call = fetch(client(isTransport ? DeduplicatingNetworkTransport(http) : http))
    await server.wait { $0.requests.count == 1 }
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(5))
    await expectDeadline(call)
    await server.wait { $0.openConnectionCount == 0 }
  }

  // MARK: The cache in place of the server

  @Test(arguments: [true, false])
  func theCacheTakesThePlaceOfAServerThatIsTooLate(isWhole: Bool) async throws {
    let store = ApolloStore()
    let transport = HeldTransport()
    let client = client(transport, store: store)
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Ben", "friends": .null],
    ])
    let limited = RequestConfiguration(requestTimeout: .seconds(5))
    let call = Task { () async throws -> [GraphQLResponse<HeroAPI.HeroQuery>] in
      guard !isWhole else {
        return [
          try await client.fetch(
            query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst, requestConfiguration: limited)
        ]
      }
      var responses: [GraphQLResponse<HeroAPI.HeroQuery>] = []
      let sequence = client.fetch(
        query: HeroAPI.HeroQuery(), fetchBehavior: .networkFirst, requestConfiguration: limited)
      for try await response in sequence { responses.append(response) }
      return responses
    }
    await transport.untilSent(1)
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(5))
    let responses = try await call.value
    #expect(responses.map(\.source) == [.cache])
    #expect(responses.first?.data?.hero?.name == "Ben")
    #expect(clock.alarmCount == 0)
  }

  @Test func aCallFailsForBothReasonsIfTheCacheHasNothingEither() async {
    let transport = HeldTransport()
    let client = client(transport)
    let call = Task {
      try await client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst,
        requestConfiguration: RequestConfiguration(requestTimeout: .seconds(5)))
    }
    await transport.untilSent(1)
    await clock.waitForAlarms(1)
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: CacheAndNetworkError.self) { try await call.value }
    #expect(error?.code == .notCached)
    #expect((error?.networkError as? NetworkError)?.code == .deadlineExceeded)
  }

  // MARK: Results that are taken late

  @Test func aCallWhoseResponseWasInTimeEndsWithoutAnError() async throws {
    let client = ApolloClient(
      networkTransport: StreamingTransport { _ in [.response("A")] }, store: ApolloStore(),
      clock: BusyClock())
    let responses = client.fetch(
      query: HeroAPI.HeroQuery(), fetchBehavior: .networkOnly,
      requestConfiguration: RequestConfiguration(requestTimeout: .seconds(5)))
    var names: [String?] = []
    for try await response in responses { names.append(response.data?.hero?.name) }
    #expect(names == ["A"])
  }

  @Test func aSequenceWhoseElementWasInTimeEndsWithoutAnError() async throws {
    let one = ResponseSequence<Int>(one: { 1 })
    var elements: [Int] = []
    for try await element in one.limited(to: .seconds(5), clock: BusyClock(), url: nil) {
      elements.append(element)
    }
    #expect(elements == [1])
  }
}

/// A clock on which an hour passes between the end of some work and the removal of its alarm, as
/// time does where all threads are busy. Its alarms never ring.
private final class BusyClock: AlarmClock {
  private let time = Lock(Duration.zero)

  var now: Duration { time.get() }

  func setAlarm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
    Alarm(clock: self, id: 0)
  }

  func removeAlarm(_ id: Alarm.ID) { time.withLock { $0 += .seconds(3_600) } }
}
