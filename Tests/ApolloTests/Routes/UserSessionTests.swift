import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import ApolloWebSocket
import Foundation
import LoopbackServer
import ScriptedSocket
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests of one user, which neither reach the next one nor are shared with that one's.
@Suite(.timeLimit(.minutes(10)))
struct UserSessionTests {
  /// A client whose responses name the user, and arrive when the gate opens.
  private final class GatedClient: HTTPClient {
    let gate = Signal()
    private let tokens = Lock<[String]>([])
    let limits = TransferLimits()

    var users: [String] { tokens.get() }

    /// The error of the first request.
    let failure = Lock<NetworkError?>(nil)

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let token = request.value(forHTTPHeaderField: "Authorization") ?? "nobody"
      tokens.withLock { $0.append(token) }
      await gate.wait()
      if let failure = failure.exchange(nil) { throw failure }
      try Task.checkCancellation()
      let body =
        #"{"data":{"hero":{"__typename":"Hero","id":"1","name":"\#(token)","friends":null}}}"#
      let head = HTTPURLResponse(
        url: request.url!, statusCode: 200, httpVersion: nil,
        headerFields: ["Content-Type": "application/json"])!
      return HTTPResponse(
        response: head,
        chunks: AsyncThrowingStream {
          $0.yield(Data(body.utf8))
          $0.finish()
        })
    }

    func invalidate() {}
  }

  private struct Authenticated: InterceptorProvider {
    let interceptor: AuthenticationInterceptor
    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [interceptor]
    }
  }

  private struct LoggedOut: Error {}

  private let http = GatedClient()
  private let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }

  private var chain: RequestChainNetworkTransport {
    RequestChainNetworkTransport(
      client: http, interceptorProvider: Authenticated(interceptor: authentication),
      endpointURL: URL(string: "http://localhost/graphql")!)
  }

  private func fetch(_ client: ApolloClient) -> Task<String?, any Error> {
    Task {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly).data?.hero?.name
    }
  }

  private func wait(
    until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await until(condition, sourceLocation: sourceLocation)
  }

  enum Wrapper: CaseIterable {
    case none, split
  }

  private func shared(_ wrapper: Wrapper) -> DeduplicatingNetworkTransport {
    let chain = chain
    return switch wrapper {
    case .none: DeduplicatingNetworkTransport(chain)
    case .split:
      DeduplicatingNetworkTransport(
        SplitNetworkTransport(queryTransport: chain, mutationTransport: chain))
    }
  }

  @Test(arguments: Wrapper.allCases)
  func usersNeverShareARequest(wrapper: Wrapper) async throws {
    let transport = shared(wrapper)
    // With stores of their own, as a response is overtaken by a later one to the same query.
    let alice = fetch(ApolloClient(networkTransport: transport, store: ApolloStore()))
    await wait { http.users.count == 1 }
    authentication.setToken("bob")
    let bob = fetch(ApolloClient(networkTransport: transport, store: ApolloStore()))
    await wait { http.users.count == 2 }
    http.gate.fire()
    #expect(try await alice.value == "Bearer alice")
    #expect(try await bob.value == "Bearer bob")
  }

  /// The positions in time of their requests could not be compared.
  @Test func clientsOfDifferentCachesDoNotShareARequest() async throws {
    let transport = shared(.none)
    let calls = [ApolloStore(), ApolloStore()].map {
      fetch(ApolloClient(networkTransport: transport, store: $0))
    }
    await wait { http.users.count == 2 }
    http.gate.fire()
    for call in calls { #expect(try await call.value == "Bearer alice") }
  }

  @Test(arguments: Wrapper.allCases)
  func aUserSharesRequests(wrapper: Wrapper) async throws {
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: shared(wrapper), store: ApolloStore(), observers: [events])
    let tasks = (0..<10).map { _ in fetch(client) }
    await wait { events.names.filter { $0 == "joined" }.count == 9 }
    http.gate.fire()
    for task in tasks { #expect(try await task.value == "Bearer alice") }
    #expect(http.users.count == 1)
  }

  /// A wrapper of the program hides where the headers are added.
  @Test func aTransportWhoseHeadersCannotBeSeenSharesNothing() async throws {
    final class Wrapped: InterceptingNetworkTransport {
      private let base: RequestChainNetworkTransport
      init(_ base: RequestChainNetworkTransport) { self.base = base }
      var endpointURL: URL? { base.endpointURL }
      func send(_ request: OperationRequest) async throws -> NetworkResponse {
        try await base.send(request)
      }
      func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
        base.interceptorProvider(for: type)
      }
    }
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(Wrapped(chain)), store: ApolloStore())
    let tasks = [fetch(client), fetch(client)]
    await wait { http.users.count == 2 }
    http.gate.fire()
    for task in tasks { #expect(try await task.value == "Bearer alice") }
  }

  @Test func aRequestDoesNotOutliveItsToken() async throws {
    let client = ApolloClient(networkTransport: chain, store: ApolloStore())
    let alice = fetch(client)
    await wait { http.users.count == 1 }
    authentication.setToken(nil)
    http.gate.fire()
    await #expect(throws: CancellationError.self) { try await alice.value }
    authentication.setToken("bob")
    #expect(try await fetch(client).value == "Bearer bob")
  }

  @Test func aRefreshDoesNotOutliveTheSession() async throws {
    let (isRefreshing, mayRefresh) = (Signal(), Signal())
    let interceptor = AuthenticationInterceptor {
      isRefreshing.fire()
      await mayRefresh.wait()
      return "alice again"
    }
    let transport = RequestChainNetworkTransport(
      client: http, interceptorProvider: Authenticated(interceptor: interceptor),
      endpointURL: URL(string: "http://localhost/graphql")!)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    http.gate.fire()
    let alice = fetch(client)
    await isRefreshing.wait()
    interceptor.setToken(nil)
    await #expect(throws: CancellationError.self) { try await alice.value }
    mayRefresh.fire()
    interceptor.setToken("bob")
    #expect(try await fetch(client).value == "Bearer bob")
    #expect(http.users == ["Bearer bob"])
  }

  // MARK: - The end of a session

  @Test func aCallWhoseResponseWasDeliveredHasNotFailedWhenItsSessionEnds() async throws {
    let client = ApolloClient(networkTransport: chain, store: ApolloStore())
    http.gate.fire()
    let responses = client.fetch(query: HeroAPI.HeroQuery(), fetchBehavior: .networkOnly)
    var iterator = responses.makeAsyncIterator()
    #expect(try await iterator.next()?.data?.hero?.name == "Bearer alice")
    try await client.endSession()
    #expect(try await iterator.next() == nil)
  }

  @Test func theNextUserSeesNothingOfTheFormer() async throws {
    let client = ApolloClient(networkTransport: shared(.split), store: ApolloStore())
    http.gate.fire()
    let results = Lock<[String?]>([])
    let watcher = client.watch(query: HeroAPI.HeroQuery(), callbackQueue: .global()) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    defer { watcher.cancel() }
    await wait { results.get() == ["Bearer alice"] }
    try await client.endSession()
    #expect(
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)?.data == nil)
    authentication.setToken("bob")
    let bob = try await client.fetch(query: HeroAPI.HeroQuery())
    #expect(bob.data?.hero?.name == "Bearer bob")
    // The watch has not fetched again, and shows nothing of another user until it is asked.
    #expect(http.users == ["Bearer alice", "Bearer bob"])
    #expect(results.get() == ["Bearer alice"])
    watcher.refetch()
    await wait { results.get() == ["Bearer alice", "Bearer bob"] }
    #expect(http.users.count == 3)
  }

  enum SubscriptionWrapper: CaseIterable {
    case split, fallback, deduplicatedFallback
  }

  /// Otherwise the subscriptions of the next user would run on the connection of the former.
  @Test(arguments: SubscriptionWrapper.allCases)
  func theConnectionsOfSubscriptionsEndWithTheSession(wrapper: SubscriptionWrapper) async throws {
    let connector = ScriptedConnector()
    var request = URLRequest(url: URL(string: "ws://localhost/graphql")!)
    request.setValue("alice", forHTTPHeaderField: "Authorization")
    let socket = WebSocketTransport(
      request: request, connector: connector, configuration: .init())
    let fallback = FallbackNetworkTransport(
      queryTransport: chain, subscriptionRoutes: [.http(chain), .webSocket(socket)])
    let transport: any NetworkTransport =
      switch wrapper {
      case .split:
        SplitNetworkTransport(
          queryTransport: chain, mutationTransport: chain, subscriptionTransport: socket)
      case .fallback: fallback
      case .deduplicatedFallback: DeduplicatingNetworkTransport(fallback)
      }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    socket.initServer()
    let first = try await connector.nextAttempt()
    #expect(first.request.value(forHTTPHeaderField: "Authorization") == "alice")
    let connection = first.accept("graphql-transport-ws")
    _ = try await connection.nextSent()
    try await client.endSession()
    #expect(try await connection.nextSent() == .close(.normal, ""))
    socket.initServer()
    let second = try await connector.nextAttempt()
    #expect(second.request.value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test func aRequestUnderWayEndsWithItsSession() async throws {
    // This one has a token that nothing forgets.
    let transport = RequestChainNetworkTransport(
      client: http, endpointURL: URL(string: "http://localhost/graphql")!,
      additionalHeaders: ["Authorization": "alice"])
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let alice = fetch(client)
    await wait { http.users.count == 1 }
    try await client.endSession()
    http.gate.fire()
    await #expect(throws: CancellationError.self) { try await alice.value }
    #expect(
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .cacheOnly)?.data == nil)
    #expect(try await fetch(client).value == "alice")
  }

  @Test func aSharedRequestEndsWithItsSession() async throws {
    let requestCount = Lock(0)
    let gate = Signal()
    let base = ScriptedTransport { _, number in
      requestCount.withLock { $0 += 1 }
      await gate.wait()
      return StreamingTransport.body("\(number)")
    }
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(base), store: ApolloStore())
    let first = fetch(client)
    await wait { requestCount.get() == 1 }
    try await client.endSession()
    let second = fetch(client)
    await wait { requestCount.get() == 2 }
    gate.fire()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value == "1")
  }

  /// The session of another client of the store has not ended.
  @Test func theEndOfAClientsSessionFailsNoCallOfAnother() async throws {
    let requestCount = Lock(0)
    let gate = Signal()
    let base = ScriptedTransport { _, number in
      requestCount.withLock { $0 += 1 }
      await gate.wait()
      return StreamingTransport.body("\(number)")
    }
    let (transport, store) = (DeduplicatingNetworkTransport(base), ApolloStore())
    let clients = [0, 1].map { _ in ApolloClient(networkTransport: transport, store: store) }
    let first = fetch(clients[0])
    await wait { requestCount.get() == 1 }
    let second = fetch(clients[1])
    await wait { requestCount.get() == 2 }
    try await clients[0].endSession()
    gate.fire()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value == "1")
  }

  // MARK: The end of a session

  /// A connection that ends after the logout would be a reason to send the query again, with a new
  /// token of the former user.
  @Test func aRequestThatFailsAfterTheLogoutIsNotSentAgain() async throws {
    let refreshes = Lock(0)
    let authentication = AuthenticationInterceptor(token: "alice") {
      refreshes.withLock { $0 += 1 }
      return "alice again"
    }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http, interceptorProvider: Authenticated(interceptor: authentication),
        endpointURL: URL(string: "http://localhost/graphql")!), store: ApolloStore())
    _ = http.failure.exchange(
      NetworkError(.connectionLost, url: nil, endedKeptConnection: true))
    let call = fetch(client)
    await wait { http.users.count == 1 }
    authentication.setToken(nil)
    http.gate.fire()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(http.users == ["Bearer alice"])
    #expect(refreshes.get() == 0)
  }

  /// The server never responds.
  @Test func aRequestUnderWayEndsWithTheLogout() async throws {
    let closed = Signal()
    let server = try LoopbackServer { _, reply in
      reply.waitForClientToClose()
      closed.fire()
    }
    defer { server.stop() }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: .patient, interceptorProvider: Authenticated(interceptor: authentication),
        endpointURL: server.url()), store: ApolloStore())
    let call = fetch(client)
    await server.wait { $0.requests.count == 1 }
    authentication.setToken(nil)
    await #expect(throws: CancellationError.self) { try await call.value }
    await closed.wait()
  }
}
