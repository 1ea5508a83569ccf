import Apollo
import ApolloAPI
import Dispatch
import TestOperations
import Testing

/// Watches of data that is optimistic.
@Suite(.timeLimit(.minutes(10)))
struct OptimisticWatchingTests {
  private let query = HeroAPI.HeroQuery()
  private let mutation = HeroAPI.RenameMutation(id: "1", name: "Rey")

  private func name(
    _ result: Result<GraphQLResponse<HeroAPI.HeroQuery>, any Error>?
  ) throws -> String? {
    try result?.get().data?.hero?.name
  }

  /// Watches the query until it has delivered a hero called Ben.
  private func watch(
    _ client: ApolloClient, _ transport: HeldTransport
  ) async throws -> QueryUpdates<HeroAPI.HeroQuery>.Iterator {
    var updates = client.watch(query: query).makeAsyncIterator()
    await transport.untilSent(1)
    transport.hero(0, named: "Ben")
    #expect(try name(await updates.next()) == "Ben")
    return updates
  }

  private func rename(to name: String) -> @Sendable (ReadWriteTransaction) throws -> Void {
    { try $0.merge(["Hero:1": ["name": .string(name)]]) }
  }

  @Test(arguments: CacheKind.allCases)
  func aWatchShowsOptimisticDataAndThenTheResponse(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    var updates = try await watch(client, transport)
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    #expect(try name(await updates.next()) == "A")
    await transport.untilSent(2)
    transport.rename(1, to: "Rey")
    #expect(try name(await updates.next()) == "Rey")
    _ = try await response
    async let failed = client.perform(mutation: mutation, optimistic: rename(to: "B"))
    #expect(try name(await updates.next()) == "B")
    await transport.untilSent(3)
    transport.respond(to: 2, .failure(Refused()))
    #expect(try name(await updates.next()) == "Rey")
    do { _ = try await failed } catch is Refused {}
    #expect(transport.requestCount == 3, "A watch needs no request for optimistic data.")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aRefetchDoesNotFlipBackToTheServersData(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let names = Lock<[String?]>([])
    let (deliveries, delivered) = AsyncStream<Void>.makeStream()
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      names.withLock { $0.append((try? result.get())?.data?.hero?.name) }
      delivered.yield()
    }
    var iterator = deliveries.makeAsyncIterator()
    await transport.untilSent(1)
    transport.hero(0, named: "Ben")
    await iterator.next()
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await iterator.next()
    await transport.untilSent(2)
    watcher.refetch()
    await transport.untilSent(3)
    transport.hero(2, named: "Ben")
    // A fetch of another call, which ends after the watcher's response is in the cache.
    async let other = client.fetch(query: query, cachePolicy: .networkOnly)
    await transport.untilSent(4)
    transport.hero(3, named: "Ben")
    _ = try await other
    transport.rename(1, to: "Rey")
    await iterator.next()
    _ = try await response
    #expect(names.get() == ["Ben", "A", "Rey"])
    withExtendedLifetime(watcher) {}
    withExtendedLifetime(owner) {}
  }

  /// Delays the second response to a query until ``release()``.
  private final class Holding: GraphQLInterceptor, InterceptorProvider {
    private let count = Lock(0)
    private let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    private let (releases, released) = AsyncStream<Void>.makeStream()

    func graphQLInterceptors<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> [any GraphQLInterceptor] { [self] }

    func intercept<Operation: GraphQLOperation>(
      _ request: GraphQLRequest<Operation>, next: InterceptorChain<Operation>
    ) async throws -> GraphQLResponse<Operation> {
      let response = try await next.proceed(request)
      if Operation.operationType == .query, increment() == 2 {
        arrived.finish()
        for await _ in releases {}
      }
      return response
    }

    private func increment() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }

    func untilArrived() async { for await _ in arrivals {} }
    func release() { released.finish() }
  }

  /// The response of the refetch is in the cache, and the watch receives it while a newer one
  /// replaces the optimistic data.
  @Test func aRefetchThatIsOvertakenDoesNotFlipBack() async throws {
    for _ in 0..<100 {
      let holding = Holding()
      let transport = HeldTransport(interceptors: holding)
      let client = ApolloClient(networkTransport: transport)
      let (results, delivered) = AsyncStream<String?>.makeStream()
      let watcher = client.watch(query: query) { result in
        delivered.yield((try? result.get())?.data?.hero?.name)
      }
      var iterator = results.makeAsyncIterator()
      await transport.untilSent(1)
      transport.hero(0, named: "Ben")
      #expect(await iterator.next() == "Ben")
      async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
      #expect(await iterator.next() == "A")
      await transport.untilSent(2)
      watcher.refetch()
      await transport.untilSent(3)
      transport.hero(2, named: "Ben")
      await holding.untilArrived()
      transport.rename(1, to: "Rey")
      holding.release()
      #expect(await iterator.next() == "Rey")
      _ = try await response
      watcher.cancel()
    }
  }

  @Test func anObjectThatIsRemovedOptimisticallyIsNotFetchedAgain() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    var updates = client.watch(query: query).makeAsyncIterator()
    await transport.untilSent(1)
    transport.hero(0, named: "Ben")
    #expect(try name(await updates.next()) == "Ben")
    async let response = client.perform(
      mutation: mutation, optimistic: { try $0.removeObject(for: "Hero:1") })
    await transport.untilSent(2)
    #expect(try await client.store.load(query).data == nil)
    transport.rename(1, to: "Rey")
    _ = try await response
    #expect(try name(await updates.next()) == "Rey")
    #expect(transport.requestCount == 2)
  }

  /// With `@throwOnFieldError`, the null leaves no data. It is there again when the mutation ends.
  @Test func anOptimisticNullThatLeavesNoDataIsNotFetchedAgain() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    var updates = client.watch(query: CertainNameQuery()).makeAsyncIterator()
    await transport.untilSent(1)
    transport.hero(0, named: "Ben")
    #expect(try await updates.next()?.get().data?.name == "Ben")
    async let response = client.perform(
      mutation: mutation, optimistic: { try $0.merge(["Hero:1": ["name": .null]]) })
    await transport.untilSent(2)
    let reading = try await client.store.load(CertainNameQuery())
    #expect(reading.data == nil && client.store.layers.explain(reading))
    transport.rename(1, to: "Rey")
    _ = try await response
    #expect(try await updates.next()?.get().data?.name == "Rey")
    #expect(transport.requestCount == 2)
  }

  @Test func subscribersReceiveExactlyWhatBecameVisible() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    try await client.store.publish(["Hero:1": ["name": "Ben", "height": 2], "Hero:2": [:]])
    let changes = Lock<[Set<FieldAddress>]>([])
    let watch = client.store.subscribe { change in
      changes.withLock { $0.append(change.changes.addresses) }
    }
    let name = FieldAddress(record: "Hero:1", field: "name")
    let height = FieldAddress(record: "Hero:1", field: "height")
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await transport.untilSent(1)
    #expect(changes.exchange([]) == [[name]])
    try await client.store.publish(["Hero:1": ["name": "Ben Solo"]])
    #expect(changes.exchange([]) == [], "It is below the layer.")
    try await client.store.publish(["Hero:1": ["name": "Ben", "height": 3]])
    #expect(changes.exchange([]) == [[height]])
    transport.rename(0, to: "A")
    _ = try await response
    let new = changes.exchange([]).reduce(into: Set()) { $0.formUnion($1) }
    #expect(!new.contains(name), "The response confirms what was visible.")
    withExtendedLifetime(watch) {}
  }

  @Test func fragmentsAreWatchedThroughLayers() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    try await client.store.publish(["Hero:1": ["__typename": "Hero", "name": "Ben"]])
    var updates = client.watch(fragment: HeroAPI.HeroName.self, withKey: "Hero:1")
      .makeAsyncIterator()
    #expect(try await updates.next()?.get()?.name == "Ben")
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    #expect(try await updates.next()?.get()?.name == "A")
    await transport.untilSent(1)
    transport.respond(to: 0, .failure(Refused()))
    #expect(try await updates.next()?.get()?.name == "Ben")
    do { _ = try await response } catch is Refused {}
  }

  /// The response equals what the layer has shown, so nothing visible changes at its end.
  @Test(arguments: CacheKind.allCases)
  func aRecordThatIsInvalidatedBelowALayerIsFetchedAtItsEnd(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    var updates = try await watch(client, transport)
    let expected = try HeroAPI.RenameMutation.Data(jsonObject: [
      "rename": ["__typename": "Hero", "id": "1", "name": "Rey"]
    ])
    async let response = client.perform(mutation: mutation, optimistic: expected)
    #expect(try name(await updates.next()) == "Rey")
    await transport.untilSent(2)
    try await client.store.invalidate(["Hero:1"])
    transport.rename(1, to: "Rey")
    _ = try await response
    await transport.untilSent(3)
    transport.hero(2, named: "Finn")
    #expect(try name(await updates.next()) == "Finn")
    withExtendedLifetime(owner) {}
  }
}

/// `query CertainName @throwOnFieldError { hero { __typename id name } }`, whose `name` has
/// `@semanticNonNull`.
private struct CertainNameQuery: GraphQLQuery {
  static let operationName: String = "CertainName"
  static let operationDocument: ApolloAPI.OperationDocument = .init(
    definition: .init("query CertainName { hero { __typename id name } }"))
  static let __selections = Selections(
    "@throwOnFieldError Query {hero Hero {__typename String! id ID! "
      + "name String @semanticNonNull(levels: [0])}}")

  struct Data: HeroAPI.SelectionSet {
    typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = CertainNameQuery.__selections[0]

    var name: String? { hero?.name }
    private var hero: Hero? { __object[0, Self.__layout] }

    struct Hero: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = CertainNameQuery.__selections[1]
      var name: String? { __object[2, Self.__layout] }
    }
  }
}
