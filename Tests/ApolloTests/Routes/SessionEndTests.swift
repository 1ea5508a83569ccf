import ApolloAPI
import ApolloCache
import ApolloTestSupport
import ApolloTransport
import ApolloWebSocket
import Dispatch
import Foundation
import LoopbackServer
import ScriptedSocket
import SimulatedRequests
import TestOperations
import Testing

@testable import Apollo

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls that are under way when a session ends, and do not end by themselves.
@Suite(.timeLimit(.minutes(10)))
struct SessionEndTests {
  /// A client whose server responds with these statuses, and to nothing more.
  private final class SilentClient: HTTPClient {
    private let statuses: [Int]
    private let tokens = Lock<[String?]>([])
    let limits = TransferLimits()

    init(_ statuses: [Int] = []) { self.statuses = statuses }

    var users: [String?] { tokens.get() }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let number = tokens.withLock { tokens in
        tokens.append(request.value(forHTTPHeaderField: "Authorization"))
        return tokens.count - 1
      }
      guard number < statuses.count else {
        let (silence, end) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        withExtendedLifetime(end) {}
        throw CancellationError()
      }
      let head = HTTPURLResponse(
        url: request.url!, statusCode: statuses[number], httpVersion: nil, headerFields: nil)!
      return HTTPResponse(response: head, chunks: AsyncThrowingStream { $0.finish() })
    }

    func invalidate() {}
  }

  private let url = URL(string: "http://localhost/graphql")!

  enum Route: CaseIterable { case http, chain, deduplicating, mock }

  @Test(arguments: Route.allCases)
  func aCallToASilentServerEndsWithItsSession(route: Route) async throws {
    let http = SilentClient()
    let mock = MockNetworkTransport()
    mock.respond(to: HeroAPI.HeroQuery.self, with: .never)
    let transport: any NetworkTransport =
      switch route {
      case .http: HTTPNetworkTransport(url: url, client: http)
      case .chain: RequestChainNetworkTransport(client: http, endpointURL: url)
      case .deduplicating:
        DeduplicatingNetworkTransport(HTTPNetworkTransport(url: url, client: http))
      case .mock: mock
      }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let call = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await until { http.users.count + mock.requests.count == 1 }
    try await client.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func aSocketWhoseServerIsSilentEndsWithItsSession() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let call = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await until { server.requests.count == 1 }
    try await client.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func callbacksReceiveTheEndOfTheirSession() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let errors = Lock<[any Error]>([])
    client.fetch(
      query: HeroAPI.HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()
    ) { result in
      if case .failure(let error) = result { errors.withLock { $0.append(error) } }
    }
    client.perform(
      mutation: HeroAPI.RenameMutation(id: "1", name: ""), queue: .global()
    ) { result in
      if case .failure(let error) = result { errors.withLock { $0.append(error) } }
    }
    _ = await server.call(1)
    try await client.endSession()
    await until { errors.get().count == 2 }
    #expect(errors.get().allSatisfy { $0 is CancellationError })
  }

  @Test func theNextPartOfAResponseEndsWithTheSession() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let parts = client.fetch(query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
    let names = Lock<[String?]>([])
    let call = Task {
      for try await part in parts { names.withLock { $0.append(part.data?.hero?.name) } }
    }
    await server.call(0).send(HeroBody.part("alice"))
    await until { names.get() == ["alice"] }
    try await client.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(server.calls[0].hasEnded.get())
  }

  /// An interceptor that lets calls wait.
  private struct Waiting: GraphQLInterceptor {
    let isWaiting = Signal()
    let mayProceed = Signal()

    func wait() async {
      isWaiting.fire()
      await mayProceed.wait()
    }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      await wait()
      return try await next.proceed(request)
    }
  }

  private struct Interceptors: InterceptorProvider {
    let authentication: AuthenticationInterceptor
    let interceptor: any GraphQLInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [authentication]
    }

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [interceptor] }
  }

  private struct LoggedOut: Error {}

  /// A provider whose operations differ in their interceptors.
  private struct Selective: InterceptorProvider {
    let authentication: AuthenticationInterceptor
    let isFor: @Sendable (any GraphQLOperation) -> Bool

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      isFor(operation) ? [authentication] : []
    }
  }

  /// The operations for which a provider has an authentication interceptor.
  enum Authenticated: CaseIterable {
    case mutations, subscriptions, oneMutation

    func has(_ operation: any GraphQLOperation) -> Bool {
      switch self {
      case .mutations: type(of: operation).operationType == .mutation
      case .subscriptions: type(of: operation).operationType == .subscription
      case .oneMutation: operation is HeroAPI.RenameMutation
      }
    }
  }

  @Test(arguments: Authenticated.allCases)
  func everyAuthenticationInterceptorForgetsItsToken(_ authenticated: Authenticated) async throws {
    let http = SilentClient([500])
    let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http,
        interceptorProvider: Selective(authentication: authentication) { authenticated.has($0) },
        endpointURL: url),
      store: ApolloStore())
    let mutation = HeroAPI.RenameMutation(id: "1", name: "by alice")
    if authenticated == .oneMutation {
      // The transport knows the interceptor from its request.
      await #expect(throws: GraphQLHTTPResponseError.self) {
        try await client.perform(mutation: mutation)
      }
    }
    try await client.endSession()
    await #expect(throws: LoggedOut.self, "without a token, one is asked for") {
      _ = try await authentication.intercept(request: URLRequest(url: url)) {
        try await http.response(to: $0)
      }
    }
  }

  enum Wait: CaseIterable { case beforeSending, beforeARetry }

  @Test(arguments: Wait.allCases)
  func aMutationThatWaitsIsNotSentAsTheNextUser(wait: Wait) async throws {
    let http = SilentClient([503])
    let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }
    let waiting = Waiting()
    let interceptor: any GraphQLInterceptor =
      switch wait {
      case .beforeSending: waiting
      case .beforeARetry:
        RetryInterceptor(
          .init(retriesMutations: true), sleep: { _ in await waiting.wait() }, jitter: { 1 })
      }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http,
        interceptorProvider: Interceptors(
          authentication: authentication, interceptor: interceptor),
        endpointURL: url),
      store: ApolloStore())
    let mutation = HeroAPI.RenameMutation(id: "1", name: "by alice")
    let call = Task { try await client.perform(mutation: mutation) }
    await waiting.isWaiting.wait()
    try await client.endSession()
    authentication.setToken("bob")
    waiting.mayProceed.fire()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(http.users == (wait == .beforeSending ? [] : ["Bearer alice"]))
  }

  /// An HTTP interceptor that lets requests wait, and does not notice that they are cancelled.
  private struct WaitingHTTP: HTTPInterceptor {
    let isWaiting = Signal()
    let mayProceed = Signal()

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      isWaiting.fire()
      await mayProceed.wait()
      return try await next(request)
    }
  }

  private struct HTTPInterceptors: InterceptorProvider {
    let interceptor: WaitingHTTP

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [interceptor]
    }
  }

  @Test func aRequestThatWaitsInAnHTTPInterceptorIsNotSentAfterTheEnd() async throws {
    let http = SilentClient()
    let waiting = WaitingHTTP()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http, interceptorProvider: HTTPInterceptors(interceptor: waiting),
        endpointURL: url),
      store: ApolloStore())
    let call = Task {
      try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "by alice"))
    }
    await waiting.isWaiting.wait()
    try await client.endSession()
    waiting.mayProceed.fire()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(http.users == [])
  }

  // MARK: - Calls from before the end

  private func client(
    _ http: SilentClient, _ authentication: AuthenticationInterceptor
  ) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http, interceptorProvider: EachOperation(authentication: authentication),
        endpointURL: url),
      store: ApolloStore())
  }

  private struct EachOperation: InterceptorProvider {
    let authentication: AuthenticationInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [authentication]
    }
  }

  private let mutation = HeroAPI.RenameMutation(id: "1", name: "by alice")
  private let optimistic: @Sendable (ReadWriteTransaction) throws -> Void = {
    try $0.merge(["Hero:1": ["name": "expected"]])
  }

  enum LateCall: CaseIterable { case plain, optimistic, updating, upload }

  /// A call with a callback begins in a task of its own.
  @Test(arguments: LateCall.allCases)
  func aMutationFromBeforeTheEndIsNotSentAsTheNextUser(form: LateCall) async throws {
    for _ in 0..<50 {
      let http = SilentClient()
      let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }
      let client = client(http, authentication)
      let isOver = Signal()
      let receive: GraphQLResultHandler<HeroAPI.RenameMutation.Data> = { _ in isOver.fire() }
      switch form {
      case .plain: client.perform(mutation: mutation, queue: .global(), resultHandler: receive)
      case .optimistic:
        client.perform(
          mutation: mutation, optimistic: optimistic, queue: .global(), resultHandler: receive)
      case .updating:
        client.perform(
          mutation: mutation, update: { _, _ in }, queue: .global(), resultHandler: receive)
      case .upload:
        client.upload(
          operation: HeroAPI.HeroQuery(), files: [], queue: .global(),
          resultHandler: { _ in isOver.fire() })
      }
      try await client.endSession()
      authentication.setToken("bob")
      await isOver.wait()
      #expect(!http.users.contains("Bearer bob"))
    }
  }

  @Test func anOptimisticMutationThatWaitsForAWriterIsNotSentAsTheNextUser() async throws {
    let http = SilentClient()
    let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }
    let client = client(http, authentication)
    let (session, before) = (client.sessions.current, client.store.layers.latest)
    let (isWriting, mayEnd) = (Signal(), Signal())
    let writer = Task {
      try await client.store.withinReadWriteTransaction { _ in
        isWriting.fire()
        await mayEnd.wait()
      }
    }
    await isWriting.wait()
    let call = Task { try await client.perform(mutation: mutation, optimistic: optimistic) }
    await until { client.store.layers.latest != before }
    let end = Task { try await client.endSession() }
    await until { !session.isCurrent }
    mayEnd.fire()
    try await writer.value
    try await end.value
    authentication.setToken("bob")
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(http.users == [])
  }

  // MARK: - The end

  @Test func theFallbackToTheCacheDoesNotHideTheEnd() async throws {
    let http = SilentClient()
    let client = ApolloClient(
      networkTransport: HTTPNetworkTransport(url: url, client: http), store: ApolloStore())
    let call = Task {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkFirst)
    }
    await until { http.users.count == 1 }
    try await client.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func theCacheIsClearedAlsoByACancelledTask() async throws {
    let client = ApolloClient(networkTransport: OrderServer())
    try await client.store.publish(["Hero:1": ["name": "alice"]])
    let end = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await client.endSession()
    }
    try await end.value
    #expect(try await client.store.readOnlyCache.loadRecords(forKeys: ["Hero:1"]).isEmpty)
  }

  /// The usual logout: the server rejects the token, and there is no other one.
  @Test func anInterceptorMayEndItsOwnSession() async throws {
    struct Leaving: HTTPInterceptor {
      let client = Lock<ApolloClient?>(nil)

      func intercept(
        request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
      ) async throws -> HTTPResponse {
        try await client.get()?.endSession()
        return try await next(request)
      }
    }
    struct Provider: InterceptorProvider {
      let interceptor: Leaving

      func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
        [interceptor]
      }
    }
    let leaving = Leaving()
    let http = SilentClient()
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http, interceptorProvider: Provider(interceptor: leaving), endpointURL: url),
      store: ApolloStore())
    leaving.client.withLock { $0 = client }
    try await client.store.publish(["Hero:1": ["name": "alice"]])
    await #expect(throws: CancellationError.self) {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
    }
    leaving.client.withLock { $0 = nil }
    #expect(http.users == [])
    #expect(try await client.store.readOnlyCache.loadRecords(forKeys: ["Hero:1"]).isEmpty)
  }

  @Test func theLastEventOfACallSaysThatItsSessionHasEnded() async throws {
    struct Ending: GraphQLInterceptor {
      let client = Lock<ApolloClient?>(nil)

      func intercept<Operation: GraphQLOperation>(
        _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
      ) async throws -> GraphQLResponse<Operation> {
        let response = try await next.proceed(request)
        try await client.get()?.endSession()
        return response
      }
    }
    let ending = Ending()
    let events = EventRingBuffer()
    let server = OrderServer(
      interceptors: Interceptors(
        authentication: AuthenticationInterceptor(token: "alice") { throw LoggedOut() },
        interceptor: ending))
    let client = ApolloClient(
      networkTransport: server, store: ApolloStore(), observers: [events])
    ending.client.withLock { $0 = client }
    let call = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await server.call(0).end(HeroBody.hero("alice"))
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(events.names.last == "cancelled")
    ending.client.withLock { $0 = nil }
  }

  @Test func theLatestEventDoesNotOutliveAClearingByAnotherStore() async throws {
    let server = OrderServer()
    let cache = InMemoryNormalizedCache()
    let clients = (0..<2).map { _ in
      ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    }
    func firstEvent(_ number: Int, _ name: String) async throws -> String? {
      var events = clients[1].subscribe(subscription: HeroAPI.HeroChangedSubscription())
        .makeAsyncIterator()
      async let arrival: Void = server.call(number).send(HeroBody.event(name))
      let first = try await events.next()?.data?.heroChanged?.name
      await arrival
      return first
    }
    #expect(try await firstEvent(0, "alice") == "alice")
    try await clients[0].endSession()
    #expect(try await firstEvent(1, "bob") == "bob")
  }

  // MARK: - Subscriptions

  enum SubscriptionRoute: CaseIterable { case alone, split, deduplicating, http, cacheFirst }

  @Test(arguments: SubscriptionRoute.allCases)
  func aSubscriptionThatWaitsForAnEventEndsWithItsSession(route: SubscriptionRoute) async throws {
    let server = OrderServer()
    let http = SilentClient()
    let transport: any NetworkTransport =
      switch route {
      case .alone, .cacheFirst: server
      case .split:
        SplitNetworkTransport(
          queryTransport: server, mutationTransport: server, subscriptionTransport: server)
      case .deduplicating: DeduplicatingNetworkTransport(server)
      case .http: HTTPNetworkTransport(url: url, client: http)
      }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let events = client.subscribe(
      subscription: HeroAPI.HeroChangedSubscription(),
      cachePolicy: route == .cacheFirst ? .cacheThenNetwork : .networkOnly)
    let names = Lock<[String?]>([])
    let call = Task {
      for try await event in events {
        names.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    if route == .http {
      await until { http.users.count == 1 }
    } else {
      await server.call(0).send(HeroBody.event("alice"))
      await until { names.get() == ["alice"] }
    }
    try await client.endSession()
    await #expect(throws: CancellationError.self) { try await call.value }
    if route != .http { #expect(server.calls[0].hasEnded.get()) }
  }

  @Test func aSocketBeginsNoOperationOfAnEndedSession() async throws {
    let transport = WebSocketTransport(
      request: URLRequest(url: URL(string: "ws://localhost/graphql")!),
      connector: ScriptedConnector(), configuration: .init())
    let sessions = CallSessions()
    var request = OperationRequest(HeroAPI.HeroChangedSubscription())
    request.session = sessions.current
    sessions.end()
    var responses = transport.responses(to: request).makeAsyncIterator()
    await #expect(throws: CancellationError.self) { _ = try await responses.next() }
  }
}
