import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport
import Dispatch
import Foundation
import SimulatedRequests
import TestOperations
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A value never replaces one that is known to be newer.
@Suite(.timeLimit(.minutes(10)))
struct OrderInTimeTests {
  private let query = HeroAPI.HeroQuery()

  /// A client with an empty cache, and its server.
  private struct World: Sendable {
    let server: OrderServer
    let client: ApolloClient
    /// Kept while the cache is in use.
    private let owner: Lock<AnyObject?>

    init(_ kind: CacheKind = .memory) throws {
      let (cache, owner) = try kind.make()
      server = OrderServer()
      client = ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
      self.owner = Lock(owner)
    }

    init(_ client: ApolloClient, _ server: OrderServer) {
      (self.client, self.server) = (client, server)
      owner = Lock(nil)
    }

    /// Subscribes, and returns the names of the events as they arrive.
    func events() -> Lock<[String?]> {
      let names = Lock<[String?]>([])
      Task {
        let events = client.subscribe(subscription: HeroAPI.HeroChangedSubscription())
        for try await event in events {
          names.withLock { $0.append(event.data?.heroChanged?.name) }
        }
      }
      return names
    }

    /// Fetches a response in parts, and returns the names as they arrive.
    func parts() -> Lock<[String?]> {
      let names = Lock<[String?]>([])
      Task {
        let parts = client.fetch(
          query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
        for try await part in parts { names.withLock { $0.append(part.data?.hero?.name) } }
      }
      return names
    }

    func fetch() async throws -> String? {
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly)
        .data?.hero?.name
    }

    func rename(optimistic name: String? = nil) async throws -> String? {
      let mutation = HeroAPI.RenameMutation(id: "1", name: "")
      let response =
        if let name {
          try await client.perform(
            mutation: mutation,
            optimistic: { try $0.merge(["Hero:1": ["name": .string(name)]]) })
        } else {
          try await client.perform(mutation: mutation)
        }
      return response.data?.rename?.name
    }

    var cached: String? {
      get async throws { try await client.store.load(HeroAPI.HeroQuery()).data?.hero?.name }
    }

    /// Writes a hero with this name.
    func seed(_ name: String) async throws {
      try await client.store.publish(
        body: Data(HeroBody.hero(name).utf8), of: HeroAPI.HeroQuery())
    }
  }

  // MARK: Queries

  @Test(arguments: CacheKind.allCases)
  func aQueryDoesNotReplaceTheDataOfOneThatWasSentLater(kind: CacheKind) async throws {
    let world = try World(kind)
    async let first = world.fetch()
    let call = await world.server.call(0)
    async let second = world.fetch()
    await world.server.call(1).end(HeroBody.hero("new"))
    #expect(try await second == "new")
    call.end(HeroBody.hero("old"))
    #expect(try await first == "new", "An overtaken call receives what the cache has.")
    #expect(try await world.cached == "new")
    // No request is under way. The task of one ends a little later than the call.
    await until { world.client.store.order.noteCount == 0 }
  }

  @Test func aFieldThatOnlyTheEarlierQueryHasIsWritten() async throws {
    let world = try World()
    async let first = world.fetch()
    let call = await world.server.call(0)
    try await world.client.store.publish(["Hero:1": ["name": "new"]])
    call.end(HeroBody.hero("old", friends: "[\(HeroBody.object("2", "Leia"))]"))
    #expect(try await first == "new")
    let data = try await world.client.store.load(query).data
    #expect(data?.hero?.friends?.map(\.name) == ["Leia"])
  }

  // MARK: Mutations

  @Test(arguments: CacheKind.allCases, [nil, "expected"])
  func aRefetchThatWasSentBeforeAMutationKeepsItsResult(
    kind: CacheKind, optimistic: String?
  ) async throws {
    let world = try World(kind)
    try await world.seed("old")
    let names = Lock<[String?]>([])
    let watcher = world.client.watch(query: query, callbackQueue: .global()) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    await until { names.get() == ["old"] }
    watcher.refetch()
    let refetch = await world.server.call(0)
    async let renamed = world.rename(optimistic: optimistic)
    let mutation = await world.server.call(1)
    if let optimistic { await until { names.get().last == optimistic } }
    mutation.end(HeroBody.rename("new"))
    #expect(try await renamed == "new")
    await until { names.get().last == "new" }
    refetch.end(HeroBody.hero("old"))
    // The watch has handled the response when its next refetch is answered.
    await until { refetch.hasEnded.get() }
    #expect(try await world.cached == "new")
    async let again = world.fetch()
    await world.server.call(2).end(HeroBody.hero("newest"))
    _ = try await again
    await until { names.get().last == "newest" }
    #expect(names.get() == ["old", optimistic, "new", "newest"].filter { $0 != nil })
    watcher.cancel()
  }

  @Test func ofTwoMutationsTheOneThatWasSentLaterStays() async throws {
    let world = try World()
    try await world.seed("old")
    async let first = world.rename()
    let call = await world.server.call(0)
    async let second = world.rename()
    await world.server.call(1).end(HeroBody.rename("second"))
    #expect(try await second == "second")
    call.end(HeroBody.rename("first"))
    #expect(try await first == "first", "It is what the server has done.")
    #expect(try await world.cached == "second")
  }

  /// The server may have answered the query before it performed the mutation.
  @Test func aMutationReplacesTheDataOfAQueryThatWasSentLater() async throws {
    let world = try World()
    async let renamed = world.rename()
    let call = await world.server.call(0)
    async let fetched = world.fetch()
    await world.server.call(1).end(HeroBody.hero("old"))
    _ = try await fetched
    call.end(HeroBody.rename("new"))
    _ = try await renamed
    #expect(try await world.cached == "new")
  }

  @Test func aSettledLayerKeepsItsDataFromAQueryThatWasSentBefore() async throws {
    let world = try World()
    try await world.seed("old")
    async let blocking = world.client.perform(
      mutation: HeroAPI.RenameMutation(id: "9", name: ""),
      optimistic: { try $0.merge(["Hero:9": ["name": "nine"]]) })
    let blocker = await world.server.call(0)
    async let renamed = world.rename(optimistic: "expected")
    let mutation = await world.server.call(1)
    async let fetched = world.fetch()
    let fetch = await world.server.call(2)
    mutation.end(HeroBody.rename("new"))
    _ = try await renamed
    fetch.end(HeroBody.hero("old"))
    _ = try await fetched
    #expect(try await world.cached == "new")
    blocker.end(HeroBody.rename("nine", id: "9"))
    _ = try await blocking
    #expect(try await world.cached == "new")
  }

  // MARK: The program and events

  enum ProgramsWrite: CaseIterable {
    case transaction, records, response, update, fragment
  }

  @Test(arguments: ProgramsWrite.allCases)
  func aWriteOfTheProgramStaysWhenAnEarlierRequestIsAnswered(write: ProgramsWrite) async throws {
    let world = try World()
    try await world.seed("old")
    async let fetched = world.fetch()
    async let renamed = world.rename()
    let calls = (await world.server.call(0), await world.server.call(1))
    let store = world.client.store
    switch write {
    case .transaction:
      try await store.withinReadWriteTransaction { try $0.merge(["Hero:1": ["name": "own"]]) }
    case .records: try await store.publish(["Hero:1": ["name": "own"]])
    case .response: try await world.seed("own")
    case .update:
      try await store.withinReadWriteTransaction {
        try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = "own" }
      }
    case .fragment:
      try await store.withinReadWriteTransaction {
        try $0.updateObject(ofType: HeroAPI.EditableName.self, withKey: "Hero:1") {
          $0.name = "own"
        }
      }
    }
    for call in [calls.0, calls.1] {
      let isQuery = call.operation is HeroAPI.HeroQuery
      call.end(isQuery ? HeroBody.hero("late") : HeroBody.rename("late"))
    }
    _ = try await (fetched, renamed)
    #expect(try await world.cached == "own")
  }

  @Test func anUpdateOverridesOnlyTheFieldsThatItChanges() async throws {
    let world = try World()
    try await world.seed("old")
    async let fetched = world.fetch()
    let call = await world.server.call(0)
    try await world.client.store.withinReadWriteTransaction {
      try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.friends = [] }
    }
    call.end(HeroBody.hero("new", friends: "null"))
    _ = try await fetched
    let hero = try await world.client.store.load(query).data?.hero
    #expect(hero?.name == "new" && hero?.friends == [])
  }

  @Test func anEventStaysWhenAnEarlierRequestIsAnswered() async throws {
    let world = try World()
    try await world.seed("old")
    let names = world.events()
    let subscription = await world.server.call(0)
    async let fetched = world.fetch()
    let fetch = await world.server.call(1)
    subscription.send(HeroBody.event("pushed"))
    await until { !names.get().isEmpty }
    fetch.end(HeroBody.hero("old"))
    #expect(try await fetched == "pushed")
    #expect(try await world.cached == "pushed")
    subscription.end()
  }

  @Test func anObjectThatWasRemovedDoesNotReturnWithAnEarlierRequest() async throws {
    for pattern in [false, true] {
      let world = try World()
      try await world.seed("old")
      async let fetched = world.fetch()
      let call = await world.server.call(0)
      if pattern {
        try await world.client.store.removeObjects(matching: "hero:")
      } else {
        try await world.client.store.removeObject(for: "Hero:1")
      }
      call.end(HeroBody.hero("old"))
      #expect(try await fetched == "old", "The caller receives the response.")
      #expect(try await world.cached == nil)
    }
  }

  enum Removal: CaseIterable {
    case object, pattern
  }

  /// Fields that a removal takes out of a waiting response count as brought by it, so that an
  /// earlier mutation of another store does not bring them back.
  @Test(arguments: Removal.allCases)
  func anObjectThatWasRemovedWhileItsMutationWaitedStaysRemoved(removal: Removal) async throws {
    let cache = InMemoryNormalizedCache()
    let server = OrderServer()
    let worlds = (0..<2).map { _ in
      World(
        ApolloClient(networkTransport: server, store: ApolloStore(cache: cache)), server)
    }
    try await worlds[0].seed("old")
    async let blocking = worlds[0].client.perform(
      mutation: HeroAPI.RenameMutation(id: "9", name: ""),
      optimistic: { try $0.merge(["Hero:9": ["name": "nine"]]) })
    let blocker = await server.call(0)
    async let earlier = worlds[1].rename(optimistic: "expected first")
    let first = await server.call(1)
    async let later = worlds[0].rename(optimistic: "expected second")
    await server.call(2).end(HeroBody.rename("second"))
    #expect(try await later == "second")
    switch removal {
    case .object: try await worlds[0].client.store.removeObject(for: "Hero:1")
    case .pattern: try await worlds[0].client.store.removeObjects(matching: "hero:1")
    }
    blocker.end(HeroBody.rename("nine", id: "9"))
    _ = try await blocking
    first.end(HeroBody.rename("first"))
    #expect(try await earlier == "first", "It is what the server has done.")
    let name = try await worlds[0].client.store.withinReadTransaction {
      try $0.record(for: "Hero:1")?["name"]
    }
    #expect(name == nil)
  }

  // MARK: Clearing

  @Test(arguments: CacheKind.allCases)
  func aResponseFromBeforeAClearingReachesItsCallerAndNotTheCache(kind: CacheKind) async throws {
    let world = try World(kind)
    async let fetched = world.fetch()
    async let renamed = world.rename()
    let calls = (await world.server.call(0), await world.server.call(1))
    try await world.client.clearCache()
    for call in [calls.0, calls.1] {
      let isQuery = call.operation is HeroAPI.HeroQuery
      call.end(isQuery ? HeroBody.hero("of user A") : HeroBody.rename("of user A"))
    }
    #expect(try await fetched == "of user A")
    #expect(try await renamed == "of user A")
    let records = try await world.client.store.withinReadTransaction {
      try ($0.record(for: .queryRoot), $0.record(for: "Hero:1"))
    }
    #expect(records.0 == nil && records.1 == nil)
    async let again = world.fetch()
    await world.server.call(2).end(HeroBody.hero("of user B"))
    _ = try await again
    #expect(try await world.cached == "of user B")
  }

  @Test func aRequestAfterTheCallOfAClearingIsWritten() async throws {
    let world = try World()
    let (cleared, end) = AsyncStream<Void>.makeStream()
    world.client.store.clearCache(callbackQueue: nil) { _ in end.finish() }
    async let fetched = world.fetch()
    let call = await world.server.call(0)
    for await _ in cleared {}
    call.end(HeroBody.hero("new"))
    _ = try await fetched
    #expect(try await world.cached == "new")
  }

  @Test func aWatchFetchesAgainWhatWasRequestedBeforeAClearing() async throws {
    let world = try World()
    let names = Lock<[String?]>([])
    let watcher = world.client.watch(query: query, callbackQueue: .global()) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
    }
    let first = await world.server.call(0)
    try await world.client.clearCache()
    first.end(HeroBody.hero("of user A"))
    await world.server.call(1).end(HeroBody.hero("of user B"))
    await until { !names.get().isEmpty }
    #expect(names.get() == ["of user B"])
    watcher.cancel()
  }

  @Test func afterTheEndOfASessionNoEventIsWritten() async throws {
    let world = try World()
    let names = world.events()
    let subscription = await world.server.call(0)
    world.client.store.endSession()
    subscription.send(HeroBody.event("pushed"))
    await until { !names.get().isEmpty }
    #expect(names.get() == ["pushed"])
    let record = try await world.client.store.withinReadTransaction {
      try $0.record(for: "Hero:1")
    }
    #expect(record == nil)
    subscription.end()
  }

  /// As if the event had passed the client's check of the session just before its end.
  @Test(arguments: CacheKind.allCases)
  func anEventOfAnEndedSessionIsNeitherWrittenNorRemembered(kind: CacheKind) async throws {
    let world = try World(kind)
    let store = world.client.store
    let subscription = HeroAPI.HeroChangedSubscription()
    let normalizer = store.normalizer(for: subscription)
    _ = try ResponseDecoder().decode(
      Data(HeroBody.event("pushed").utf8), as: subscription, observer: normalizer)
    var event = normalizer.finish()
    event.sent = store.begin(.subscription)
    try await world.client.endSession()
    let trace = try await store.publish(event)
    #expect(trace.standing == .excluded)
    #expect(try await store.withinReadTransaction { try $0.record(for: "Hero:1") } == nil)
    #expect(try await store.load(subscription).data == nil)
  }

  // MARK: Parts

  @Test(arguments: CacheKind.allCases)
  func aPartWritesWhatItBrought(kind: CacheKind) async throws {
    let world = try World(kind)
    let names = world.parts()
    let call = await world.server.call(0)
    call.send(HeroBody.part("old"))
    await until { names.get() == ["old"] }
    async let renamed = world.rename()
    await world.server.call(1).end(HeroBody.rename("new"))
    _ = try await renamed
    call.end(HeroBody.hero("old", friends: "[\(HeroBody.object("2", "Leia"))]"))
    await until { names.get().count == 2 }
    #expect(names.get() == ["old", "new"])
    let data = try await world.client.store.load(HeroAPI.DeferredHeroQuery()).data
    #expect(data?.hero?.name == "new")
    #expect(data?.hero?.fragments.slow?.friends?.map(\.name) == ["Leia"])
  }

  /// A write of another process has no place in the order, and a part does not repeat earlier ones.
  @Test func aPartDoesNotUndoTheCommitOfAnotherStore() async throws {
    let file = try SharedFile()
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server, store: try file.store())
    let other = try file.store()
    let world = World(client, server)
    let names = world.parts()
    let call = await server.call(0)
    call.send(HeroBody.part("old"))
    await until { names.get() == ["old"] }
    try await other.publish(["Hero:1": ["name": "other"]])
    call.end(HeroBody.hero("old", friends: "[]"))
    await until { names.get().count == 2 }
    let data = try await client.store.load(HeroAPI.DeferredHeroQuery()).data
    #expect(data?.hero?.name == "other")
    #expect(data?.hero?.fragments.slow?.friends == [])
    withExtendedLifetime(file) {}
  }

  // MARK: Other ways to send

  private struct OlderChain: InterceptorProvider {
    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] {
      [
        CacheReadInterceptor(), NetworkFetchInterceptor(), JSONResponseParsingInterceptor(),
        CacheWriteInterceptor(),
      ]
    }
  }

  @Test func aChainOfOlderInterceptorsFollowsTheOrderToo() async throws {
    let server = OrderServer(interceptors: OlderChain())
    let client = ApolloClient(networkTransport: server)
    async let first = client.fetch(query: query, cachePolicy: .networkOnly)
    let call = await server.call(0)
    async let second = client.fetch(query: query, cachePolicy: .networkOnly)
    await server.call(1).end(HeroBody.hero("new"))
    _ = try await second
    call.end(HeroBody.hero("old"))
    #expect(try await first.data?.hero?.name == "new")
    #expect(try await client.store.load(query).data?.hero?.name == "new")
    async let third = client.fetch(query: query, cachePolicy: .networkOnly)
    let cleared = await server.call(2)
    try await client.clearCache()
    cleared.end(HeroBody.hero("of user A"))
    #expect(try await third.data?.hero?.name == "of user A")
    #expect(try await client.store.load(query).data == nil)
  }

  /// A step that proceeds, and goes on once more when a test says so.
  private final class Resuming: ApolloInterceptor {
    enum Way { case proceeding, retrying }

    private let again = Lock<(@Sendable (Way) -> Void)?>(nil)

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>,
      response: ChainResponse<Operation>?,
      completion: @escaping RequestChainCompletion<Operation.Data>
    ) {
      @Sendable func proceed() {
        chain.proceedAsync(request: request, response: response, completion: completion)
      }
      again.withLock { again in
        again = { way in
          switch way {
          case .proceeding: proceed()
          case .retrying: chain.retry(request: request, completion: completion)
          }
        }
      }
      proceed()
    }

    func resume(_ way: Way) { again.get()?(way) }  // outside of the lock
  }

  /// A step may send a slow request again, and take the first response.
  @Test func aResponseToAnEarlierRequestOfAChainIsAsOldAsThatRequest() async throws {
    let step = Resuming()
    let server = OrderServer(interceptors: StepProvider(adding: step, at: 2))
    let world = World(ApolloClient(networkTransport: server), server)
    try await world.seed("old")
    async let fetched = world.fetch()
    let call = await server.call(0)
    try await world.client.store.publish(["Hero:1": ["name": "own"]])
    step.resume(.proceeding)
    _ = await server.call(1)
    call.end(HeroBody.hero("older"))
    #expect(try await fetched == "own")
    #expect(try await world.cached == "own")
  }

  /// Such a request would keep the notes of all later writes.
  @Test func aStepThatBeginsAnewAfterTheEndOfItsCallLeavesNoRequestUnderWay() async throws {
    let step = Resuming()
    let server = OrderServer(interceptors: StepProvider(adding: step, at: 2))
    let world = World(ApolloClient(networkTransport: server), server)
    let call = Task { try await world.fetch() }
    _ = await server.call(0)
    call.cancel()
    _ = await call.result
    await until { world.client.store.order.requestCount == 0 }
    step.resume(.retrying)
    #expect(world.client.store.order.requestCount == 0)
  }

  @Test func twoStoresOfOneCacheShareTheOrder() async throws {
    let cache = InMemoryNormalizedCache()
    let server = OrderServer()
    let clients = (0..<2).map { _ in
      ApolloClient(networkTransport: server, store: ApolloStore(cache: cache))
    }
    async let first = clients[0].fetch(query: query, cachePolicy: .networkOnly)
    let call = await server.call(0)
    async let renamed = clients[1].perform(mutation: HeroAPI.RenameMutation(id: "1", name: ""))
    await server.call(1).end(HeroBody.rename("new"))
    _ = try await renamed
    call.end(HeroBody.hero("old"))
    #expect(try await first.data?.hero?.name == "new")
  }

  @Test func twoCachesOfOneFileShareTheOrder() async throws {
    let file = try SharedFile()
    let server = OrderServer()
    let worlds = try (0..<2).map { _ in
      World(ApolloClient(networkTransport: server, store: try file.store()), server)
    }
    try await worlds[0].seed("older")
    async let fetched = worlds[0].fetch()
    let call = await server.call(0)
    async let renamed = worlds[1].rename()
    await server.call(1).end(HeroBody.rename("new"))
    _ = try await renamed
    call.end(HeroBody.hero("old"))
    #expect(try await fetched == "new")
    for world in worlds { #expect(try await world.cached == "new") }
    withExtendedLifetime(file) {}
  }

  @Test func theClearingOfAnotherCacheOfTheFileExcludesRequestsFromBefore() async throws {
    let file = try SharedFile()
    let server = OrderServer()
    let world = World(ApolloClient(networkTransport: server, store: try file.store()), server)
    async let fetched = world.fetch()
    let call = await server.call(0)
    try await file.store().clearCache()
    call.end(HeroBody.hero("of user A"))
    #expect(try await fetched == "of user A")
    #expect(try await world.cached == nil)
    withExtendedLifetime(file) {}
  }

  /// A client whose responses a test sends one by one.
  private final class HeldClient: HTTPClient {
    private typealias Attempt = CheckedContinuation<(status: Int, body: String), Never>
    private let attempts = Lock<[Attempt]>([])
    let limits = TransferLimits()

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

    func untilAttempted() async { await until { attempts.withLock { !$0.isEmpty } } }

    func respond(_ status: Int, _ body: String) async {
      await untilAttempted()
      attempts.withLock { $0.removeFirst() }.resume(returning: (status, body))
    }

    func invalidate() {}
  }

  private struct Authenticated: InterceptorProvider {
    let interceptor = AuthenticationInterceptor(token: "first") { "second" }
    let hasSteps: Bool

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [interceptor]
    }

    func interceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any ApolloInterceptor] { hasSteps ? builtInSteps() : [] }
  }

  enum Between: CaseIterable { case write, clearing }

  /// The token is refused, and the request is sent again with another one, also behind the steps of
  /// a chain of 1.x.
  @Test(arguments: Between.allCases, [false, true])
  func aRequestThatIsSentAgainIsAsOldAsItsLastAttempt(
    between: Between, hasSteps: Bool
  ) async throws {
    let http = HeldClient()
    let transport = RequestChainNetworkTransport(
      client: http, interceptorProvider: Authenticated(hasSteps: hasSteps),
      endpointURL: URL(string: "http://localhost/graphql")!)
    let world = World(
      ApolloClient(networkTransport: transport, store: ApolloStore()), OrderServer())
    try await world.seed("old")
    async let fetched = world.fetch()
    await http.untilAttempted()
    switch between {
    case .write: try await world.client.store.publish(["Hero:1": ["name": "own"]])
    case .clearing: try await world.client.clearCache()
    }
    await http.respond(401, "{}")
    await http.respond(200, HeroBody.hero("newest"))
    #expect(try await fetched == "newest")
    #expect(try await world.cached == "newest")
    // A chain ends behind its result.
    await until { world.client.store.order.requestCount == 0 }
  }

  @Test func aSharedResponseIsAsOldAsTheRequestThatWasSent() async throws {
    let server = OrderServer()
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(server), store: ApolloStore(),
      observers: [events])
    async let first = client.fetch(query: query, cachePolicy: .networkOnly)
    let call = await server.call(0)
    try await client.store.publish(["Hero:1": ["name": "own"]])
    let joining = Task { [client, query] in
      try await client.fetch(query: query, cachePolicy: .networkOnly)
    }
    await until { events.names.contains("joined") }
    call.end(HeroBody.hero("old"))
    _ = try await (first, joining.value)
    #expect(server.calls.count == 1)
    #expect(try await client.store.load(query).data?.hero?.name == "own")
  }

  /// A transport of a program that keeps all responses.
  private final class Recorder: NetworkTransport {
    private let base: any NetworkTransport
    private let responses = Lock<[NetworkResponse]>([])
    init(_ base: any NetworkTransport) { self.base = base }

    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      let response = try await base.send(request)
      responses.withLock { $0.append(response) }
      return response
    }
  }

  @Test func aResponseThatAProgramKeepsDoesNotKeepItsRequestUnderWay() async throws {
    let server = OrderServer()
    let transport = Recorder(DeduplicatingNetworkTransport(server))
    let events = EventRingBuffer()
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(), observers: [events])
    async let first = client.fetch(query: query, cachePolicy: .networkOnly)
    let call = await server.call(0)
    async let joining = client.fetch(query: query, cachePolicy: .networkOnly)
    await until { events.names.contains("joined") }
    call.end(HeroBody.hero("Luke"))
    _ = try await (first, joining)
    #expect(server.calls.count == 1)
    // The task of the shared request ends a little later than the calls.
    await until { client.store.order.requestCount == 0 }
    withExtendedLifetime(transport) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aLocalChangeOfAnEmptyCacheReadsNil(kind: CacheKind) async throws {
    let world = try World(kind)
    try await world.client.store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { data in
        #expect(data.hero == nil)
      }
    }
  }

  @Test func aLongRequestKeepsABoundedNumberOfNotes() async throws {
    let world = try World()
    async let slow = world.fetch()
    let call = await world.server.call(0)
    for _ in 0..<5 { try await world.client.store.publish(["Hero:1": ["name": "own"]]) }
    #expect(world.client.store.order.noteCount > 0)
    call.end(HeroBody.hero("old"))
    _ = try await slow
    await until { world.client.store.order.noteCount == 0 }
  }

  // MARK: Watches

  @Test(arguments: [CachePolicy.fetchIgnoringCacheData, .returnCacheDataElseFetch])
  func aWatchWhoseFirstResponseHasNoDataDeliversWhatOthersBring(
    policy: CachePolicy
  ) async throws {
    let world = try World()
    var updates = world.client.watch(query: query, cachePolicy: policy).makeAsyncIterator()
    await world.server.call(0).end(#"{"errors":[{"message":"no"}]}"#)
    #expect(try await updates.next()?.get().errors?.map(\.message) == ["no"])
    try await world.seed("Luke")
    #expect(try await updates.next()?.get().data?.hero?.name == "Luke")
  }

  @Test func aWatchWhoseFirstRequestFailedDeliversWhatOthersBring() async throws {
    for bringsMeanwhile in [false, true] {
      let world = try World()
      var updates = world.client.watch(query: query, cachePolicy: .fetchIgnoringCacheData)
        .makeAsyncIterator()
      let call = await world.server.call(0)
      if bringsMeanwhile { try await world.seed("Luke") }
      call.fail(URLError(.timedOut))
      let failure = await updates.next()
      if case .success(let response)? = failure {
        #expect(bringsMeanwhile && response.data?.hero?.name == "Luke")
        continue
      }
      if !bringsMeanwhile {
        // The watch may still look at what it would read, so this comes before or after that.
        try await world.seed("Luke")
      }
      #expect(try await updates.next()?.get().data?.hero?.name == "Luke")
    }
  }
}

/// Suspends until a condition holds, or until the time limit of the test has passed.
func until(
  _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  while !condition() {
    if Task.isCancelled {
      Issue.record("The condition has never held.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
