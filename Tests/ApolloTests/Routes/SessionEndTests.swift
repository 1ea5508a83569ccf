import ApolloAPI
import ApolloCache
import ApolloSQLite
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
    let interceptor: any HTTPInterceptor
    let isFor: @Sendable (any GraphQLOperation) -> Bool

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      isFor(operation) ? [interceptor] : []
    }
  }

  /// The interceptor of a program that wraps another one.
  private struct Wrapping: HTTPInterceptor {
    let base: any HTTPInterceptor

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse { try await base.intercept(request: request, next: next) }

    func _endSession() { base._endSession() }
  }

  /// The same as an object.
  private final class WrappingObject: HTTPInterceptor {
    private let wrapping: Wrapping

    init(_ base: any HTTPInterceptor) { wrapping = Wrapping(base: base) }

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse { try await wrapping.intercept(request: request, next: next) }

    func _endSession() { wrapping._endSession() }
  }

  /// The operations for which a provider has an authentication interceptor.
  enum Authenticated: CaseIterable {
    case mutations, subscriptions, oneMutation, mutationsInAWrapper, oneMutationInAWrapper

    func has(_ operation: any GraphQLOperation) -> Bool {
      switch self {
      case .mutations, .mutationsInAWrapper: type(of: operation).operationType == .mutation
      case .subscriptions: type(of: operation).operationType == .subscription
      case .oneMutation, .oneMutationInAWrapper: operation is HeroAPI.RenameMutation
      }
    }

    func wrapping(_ interceptor: any HTTPInterceptor) -> any HTTPInterceptor {
      switch self {
      case .mutations, .subscriptions, .oneMutation: interceptor
      case .mutationsInAWrapper: Wrapping(base: interceptor)
      case .oneMutationInAWrapper: WrappingObject(interceptor)
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
        interceptorProvider: Selective(interceptor: authenticated.wrapping(authentication)) {
          authenticated.has($0)
        },
        endpointURL: url),
      store: ApolloStore())
    let mutation = HeroAPI.RenameMutation(id: "1", name: "by alice")
    if [.oneMutation, .oneMutationInAWrapper].contains(authenticated) {
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
    let hasEnded = Lock(false)

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      isWaiting.fire()
      await mayProceed.wait()
      defer { _ = hasEnded.exchange(true) }
      return try await next(request)
    }
  }

  private struct HTTPInterceptors: InterceptorProvider {
    let interceptors: [any HTTPInterceptor]

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      interceptors
    }
  }

  /// The calls whose requests wait.
  enum WaitingCall: CaseIterable {
    case query, mutation, upload, parts, subscription, subscriptionWithCallback

    func begin(_ client: ApolloClient) -> Task<Void, any Error> {
      switch self {
      case .query: return Task { _ = try await client.fetch(query: HeroAPI.HeroQuery()) }
      case .mutation:
        let mutation = HeroAPI.RenameMutation(id: "1", name: "by alice")
        return Task { _ = try await client.perform(mutation: mutation) }
      case .upload:
        let file = GraphQLFile(
          fieldName: "file", originalName: "a", mimeType: "text/plain", data: Data([65]))
        return Task {
          _ = try await client.upload(operation: HeroAPI.UploadMutation(), files: [file])
        }
      case .parts:
        let parts = client.fetch(query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
        return Task { for try await _ in parts {} }
      case .subscription:
        let events = client.subscribe(subscription: HeroAPI.HeroChangedSubscription())
        return Task { for try await _ in events {} }
      case .subscriptionWithCallback:
        let (results, end) = AsyncThrowingStream<Void, any Error>.makeStream()
        let subscription = client.subscribe(
          subscription: HeroAPI.HeroChangedSubscription(), queue: .global()
        ) { result in
          if case .failure(let error) = result { end.finish(throwing: error) }
        }
        return Task {
          for try await _ in results {}
          withExtendedLifetime(subscription) {}
        }
      }
    }
  }

  @Test(arguments: WaitingCall.allCases, [false, true])
  func aRequestThatWaitsInAnHTTPInterceptorIsNotSentAfterTheEnd(
    _ waitingCall: WaitingCall, isAuthenticated: Bool
  ) async throws {
    let http = SilentClient()
    let waiting = WaitingHTTP()
    let authentication = AuthenticationInterceptor(token: "alice") { throw LoggedOut() }
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        client: http,
        interceptorProvider: HTTPInterceptors(
          interceptors: isAuthenticated ? [waiting, authentication] : [waiting]),
        endpointURL: url),
      store: ApolloStore())
    let call = waitingCall.begin(client)
    await waiting.isWaiting.wait()
    try await client.endSession()
    authentication.setToken("bob")
    waiting.mayProceed.fire()
    await #expect(throws: CancellationError.self) { try await call.value }
    // The request goes on by itself, and may be sent only now.
    await until { waiting.hasEnded.get() || !http.users.isEmpty }
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

  @Test func aPausedWatchWithAFallbackToTheCacheDeliversNothing() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let results = Lock<[String?]>([])
    let watcher = client.watch(
      query: HeroAPI.HeroQuery(), fetchBehavior: .networkFirst, callbackQueue: .global()
    ) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    _ = await server.call(0)
    try await client.endSession()
    watcher.refetch()
    await server.call(1).end(HeroBody.hero("bob"))
    await until { !results.get().isEmpty }
    #expect(results.get() == ["bob"])
    watcher.cancel()
  }

  /// The watches of all clients of a store pause.
  @Test(arguments: [CachePolicy.default, .fetchIgnoringCacheCompletely])
  func aWatchOfAnotherClientOfTheStoreDeliversNothing(policy: CachePolicy) async throws {
    let server = OrderServer()
    let store = ApolloStore()
    let clients = (0..<2).map { _ in ApolloClient(networkTransport: server, store: store) }
    let results = Lock<[String?]>([])
    let watcher = clients[1].watch(
      query: HeroAPI.HeroQuery(), cachePolicy: policy, refetchOnFailedUpdates: false,
      callbackQueue: .global()
    ) { result in
      results.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    let alice = await server.call(0)
    try await clients[0].endSession()
    alice.end(HeroBody.hero("alice"))
    watcher.refetch()
    await server.call(1).end(HeroBody.hero("bob"))
    await until { !results.get().isEmpty }
    #expect(results.get() == ["bob"])
    watcher.cancel()
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

  /// A subscription whose event is a scalar, which no record holds.
  struct NoticeSubscription: GraphQLSubscription {
    static let operationName = "Notice"
    static let operationDocument = OperationDocument(
      definition: .init("subscription Notice { notice }"))
    static let __selections = Selections("Subscription {notice String}")

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = NoticeSubscription.__selections[0]
      var notice: String? { __object[0, Self.__layout] }
    }
  }

  enum SharedCache: CaseIterable { case memory, file }

  @Test(arguments: SharedCache.allCases)
  func theLatestEventDoesNotOutliveAClearingByAnotherStore(cache: SharedCache) async throws {
    let memory = InMemoryNormalizedCache()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("latest-event-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let server = OrderServer()
    let clients = try (0..<2).map { _ in
      ApolloClient(
        networkTransport: server,
        store: cache == .memory
          ? ApolloStore(cache: memory)
          : ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file)))
    }
    func firstEvent(_ number: Int, _ text: String) async throws -> String? {
      var events = clients[1].subscribe(subscription: NoticeSubscription()).makeAsyncIterator()
      async let arrival: Void = server.call(number).send(#"{"data":{"notice":"\#(text)"}}"#)
      let first = try await events.next()?.data?.notice
      if first != text { _ = try await events.next() }  // sends the subscription
      await arrival
      return first
    }
    #expect(try await firstEvent(0, "alice") == "alice")
    try await clients[0].endSession()
    #expect(try await firstEvent(1, "bob") == "bob")
  }

  /// The response has taken the place of its layer, and waits for an older mutation.
  @Test func aResponseThatWaitsIsNotWrittenAfterAClearingByAnotherStore() async throws {
    let server = OrderServer()
    let cache = InMemoryNormalizedCache()
    let clients = (0..<2).map { _ in
      ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    }
    @Sendable func rename(_ id: String) async throws {
      _ = try await clients[1].perform(
        mutation: HeroAPI.RenameMutation(id: id, name: "new"),
        optimistic: { try $0.merge([RecordKey("Hero:\(id)"): ["name": "expected"]]) })
    }
    let first = Task { try await rename("1") }
    let older = await server.call(0)
    let second = Task { try await rename("2") }
    await server.call(1).end(HeroBody.rename("new", id: "2"))
    try await second.value
    try await clients[0].clearCache()
    older.fail(CancellationError())
    await #expect(throws: CancellationError.self) { try await first.value }
    for client in clients {
      #expect(try await client.store.readOnlyCache.loadRecords(forKeys: ["Hero:2"]).isEmpty)
    }
  }

  enum WaitingHandler: CaseIterable { case subscription, query, mutation }

  @Test(arguments: WaitingHandler.allCases)
  func aHandlerReceivesNothingOfAnEndedSession(handler: WaitingHandler) async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    let queue = DispatchQueue(label: "results")
    queue.suspend()
    let names = Lock<[String]>([])
    let isOver = Signal()
    @Sendable func note(_ name: Result<String?, any Error>) {
      switch name {
      case .success(let name): names.withLock { $0.append(name ?? "nil") }
      case .failure: isOver.fire()
      }
    }
    switch handler {
    case .subscription:
      _ = client.subscribe(subscription: HeroAPI.HeroChangedSubscription(), queue: queue) {
        note($0.map { $0.data?.heroChanged?.name })
      }
      await server.call(0).send(HeroBody.event("alice"))
    case .query:
      client.fetch(query: HeroAPI.HeroQuery(), queue: queue) {
        note($0.map { $0.data?.hero?.name })
      }
      await server.call(0).end(HeroBody.hero("alice"))
    case .mutation:
      client.perform(mutation: mutation, queue: queue) { note($0.map { $0.data?.rename?.name }) }
      await server.call(0).end(HeroBody.rename("alice"))
    }
    await until { client.store.registry.generation != ChangeLog().current }
    try await client.endSession()
    queue.resume()
    await isOver.wait()
    #expect(names.get() == [])
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
    request.facts.session = sessions.current
    sessions.end()
    var responses = transport.responses(to: request).makeAsyncIterator()
    await #expect(throws: CancellationError.self) { _ = try await responses.next() }
  }
}
