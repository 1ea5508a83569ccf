import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import ApolloTestSupport
import ApolloTransport
import ApolloWebSocket
import Foundation
import LoopbackServer
import ScriptedSocket
import SimulatedRequests
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The time of a request is that at which it leaves, whatever it waits for before that.
@Suite(.timeLimit(.minutes(10)))
struct SendingTimeTests {
  private typealias HeroQuery = HeroAPI.HeroQuery

  // MARK: - Requests that wait before they are sent

  /// A client whose responses a test sends one by one, in any order.
  private final class HeldClient: HTTPClient {
    private typealias Attempt = CheckedContinuation<(status: Int, body: String), Never>
    private let attempts = Lock<[Attempt]>([])
    let limits = TransferLimits()

    var count: Int { attempts.withLock { $0.count } }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let (status, body) = await withCheckedContinuation { attempt in
        attempts.withLock { $0.append(attempt) }
      }
      let head = HTTPURLResponse(
        url: request.url!, statusCode: status, httpVersion: nil,
        headerFields: ["Content-Type": "application/json"])!
      return HTTPResponse(
        response: head,
        chunks: AsyncThrowingStream {
          $0.yield(Data(body.utf8))
          $0.finish()
        })
    }

    /// Responds to the attempt with this number, counted from 0.
    func respond(to number: Int, _ body: String, status: Int = 200) async {
      await until { count > number }
      attempts.withLock { $0[number] }.resume(returning: (status, body))
    }

    func invalidate() {}
  }

  /// An interceptor that does what a test says with the request that has a number.
  private struct Interceptor: HTTPInterceptor, InterceptorProvider {
    typealias Next = @Sendable (URLRequest) async throws -> HTTPResponse
    let count = Count()
    let body: @Sendable (_ number: Int, URLRequest, _ next: Next) async throws -> HTTPResponse

    final class Count: Sendable {
      private let value = Lock(0)
      var current: Int { value.get() }
      func next() -> Int {
        value.withLock { value in
          defer { value += 1 }
          return value
        }
      }
    }

    func intercept(request: URLRequest, next: Next) async throws -> HTTPResponse {
      try await body(count.next(), request, next)
    }

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { [self] }
  }

  private struct World: Sendable {
    let http = HeldClient()
    let client: ApolloClient
    let interceptor: Interceptor

    init(
      shares: Bool = false,
      _ body:
        @escaping @Sendable (_ number: Int, URLRequest, _ next: Interceptor.Next)
        async throws -> HTTPResponse
    ) {
      interceptor = Interceptor(body: body)
      let transport = RequestChainNetworkTransport(
        client: http, interceptorProvider: interceptor,
        endpointURL: URL(string: "http://localhost/graphql")!)
      client = ApolloClient(
        networkTransport: shares ? DeduplicatingNetworkTransport(transport) : transport,
        store: ApolloStore())
    }

    func fetch() async throws -> String? {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
        .data?.hero?.name
    }

    func rename() async throws -> String? {
      try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: ""))
        .data?.rename?.name
    }

    func untilIntercepted(_ count: Int) async { await until { interceptor.count.current >= count } }
  }

  enum Between: CaseIterable { case write, laterQuery, mutation }

  /// A token is refreshed before the query leaves.
  @Test(arguments: Between.allCases)
  func aQueryThatWaitsInAnInterceptorIsAsOldAsItsSending(between: Between) async throws {
    let gate = Signal()
    let world = World { number, request, next in
      if number == 0 { await gate.wait() }
      return try await next(request)
    }
    try await world.client.store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let fetched = world.fetch()
    await world.untilIntercepted(1)
    var number = 0
    switch between {
    case .write: try await world.client.store.publish(["Hero:1": ["name": "own"]])
    case .laterQuery:
      async let other = world.fetch()
      await world.http.respond(to: 0, HeroBody.hero("other"))
      _ = try await other
      number = 1
    case .mutation:
      async let renamed = world.rename()
      await world.http.respond(to: 0, HeroBody.rename("renamed"))
      _ = try await renamed
      number = 1
    }
    gate.fire()
    await world.http.respond(to: number, HeroBody.hero("newest"))
    #expect(try await fetched == "newest")
    #expect(try await world.client.store.load(HeroQuery()).data?.hero?.name == "newest")
  }

  /// The token that it waits for may belong to the former user.
  @Test func aRequestThatWaitsWhileTheCacheIsClearedIsNotWritten() async throws {
    let gate = Signal()
    let world = World { _, request, next in
      await gate.wait()
      return try await next(request)
    }
    async let fetched = world.fetch()
    await world.untilIntercepted(1)
    try await world.client.clearCache()
    gate.fire()
    await world.http.respond(to: 0, HeroBody.hero("former"))
    #expect(try await fetched == "former")
    #expect(try await world.client.store.load(HeroQuery()).data == nil)
  }

  @Test func ofTwoMutationsTheOneThatHasWaitedInAnInterceptorIsTheLaterOne() async throws {
    let gate = Signal()
    let world = World { number, request, next in
      if number == 0 { await gate.wait() }
      return try await next(request)
    }
    try await world.client.store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let first = world.rename()
    await world.untilIntercepted(1)
    async let second = world.rename()
    await world.http.respond(to: 0, HeroBody.rename("sent first"))
    _ = try await second
    gate.fire()
    await world.http.respond(to: 1, HeroBody.rename("sent second"))
    #expect(try await first == "sent second")
    #expect(try await world.client.store.load(HeroQuery()).data?.hero?.name == "sent second")
  }

  // MARK: - Several attempts

  /// Such as an interceptor that falls back to an earlier response when a second attempt fails.
  @Test func anEarlierResponseInPlaceOfALaterOneDoesNotReplaceNewerData() async throws {
    let world = World { _, request, next in
      let response = try await next(request)
      _ = try await next(request)
      return response
    }
    let store = world.client.store
    try await store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let fetched = world.fetch()
    await until { world.http.count == 1 }
    try await store.publish(["Hero:1": ["name": "own"]])
    await world.http.respond(to: 0, HeroBody.hero("older"))
    await world.http.respond(to: 1, "{}", status: 503)
    #expect(try await fetched == "own")
    #expect(try await store.load(HeroQuery()).data?.hero?.name == "own")
  }

  @Test func aSharedResponseIsAsOldAsTheAttemptThatWasShared() async throws {
    let isRepeated = Signal()
    let world = World(shares: true) { number, request, next in
      let response = try await next(request)
      if number == 0 {
        _ = try await next(request)
      } else {
        await isRepeated.wait()
      }
      return response
    }
    let store = world.client.store
    try await store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let first = world.fetch()
    await until { world.http.count == 1 }
    async let joined = world.fetch()
    await world.untilIntercepted(2)
    try await store.publish(["Hero:1": ["name": "own"]])
    await world.http.respond(to: 0, HeroBody.hero("older"))
    await until { world.http.count == 2 }
    isRepeated.fire()
    #expect(try await joined == "own")
    #expect(try await store.load(HeroQuery()).data?.hero?.name == "own")
    await world.http.respond(to: 1, HeroBody.hero("newest"))
    _ = try await first
  }

  enum Repetition: CaseIterable { case retry, persistedQuery }

  @Test(arguments: Repetition.allCases)
  func aRepetitionByTheLibraryKnowsWhatWasWrittenBefore(repetition: Repetition) async throws {
    struct Provider: InterceptorProvider {
      func graphQLInterceptors<Operation: GraphQLOperation>(
        for operation: Operation
      ) -> [any GraphQLInterceptor] { [RetryInterceptor(.init(baseDelay: .zero))] }
    }
    let http = HeldClient()
    let transport = RequestChainNetworkTransport(
      client: http, interceptorProvider: Provider(),
      endpointURL: URL(string: "http://localhost/graphql")!,
      autoPersistQueries: repetition == .persistedQuery)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let store = client.store
    try await store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let fetched = client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    await until { http.count == 1 }
    try await store.publish(["Hero:1": ["name": "own"]])
    switch repetition {
    case .retry: await http.respond(to: 0, "{}", status: 503)
    case .persistedQuery:
      await http.respond(to: 0, #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    }
    await http.respond(to: 1, HeroBody.hero("newest"))
    #expect(try await fetched.data?.hero?.name == "newest")
    #expect(try await store.load(HeroQuery()).data?.hero?.name == "newest")
  }

  // MARK: - Sockets

  /// A client whose subscriptions use a socket, and perhaps its queries.
  private struct SocketWorld: Sendable {
    let connector = ScriptedConnector()
    let server = OrderServer()
    let client: ApolloClient

    init(queriesUseSocket: Bool = false) {
      let socket = WebSocketTransport(
        endpointURL: URL(string: "ws://localhost/graphql")!, connector: connector)
      client = ApolloClient(
        networkTransport: SplitNetworkTransport(
          queryTransport: queriesUseSocket ? socket : server, mutationTransport: server,
          subscriptionTransport: socket),
        store: ApolloStore())
    }

    /// Opens the connection.
    func accept() async throws -> ScriptedConnection {
      let connection = try await connector.nextAttempt().accept("graphql-transport-ws")
      _ = try await connection.nextSent()
      connection.deliver(#"{"type":"connection_ack"}"#)
      return connection
    }

    var cached: String? {
      get async throws { try await client.store.load(HeroQuery()).data?.hero?.name }
    }
  }

  @Test(arguments: [Between.write, .mutation])
  func aQueryThatWaitsForAConnectionIsAsOldAsItsSending(between: Between) async throws {
    let world = SocketWorld(queriesUseSocket: true)
    let store = world.client.store
    try await store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let fetched = world.client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    let attempt = try await world.connector.nextAttempt()
    switch between {
    case .write: try await store.publish(["Hero:1": ["name": "own"]])
    case .laterQuery, .mutation:
      async let renamed = world.client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: ""))
      await world.server.call(0).end(HeroBody.rename("renamed"))
      _ = try await renamed
    }
    let connection = attempt.accept("graphql-transport-ws")
    _ = try await connection.nextSent()
    connection.deliver(#"{"type":"connection_ack"}"#)
    _ = try await connection.nextSent()
    connection.deliver(#"{"id":"1","type":"next","payload":\#(HeroBody.hero("newest"))}"#)
    connection.deliver(#"{"id":"1","type":"complete"}"#)
    #expect(try await fetched.data?.hero?.name == "newest")
    #expect(try await world.cached == "newest")
  }

  // MARK: - Watches and several caches

  @Test func aWatchDoesNotGoBackToTheCacheAfterAResponseThatIsNotInIt() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    try await client.store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    let names = Lock<[String?]>([])
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .global()) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    await until { names.get() == ["old"] }
    watcher.fetch(cachePolicy: .fetchIgnoringCacheCompletely)
    await server.call(0).end(HeroBody.hero("new"))
    await until { names.get().last == "new" }
    watcher.fetch(cachePolicy: .returnCacheDataAndFetch)
    await server.call(1).end(HeroBody.hero("newest"))
    await until { names.get().last == "newest" }
    #expect(names.get() == ["old", "new", "newest"])
    watcher.cancel()
  }

  /// The watch has observed nothing of the cache yet.
  @Test func aWatchDoesNotGoBackToTheCacheAfterAFirstResponseThatIsNotInIt() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    try await client.store.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    let names = Lock<[String?]>([])
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely, callbackQueue: .global()
    ) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    await server.call(0).end(HeroBody.hero("new"))
    await until { names.get().last == "new" }
    watcher.fetch(cachePolicy: .returnCacheDataAndFetch)
    await server.call(1).end(HeroBody.hero("newest"))
    await until { names.get().last == "newest" }
    #expect(names.get() == ["new", "newest"])
    watcher.cancel()
  }

  /// The cache has an older name, and something else of the query changes there.
  @Test func aChangeOfTheCacheDoesNotLetAWatchThatDoesNotWriteGoBack() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    let friends = "[\(HeroBody.object("2", "Leia"))]"
    try await client.store.publish(
      body: Data(HeroBody.hero("old", friends: friends).utf8), of: HeroQuery())
    let names = Lock<[String?]>([])
    let watcher = client.watch(
      query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
      requestConfiguration: RequestConfiguration(writeResultsToCache: false),
      callbackQueue: .global()
    ) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    await server.call(0).end(HeroBody.hero("new", friends: friends))
    await until { names.get().last == "new" }
    try await client.store.publish(["Hero:2": ["name": "Leia Organa"]])
    await until { names.get().count > 1 || server.calls.count > 1 }
    #expect(names.get() == ["new"], "The query is fetched again instead.")
    try #require(server.calls.count > 1)
    await server.call(1).end(HeroBody.hero("newest", friends: friends))
    await until { names.get().last == "newest" }
    #expect(names.get() == ["new", "newest"])
    watcher.cancel()
  }

  /// A program fetches again because of an event.
  @Test func aQueryAfterAnEventHasARequestOfItsOwn() async throws {
    let server = OrderServer()
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(server), store: ApolloStore())
    let names = Lock<[String?]>([])
    let subscription = Task {
      for try await event in client.subscribe(subscription: HeroAPI.HeroChangedSubscription()) {
        names.withLock { $0.append(event.data?.heroChanged?.name) }
      }
    }
    let events = await server.call(0)
    async let first = client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    let before = await server.call(1)
    events.send(HeroBody.event("pushed", id: "2"))
    await until { !names.get().isEmpty }
    let fetch = Task { try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly) }
    await server.call(2).end(HeroBody.hero("new"))
    #expect(try await fetch.value.data?.hero?.name == "new")
    before.end(HeroBody.hero("old"))
    #expect(try await first.data?.hero?.name == "new")
    events.end()
    try await subscription.value
  }

  @Test func aChainAndItsFileShareTheOrder() async throws {
    let folder = try CacheKind.TemporaryFolder()
    let server = OrderServer()
    let chained = ApolloClient(
      networkTransport: server,
      store: ApolloStore(
        cache: ChainedNormalizedCache(try SQLiteNormalizedCache(fileURL: folder.file))))
    let direct = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: folder.file))
    try await direct.publish(body: Data(HeroBody.hero("old").utf8), of: HeroQuery())
    async let fetched = chained.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
    let call = await server.call(0)
    try await direct.publish(["Hero:1": ["name": "own"]])
    call.end(HeroBody.hero("older"))
    #expect(try await fetched.data?.hero?.name == "own")
    #expect(try await direct.load(HeroQuery()).data?.hero?.name == "own")
    withExtendedLifetime(folder) {}
  }
}
