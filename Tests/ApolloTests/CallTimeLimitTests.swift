import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Dispatch
import Foundation
import LoopbackServer
import ManualClock
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The time limit of a call, on a clock that the tests advance: whatever the call waits for, it
/// ends.
@Suite(.timeLimit(.minutes(10)))
struct CallTimeLimitTests {
  private let clock = ManualClock()
  private let query = HeroAPI.HeroQuery()
  private let fiveSeconds = RequestConfiguration(requestTimeout: .seconds(5))

  private func client(_ transport: any NetworkTransport) -> ApolloClient {
    ApolloClient(networkTransport: transport, store: ApolloStore(), clock: clock)
  }

  /// Starts a call, advances the clock to the end of its time, and expects it to have ended then.
  private func expectDeadline(
    after limit: Duration = .seconds(5), sourceLocation: SourceLocation = #_sourceLocation,
    _ call: @escaping @Sendable () async throws -> Void
  ) async {
    let task = Task { try await call() }
    await clock.waitForAlarms(1)
    #expect(clock.delays == [limit], sourceLocation: sourceLocation)
    clock.advance(by: limit)
    let error = await #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
      try await task.value
    }
    #expect(error?.code == .deadlineExceeded, sourceLocation: sourceLocation)
    #expect(clock.alarmCount == 0, sourceLocation: sourceLocation)
  }

  // MARK: What a call can wait for

  /// Never returns, and ignores that its task is cancelled.
  private struct Forgetting: GraphQLInterceptor, HTTPInterceptor {
    let end = Signal()

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      await end.wait()
      throw CancellationError()
    }

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      await end.wait()
      throw CancellationError()
    }
  }

  private struct Provider: InterceptorProvider {
    var graphQL: [any GraphQLInterceptor] = []
    var http: [any HTTPInterceptor] = []

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { graphQL }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { http }
  }

  @Test(arguments: [true, false])
  func aCallEndsAlthoughAnInterceptorNeverReturns(isGraphQL: Bool) async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let forgetting = Forgetting()
    defer { forgetting.end.fire() }
    let client = client(
      RequestChainNetworkTransport(
        client: .patient,
        interceptorProvider: isGraphQL
          ? Provider(graphQL: [forgetting]) : Provider(http: [forgetting]),
        endpointURL: server.url))
    await expectDeadline { [query, fiveSeconds] in
      _ = try await client.fetch(query: query, requestConfiguration: fiveSeconds)
    }
  }

  @Test func aCallEndsAlthoughADelegateNeverCallsItsHandler() async throws {
    final class Delegate: HTTPNetworkTransportRetryDelegate {
      let wasAsked = Signal()
      private let handler = Lock<(@Sendable (HTTPNetworkTransport.ContinueAction) -> Void)?>(nil)

      func networkTransport(
        _ networkTransport: HTTPNetworkTransport, receivedError error: any Error,
        for request: URLRequest, response: URLResponse?,
        continueHandler: @escaping @Sendable (HTTPNetworkTransport.ContinueAction) -> Void
      ) {
        handler.withLock { $0 = continueHandler }
        wasAsked.fire()
      }
    }
    let server = try LoopbackServer { _, reply in reply.json("{}", status: 500) }
    defer { server.stop() }
    let transport = HTTPNetworkTransport(url: server.url(), client: .patient)
    let delegate = Delegate()
    transport.delegate = delegate
    let client = client(transport)
    let task = Task { [query, fiveSeconds] in
      try await client.fetch(query: query, requestConfiguration: fiveSeconds)
    }
    await delegate.wasAsked.wait()
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func aCallEndsAlthoughTheServerSaysNothing() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = client(HTTPNetworkTransport(url: server.url(), client: .patient))
    await expectDeadline { [query, fiveSeconds] in
      _ = try await client.fetch(query: query, requestConfiguration: fiveSeconds)
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func retriesShareOneDeadline() async throws {
    let isSilent = Signal()
    let provider = Provider(graphQL: [Again(), Again()])
    let transport = StreamingTransport(provider: provider) { call in
      guard call < 3 else {
        isSilent.fire()
        return [.silence]
      }
      return [.failure(StreamingTransport.Failure())]
    }
    let task = Task { [query, fiveSeconds, client = client(transport)] in
      try await client.fetch(query: query, requestConfiguration: fiveSeconds)
    }
    await isSilent.wait()
    #expect(clock.delays == [.seconds(5)])
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .deadlineExceeded)
    #expect(transport.callCount == 4)
  }

  /// Proceeds again after an error.
  private struct Again: GraphQLInterceptor {
    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      do {
        return try await next.proceed(request)
      } catch is StreamingTransport.Failure {
        return try await next.proceed(request)
      }
    }
  }

  // MARK: Which limit

  @Test func theTransportsLimitHoldsIfTheCallNamesNone() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let http = DefaultHTTPClient(limits: TransferLimits(deadline: .seconds(30)))
    let client = client(HTTPNetworkTransport(url: server.url(), client: http))
    await expectDeadline(after: .seconds(30)) { [query] in _ = try await client.fetch(query: query)
    }
  }

  @Test func aCallOfTheCacheAloneHasNoLimit() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let http = DefaultHTTPClient(limits: TransferLimits(deadline: .seconds(30)))
    let client = client(HTTPNetworkTransport(url: server.url, client: http))
    #expect(try await client.fetch(query: query, cachePolicy: .cacheOnly) == nil)
    #expect(clock.alarmCount == 0)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(3600)])
  func aLongLimitExtendsTheLongestSilence(limit: Duration) async throws {
    let interval = Lock(0.0)
    let transport = RequestChainNetworkTransport(
      client: .patient, interceptorProvider: Provider(http: [Reading(interval: interval)]),
      endpointURL: URL(string: "http://localhost/")!)
    _ = try? await client(transport).fetch(
      query: query, requestConfiguration: RequestConfiguration(requestTimeout: limit))
    #expect(interval.get() >= 3600)
  }

  #if CURL
    /// The silence that a client tolerates is over when another call fails because of it.
    @Test(arguments: [true, false])
    func anAskedTimeExtendsTheSilenceOfItsCall(isBatched: Bool) async throws {
      let isReleased = DispatchSemaphore(value: 0)
      let server = try LoopbackServer { request, reply in
        guard request.headers["x-held"] != nil else { return reply.waitForClientToClose() }
        isReleased.wait()
        reply.json(StreamingTransport.body("Luke"))
      }
      defer { server.stop() }
      var configuration = CurlClient.Configuration()
      configuration.idleTimeout = .milliseconds(50)
      let curl = CurlClient(configuration: configuration)
      let client = ApolloClient(
        networkTransport: HTTPNetworkTransport(
          url: server.url(), client: isBatched ? BatchingHTTPClient(curl) : curl as any HTTPClient))
      let held = Task { [query] in
        try await client.fetch(
          query: query, cachePolicy: .networkOnly,
          requestConfiguration: RequestConfiguration(
            requestTimeout: .seconds(60), additionalHeaders: ["X-Held": "yes"]))
      }
      await server.wait { $0.requests.count == 1 }
      let other = Task { [query] in
        _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
      }
      let error = await #expect(throws: NetworkError.self) { try await other.value }
      #expect(error?.code == .timedOut)
      isReleased.signal()
      #expect(try await held.value.data?.hero?.name == "Luke")
    }
  #endif

  /// Reads the longest silence and sends nothing.
  private struct Reading: HTTPInterceptor {
    let interval: Lock<Double>

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      _ = interval.exchange(request.timeoutInterval)
      throw CancellationError()
    }
  }

  // MARK: Behind wrappers

  private static let wrappers: [@Sendable (HTTPNetworkTransport) -> any NetworkTransport] = [
    { split($0) },
    { DeduplicatingNetworkTransport(split($0)) },
    { SplitNetworkTransport(queryTransport: split($0), mutationTransport: split($0)) },
    {
      FallbackNetworkTransport(queryTransport: split($0), subscriptionRoutes: [.http($0)])
    },
  ]

  private static func split(_ http: HTTPNetworkTransport) -> SplitNetworkTransport {
    SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: http)
  }

  @Test(arguments: wrappers.indices)
  func wrappersPassTheLimitOn(index: Int) async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let http = DefaultHTTPClient(limits: TransferLimits(deadline: .seconds(30)))
    let client = client(
      Self.wrappers[index](HTTPNetworkTransport(url: server.url(), client: http)))
    await expectDeadline(after: .seconds(30)) { [query] in _ = try await client.fetch(query: query)
    }
    await expectDeadline(after: .seconds(30)) {
      _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
    }
    await expectDeadline(after: .seconds(30)) { [query] in
      for try await _ in client.fetch(query: query, fetchBehavior: .networkOnly) {}
    }
  }

  /// The calls of a client whose transport names no limit.
  enum UnlimitedCall: CaseIterable {
    case query, mutation, upload, sequence, parts, subscription
  }

  /// `ForwardingTransport` passes on everything but the limit, as a program's own wrapper may.
  @Test(arguments: UnlimitedCall.allCases)
  func theTransportLimitsACallIfAWrapperForgetsTheLimit(call: UnlimitedCall) async throws {
    let server = try LoopbackServer { _, reply in
      if call == .parts {
        // A response that has begun and does not go on.
        reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
        reply.chunk("---")
      }
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let http = DefaultHTTPClient(limits: TransferLimits(deadline: .milliseconds(20)))
    let client = client(
      ForwardingTransport(HTTPNetworkTransport(url: server.url(), client: http)))
    let error = await #expect(throws: NetworkError.self) { try await make(call, client) }
    #expect(error?.code == .deadlineExceeded)
  }

  /// Passes on the interceptors of a transport, but not its limit, as a program's own wrapper may.
  private final class Forgetful: SubscriptionNetworkTransport, InterceptingNetworkTransport {
    private let base: any InterceptingNetworkTransport

    init(_ base: any InterceptingNetworkTransport) { self.base = base }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      try await base.send(request)
    }

    func responses(to request: OperationRequest) -> NetworkResponses {
      base.responses(to: request)
    }

    func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
      base.interceptorProvider(for: type)
    }
  }

  /// The form of a call through interceptors.
  enum InterceptedCall: CaseIterable { case whole, sequence, steps }

  @Test(arguments: InterceptedCall.allCases)
  func interceptorsEndBehindAWrapperThatForgetsTheLimit(call: InterceptedCall) async throws {
    final class Silent: ApolloInterceptor {
      let id = "Silent"
      let held = Lock<[any Sendable]>([])

      func interceptAsync<Operation: GraphQLOperation>(
        chain: any RequestChain, request: HTTPRequest<Operation>,
        response: ChainResponse<Operation>?,
        completion: @escaping RequestChainCompletion<Operation.Data>
      ) {
        held.withLock { $0.append(completion) }
      }
    }
    struct Steps: InterceptorProvider {
      let silent = Silent()
      func interceptors<Operation: GraphQLOperation>(
        for operation: Operation
      ) -> [any ApolloInterceptor] { [silent] }
    }
    let forgetting = Forgetting()
    defer { forgetting.end.fire() }
    let provider: any InterceptorProvider =
      call == .steps ? Steps() : Provider(graphQL: [forgetting])
    let base = StreamingTransport(provider: provider) { _ in [.response("A")] }
    let client = client(DeduplicatingNetworkTransport(Forgetful(base)))
    await expectDeadline(after: .seconds(120)) { [query] in
      guard call == .sequence else {
        _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
        return
      }
      for try await _ in client.fetch(query: query, fetchBehavior: .networkOnly) {}
    }
    #expect(base.callCount == 0)
  }

  /// Behind a wrapper that forgets the limit, each request is limited where it is sent.
  @Test(arguments: [FetchBehavior?.none, .networkOnly, .cacheAndNetwork])
  func theTimeOfARequestIsNotThatOfTheInterceptors(behavior: FetchBehavior?) async throws {
    struct Passing: GraphQLInterceptor {
      func intercept<Operation: GraphQLOperation>(
        _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
      ) async throws -> GraphQLResponse<Operation> { try await next.proceed(request) }
    }
    let clock = clock
    let base = StreamingTransport(provider: Provider(graphQL: [Passing()])) { _ in
      // The server takes an hour.
      #expect(clock.alarmCount == 0)
      clock.advance(by: .seconds(3_600))
      return [.response("A")]
    }
    let client = client(Forgetful(base))
    if behavior != .networkOnly {
      let response = try await client.fetch(query: query, cachePolicy: .networkOnly)
      #expect(response.data?.hero?.name == "A")
    }
    if let behavior {
      var count = 0
      for try await _ in client.fetch(query: query, fetchBehavior: behavior) { count += 1 }
      // With the cache, the request is that of the second response.
      #expect(count == (behavior == .networkOnly ? 1 : 2))
    }
    #expect(clock.alarmCount == 0)
  }

  /// A program that turns the limit off has none for its interceptors.
  @Test func interceptorsHaveNoLimitIfTheClientHasNone() async throws {
    let transport = RequestChainNetworkTransport(
      client: DefaultHTTPClient(limits: TransferLimits(deadline: nil)),
      interceptorProvider: Provider(),
      endpointURL: try #require(URL(string: "http://localhost/")))
    #expect(transport.callTimeLimit == nil)
    let limit = try #require(transport._timeLimit(for: .query, hasFiles: false))
    #expect(limit > .seconds(1_000_000_000))
  }

  private func make(_ call: UnlimitedCall, _ client: ApolloClient) async throws {
    switch call {
    case .query: _ = try await client.fetch(query: query)
    case .mutation:
      _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
    case .upload:
      let file = GraphQLFile(fieldName: "name", originalName: "a", data: Data("a".utf8))
      _ = try await client.upload(
        operation: HeroAPI.RenameMutation(id: "1", name: "Luke"), files: [file])
    case .sequence:
      for try await _ in client.fetch(query: query, fetchBehavior: .networkOnly) {}
    case .parts:
      for try await _ in client.fetch(
        query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
      {}
    case .subscription:
      for try await _ in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {}
    }
  }

  // MARK: Sequences

  @Test func partsShareOneDeadlineWithoutTheTimeOfTheReader() async throws {
    let transport = StreamingTransport { _ in [.response("A"), .silence] }
    let responses = client(transport).fetch(
      query: query, fetchBehavior: .networkOnly, requestConfiguration: fiveSeconds)
    var iterator = responses.makeAsyncIterator()
    #expect(try await iterator.next()?.data?.hero?.name == "A")
    clock.advance(by: .seconds(3600))
    let advancing = Task { [clock] in
      await clock.waitForAlarms(1)
      #expect(clock.delays == [.seconds(5)])
      clock.advance(by: .seconds(5))
    }
    let error = await #expect(throws: NetworkError.self) { _ = try await iterator.next() }
    #expect(error?.code == .deadlineExceeded)
    await advancing.value
    #expect(try await iterator.next() == nil)
  }

  @Test func aSubscriptionHasNoLimit() async throws {
    let transport = StreamingTransport { _ in [.response("A"), .response("B")] }
    let responses = client(transport).subscribe(
      subscription: HeroAPI.HeroChangedSubscription(), requestConfiguration: fiveSeconds)
    for try await _ in responses { #expect(clock.alarmCount == 0) }
  }

  /// Interceptors may ask for many attempts, each of which has a limit of its own.
  @Test func theTimesOfRequestsThatFailCountBehindAWrapperThatForgetsTheLimit() async throws {
    let clock = clock
    let retry = RetryInterceptor(
      .init(maximumRetryCount: .max), sleep: { _ in try Task.checkCancellation() },
      jitter: { 0 })
    let base = StreamingTransport(provider: Provider(graphQL: [retry])) { _ in
      clock.advance(by: .seconds(60))
      return [.failure(NetworkError(.timedOut, url: nil))]
    }
    let client = client(Forgetful(base))
    for isWhole in [true, false] {
      let error = await #expect(throws: NetworkError.self) {
        guard !isWhole else {
          _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
          return
        }
        for try await _ in client.fetch(query: query, fetchBehavior: .networkOnly) {}
      }
      #expect(error?.code == .deadlineExceeded)
    }
  }
}
