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

/// The steps that a client reports to its observers.
@Suite(.timeLimit(.minutes(10)))
struct CallEventTests {
  private let events = EventRingBuffer()
  private let query = HeroAPI.HeroQuery()
  private let overTheNetwork = [
    "requestBuilt", "sent", "firstByte", "received", "decoded", "cacheWritten", "delivered",
  ]

  private func client(
    _ transport: any NetworkTransport, clock: any AlarmClock = SystemAlarmClock.shared
  ) -> ApolloClient {
    ApolloClient(
      networkTransport: transport, store: ApolloStore(), observers: [events], clock: clock)
  }

  private static func transports(_ url: URL) -> [any NetworkTransport] {
    [
      HTTPNetworkTransport(url: url, client: .patient),
      RequestChainNetworkTransport(client: .patient, endpointURL: url),
    ]
  }

  // MARK: Order

  @Test(arguments: [0, 1])
  func aFetchReportsEachStepInOrder(transport: Int) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(Self.transports(server.url)[transport])
    _ = try await client.fetch(query: query)
    #expect(events.names == ["began", "cacheRead"] + overTheNetwork + ["completed"])
    #expect(events.events.map(\.attempt) == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    #expect(Set(events.events.map(\.call.id)).count == 1)
    let times = events.events.map(\.time)
    #expect(times == times.sorted())

    events.removeAll()
    _ = try await client.fetch(query: query)
    #expect(events.names == ["began", "cacheRead", "delivered", "completed"])
  }

  @Test func theFactsOfTheStepsAreThoseOfTheMessages() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url, client: .patient, additionalHeaders: ["Authorization": "Bearer letmein"])
    let response = try await client(transport).fetch(query: query)
    for event in events.events {
      switch event.kind {
      case .cacheRead(let outcome, _): #expect(outcome == .miss)
      case .requestBuilt(let request):
        #expect(request.method == "POST")
        #expect(request.url == server.url.absoluteString)
        #expect(request.bodyByteCount == server.server.requests.first?.body.count)
        #expect(
          request.headers.map(\.description).contains("Authorization: <redacted>"))
      case .firstByte(let head): #expect(head.statusCode == 200)
      case .delivered(let source): #expect(source == response.source)
      default: break
      }
    }
    var dumped = ""
    dump(events.events, to: &dumped)
    #expect(!dumped.contains("letmein"))
  }

  @Test func theAttributesHaveTheNamesOfOpenTelemetry() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    _ = try await client(HTTPNetworkTransport(url: server.url, client: .patient))
      .fetch(query: query)
    let attributes = events.events.flatMap(\.attributes)
    #expect(
      attributes.map(\.name) == [
        "graphql.operation.name", "graphql.operation.type", "http.request.method", "url.full",
        "server.address", "server.port", "http.request.body.size", "http.response.status_code",
        "http.response.body.size",
      ])
    #expect(attributes[5].value == .int(Int(server.server.port)))
    #expect(events.events.first?.call.spanName == "query Hero")
  }

  @Test func aSequenceReportsEachResponse() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url, client: .patient))
    _ = try await client.fetch(query: query)
    events.removeAll()
    let responses = client.fetch(query: query, cachePolicy: .cacheAndNetwork)
    #expect(events.names.isEmpty)
    for try await _ in responses {}
    #expect(
      events.names == ["began", "cacheRead", "delivered"] + overTheNetwork + ["completed"])
  }

  @Test func aCallThatIgnoresTheCacheReportsNone() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    _ = try await client(HTTPNetworkTransport(url: server.url, client: .patient)).fetch(
      query: query, cachePolicy: .networkOnly,
      requestConfiguration: RequestConfiguration(writeResultsToCache: false))
    let expected = overTheNetwork.filter { $0 != "cacheWritten" }
    #expect(events.names == ["began"] + expected + ["completed"])
  }

  // MARK: Attempts

  @Test func aRetryNamesTheErrorBeforeIt() async throws {
    let count = Lock(0)
    let server = try LoopbackServer { request, reply in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The second request ends the connection that the first one has left open.
      guard number != 2 else { return reply.close() }
      reply.json(StreamingTransport.body("R2-D2"))
    }
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url(), client: .patient))
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    let earlier = events.names.count
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    #expect(
      Array(events.names.dropFirst(earlier))
        == ["began", "requestBuilt", "sent", "retried"] + overTheNetwork.dropFirst()
        + ["completed"])
    guard case .retried(let error) = events.events[earlier + 3].kind else { return }
    #expect((error as? NetworkError)?.code == .connectionLost)
    #expect(events.events[earlier + 3].attributes.map(\.value) == [.int(1)])
    #expect(events.events.last?.attempt == 2)
  }

  @Test func aPersistedQueryThatIsNotFoundIsARetry() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(
        request.bodyText.contains(#""query""#)
          ? StreamingTransport.body("R2-D2")
          : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(
      url: server.url(), client: .patient, enableAutoPersistedQueries: true)
    _ = try await client(transport).fetch(query: query, cachePolicy: .networkOnly)
    #expect(
      events.names == ["began", "requestBuilt", "sent", "firstByte", "retried"] + overTheNetwork
        + ["completed"])
  }

  // MARK: Ends

  @Test func aFailureEndsACall() async throws {
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url(), client: .patient))
    await #expect(throws: GraphQLHTTPResponseError.self) {
      try await client.fetch(query: query, cachePolicy: .networkOnly)
    }
    #expect(events.names == ["began", "requestBuilt", "sent", "firstByte", "failed"])
  }

  @Test func cancellationEndsACall() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url(), client: .patient))
    let task = Task { [query] in
      try await client.fetch(query: query, cachePolicy: .networkOnly)
    }
    await server.wait { $0.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(events.names == ["began", "requestBuilt", "sent", "cancelled"])
  }

  @Test func aReleasedSequenceIsCancelled() async throws {
    let transport = StreamingTransport { _ in [.response("R2-D2"), .response("C-3PO")] }
    let subscription = HeroAPI.HeroChangedSubscription()
    do {
      var events = client(transport).subscribe(subscription: subscription).makeAsyncIterator()
      _ = try await events.next()
    }
    #expect(
      events.names == [
        "began", "cacheRead", "received", "decoded", "cacheWritten", "delivered", "cancelled",
      ])
  }

  @Test func aDeadlineEndsACallOnce() async throws {
    let clock = ManualClock()
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url(), client: .patient), clock: clock)
    let task = Task { [query] in
      try await client.fetch(
        query: query, cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(requestTimeout: .seconds(5)))
    }
    await server.wait { $0.requests.count == 1 }
    clock.advance(by: .seconds(5))
    await #expect(throws: NetworkError.self) { try await task.value }
    #expect(events.names == ["began", "requestBuilt", "sent", "failed"])
    #expect(events.events.last?.time == .seconds(5))
  }

  @Test func everyOneOfManyCallsEndsOnce() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url, client: .patient))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        let task = Task { [query] in
          _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
        }
        if number % 3 == 0 { task.cancel() }
        group.addTask { _ = await task.result }
      }
    }
    let calls = Dictionary(grouping: events.events, by: \.call.id)
    #expect(calls.count == 60)
    for events in calls.values {
      #expect(events.filter(\.kind.isTerminal).count == 1)
      #expect(events.last?.kind.isTerminal == true)
      #expect(events.first?.kind.name == "began")
    }
  }

  // MARK: Traces

  private struct Tracer: CallEventObserver {
    let context: TraceContext
    func observe(_ event: CallEvent) {}
    func traceContext(for call: CallEvent.Call) -> TraceContext? { context }
  }

  @Test func requestsCarryTheTraceOfTheirCall() async throws {
    let context = try #require(
      TraceContext(
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        tracestate: "vendor=1"))
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url, client: .patient),
      observers: [events, Tracer(context: context)])
    _ = try await client.fetch(query: query)
    let headers = try #require(server.server.requests.first?.headers)
    #expect(headers["traceparent"] == context.traceparent)
    #expect(headers["tracestate"] == "vendor=1")
    #expect(events.events.first?.call.traceContext == context)
  }

  @Test func theCallersTraceStays() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: server.url, client: .patient),
      observers: [Tracer(context: TraceContext())])
    _ = try await client.fetch(
      query: query,
      requestConfiguration: RequestConfiguration(additionalHeaders: ["Traceparent": "mine"]))
    #expect(server.server.requests.first?.headers["traceparent"] == "mine")
  }
}
