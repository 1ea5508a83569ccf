import Apollo
import ApolloAPI
import ApolloSQLite
import Foundation
import LoopbackServer
import TestOperations
import Testing

/// Calls that perform a mutation with optimistic data.
@Suite(.timeLimit(.minutes(10)))
struct OptimisticMutationTests {
  private let query = HeroAPI.HeroQuery()
  private let mutation = HeroAPI.RenameMutation(id: "1", name: "Rey")

  /// The expected data of the mutation.
  private func expected(_ name: String) throws -> HeroAPI.RenameMutation.Data {
    try HeroAPI.RenameMutation.Data(jsonObject: [
      "rename": ["__typename": "Hero", "id": "1", "name": name]
    ])
  }

  private func rename(to name: String) -> @Sendable (ReadWriteTransaction) throws -> Void {
    { try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name = name } }
  }

  private func client(
    _ transport: HeldTransport, cache: any NormalizedCache = InMemoryNormalizedCache()
  ) async throws -> ApolloClient {
    let store = ApolloStore(cache: cache)
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Ben", "friends": .null],
    ])
    return ApolloClient(networkTransport: transport, store: store)
  }

  private func name(_ client: ApolloClient) async throws -> String? {
    try await client.store.load(query).data?.hero?.name
  }

  // MARK: Forms

  @Test(arguments: CacheKind.allCases)
  func dataIsVisibleInTheObjectsWithItsKeys(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    async let response = client.perform(mutation: mutation, optimistic: try expected("Rey?"))
    await transport.untilSent(1)
    #expect(try await name(client) == "Rey?")
    transport.rename(0, to: "Rey")
    #expect(try await response.data?.rename?.name == "Rey")
    #expect(try await name(client) == "Rey")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func aClosureRunsAgainOverNewRecords(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    async let response = client.perform(
      mutation: mutation,
      optimistic: { try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += "!" } })
    await transport.untilSent(1)
    #expect(try await name(client) == "Ben!")
    try await client.store.publish(["Hero:1": ["name": "Ben Solo"]])
    #expect(try await name(client) == "Ben Solo!")
    transport.respond(to: 0, .failure(Refused()))
    do { _ = try await response } catch is Refused {}
    #expect(try await name(client) == "Ben Solo")
    withExtendedLifetime(owner) {}
  }

  @Test func callsWithAHandlerShowDataAndClosuresInTheOrderOfTheCalls() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let queue = DispatchQueue(label: "results")
    let (results, end) = AsyncStream<String?>.makeStream()
    client.perform(mutation: mutation, optimistic: try expected("A"), queue: queue) {
      end.yield((try? $0.get())?.data?.rename?.name)
    }
    await transport.untilSent(1)
    client.perform(
      mutation: mutation,
      optimistic: { try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += "B" } },
      queue: queue
    ) { end.yield((try? $0.get())?.data?.rename?.name) }
    await transport.untilSent(2)
    #expect(try await name(client) == "AB")
    var iterator = results.makeAsyncIterator()
    transport.rename(0, to: "C")
    #expect(await iterator.next() == "C")
    #expect(try await name(client) == "CB")
    transport.respond(to: 1, .failure(Refused()))
    #expect(await iterator.next() == .some(nil))
    #expect(try await name(client) == "C")
  }

  @Test func aCancelledCallWithAHandlerLeavesNothing() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let (results, end) = AsyncStream<Bool>.makeStream()
    let call = client.perform(
      mutation: mutation, optimistic: rename(to: "A"), queue: DispatchQueue(label: "results")
    ) { result in
      if case .failure(let error) = result { end.yield(error is CancellationError) }
    }
    await transport.untilSent(1)
    #expect(try await name(client) == "A")
    call.cancel()
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == true)
    #expect(try await name(client) == "Ben")
    #expect(client.store.layers.isIdle)
  }

  @Test func aResultThatIsNotPublishedRemovesTheLayer() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let (results, end) = AsyncStream<Void>.makeStream()
    client.perform(
      mutation: mutation, optimistic: rename(to: "A"), publishResultToStore: false,
      queue: DispatchQueue(label: "results")
    ) { _ in end.yield() }
    await transport.untilSent(1)
    transport.rename(0, to: "Rey")
    var iterator = results.makeAsyncIterator()
    await iterator.next()
    #expect(try await name(client) == "Ben")
  }

  // MARK: Closures that fail

  @Test func aClosureThatThrowsChangesNothingUntilItSucceeds() async throws {
    let transport = HeldTransport()
    let client = ApolloClient(networkTransport: transport)
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await transport.untilSent(1)
    #expect(try await name(client) == nil, "There is no hero, so the closure has thrown.")
    try await client.store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "name": "Ben", "friends": .null],
    ])
    #expect(try await name(client) == "A")
    transport.rename(0, to: "Rey")
    _ = try await response
    #expect(try await name(client) == "Rey")
  }

  @Test func whatAClosureHasChangedBeforeItThrowsIsNotVisible() async throws {
    let transport = HeldTransport()
    let failures = Lock(0)
    var configuration = ApolloStore.Configuration()
    configuration.onCacheFailure = { error in if error is Refused { failures.withLock { $0 += 1 } }
    }
    let client = ApolloClient(
      networkTransport: transport, store: ApolloStore(configuration: configuration))
    try await client.store.publish(["Hero:1": ["name": "Ben"]])
    async let response = client.perform(
      mutation: mutation,
      optimistic: { transaction in
        try transaction.merge(["Hero:1": ["name": "A"]])
        throw Refused()
      })
    await transport.untilSent(1)
    #expect(failures.get() == 1, "reported once")
    let records = try await client.store.readOnlyCache.loadRecords(forKeys: ["Hero:1"])
    #expect(records["Hero:1"]?["name"] == "Ben")
    transport.rename(0, to: "Rey")
    _ = try await response
    #expect(failures.get() == 1)
  }

  @Test func aTransactionOfALayerEndsWithItsClosure() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    final class Escaped: @unchecked Sendable { var transaction: ReadWriteTransaction? }
    let escaped = Escaped()
    async let response = client.perform(
      mutation: mutation, optimistic: { escaped.transaction = $0 })
    await transport.untilSent(1)
    #expect(throws: StoreError.transactionEnded) {
      try escaped.transaction?.merge(["Hero:1": ["name": "A"]])
    }
    transport.rename(0, to: "Rey")
    _ = try await response
  }

  // MARK: Transactions

  @Test func aTransactionReadsAndWritesBelowTheLayers() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await transport.untilSent(1)
    let (query, store) = (query, client.store)
    let read = try await store.withinReadWriteTransaction { transaction in
      try transaction.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += " Solo" }
      return try transaction.read(query: query).hero?.name
    }
    #expect(read == "Ben Solo")
    #expect(try await store.withinReadTransaction { try $0.read(query: query).hero?.name } == "A")
    transport.respond(to: 0, .failure(Refused()))
    do { _ = try await response } catch is Refused {}
    #expect(try await name(client) == "Ben Solo")
  }

  @Test func aMutationInsideOfATransactionIsRefusedAndLeavesNothing() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let (mutation, update) = (mutation, rename(to: "A"))
    await #expect(throws: StoreError.reentrantTransaction) {
      try await client.store.withinReadWriteTransaction { _ in
        _ = try await client.perform(mutation: mutation, optimistic: update)
      }
    }
    #expect(transport.requestCount == 0)
    #expect(client.store.layers.isIdle)
    #expect(try await name(client) == "Ben")
  }

  @Test func aTaskOfATransactionReadsWhatIsVisible() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await transport.untilSent(1)
    let (query, store) = (query, client.store)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.merge(["Hero:1": ["name": "B"]])
      #expect(try await Task { try await store.load(query).data?.hero?.name }.value == "A")
    }
    transport.rename(0, to: "Rey")
    _ = try await response
  }

  // MARK: Other stores and failures

  @Test(arguments: [CacheKind.memory, .memoryInFrontOfDisk])
  func theWriteOfAnotherStoreIsBelowTheLayers(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    async let response = client.perform(
      mutation: mutation,
      optimistic: { try $0.update(HeroAPI.HeroLocalCacheMutation()) { $0.hero?.name += "!" } })
    await transport.untilSent(1)
    let other = ApolloStore(cache: cache)
    try await other.publish(["Hero:1": ["name": "Ben Solo"]])
    #expect(try await name(client) == "Ben Solo!")
    transport.rename(0, to: "Rey")
    _ = try await response
    #expect(try await other.load(query).data?.hero?.name == "Rey")
    withExtendedLifetime(owner) {}
  }

  @Test func aCacheThatFailsHidesLayersAndDoesNotFailTheCall() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "apollo-layers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system's to clean
    let cache = try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("cache.sqlite"))
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    cache.suspend()
    async let response = client.perform(mutation: mutation, optimistic: rename(to: "A"))
    await transport.untilSent(1)
    transport.rename(0, to: "Rey")
    #expect(try await response.data?.rename?.name == "Rey")
    #expect(client.store.layers.isEmpty)
    cache.resume()
    #expect(try await name(client) == "Ben", "The response could not be written.")
    try await client.store.publish(["Hero:1": ["name": "Kylo"]])
    #expect(try await name(client) == "Kylo")
    #expect(client.store.layers.isIdle)
  }

  @Test(arguments: [true, false])
  func aLayerReleasesItsClosureAtItsEnd(isSettled: Bool) async throws {
    let store = ApolloStore()
    let isReleased = Lock(false)
    func update() -> @Sendable (ReadWriteTransaction) throws -> Void {
      let witness = Witness { isReleased.withLock { $0 = true } }
      return { _ in withExtendedLifetime(witness) {} }
    }
    let layer = store.layers.reserve()
    try await store.showLayer(layer, update())
    #expect(!isReleased.get())
    if isSettled {
      try await store.publish(NormalizedResponse(records: RecordSet()), at: .layer(layer))
    } else {
      await store.removeLayer(layer)
    }
    #expect(isReleased.get())
    #expect(store.layers.isIdle)
  }
}

// MARK: - The order of calls

/// A client whose calls of one response begin when a test says so, as a call with a handler begins
/// when its task does.
private final class LateClient: ApolloClientProtocol {
  let isToBegin = Signal()
  private let base: ApolloClient

  init(_ base: ApolloClient) { self.base = base }

  var store: ApolloStore { base.store }

  func _begin<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation> { base._begin(request) }

  func responses<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) -> GraphQLResponses<Operation> { base.responses(to: request) }

  func response<Operation: GraphQLOperation>(
    to request: GraphQLRequest<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    await isToBegin.wait()
    return try await base.response(to: request)
  }
}

extension OptimisticMutationTests {
  /// The calls with a handler whose response shows nothing before.
  enum PlainCall: CaseIterable, Sendable { case perform, upload, update }

  @Test(arguments: PlainCall.allCases)
  func theResponseToAnEarlierCallIsBelowTheDataOfALaterOne(_ call: PlainCall) async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let late = LateClient(client)
    let queue = DispatchQueue(label: "tests")
    let (mutation, hasResult) = (HeroAPI.RenameMutation(id: "1", name: "Ren"), Signal())
    switch call {
    case .perform:
      late.perform(mutation: mutation, queue: queue) { _ in hasResult.fire() }
    case .upload:
      late.upload(operation: mutation, files: [], queue: queue) { _ in hasResult.fire() }
    case .update:
      late.perform(mutation: mutation, update: { _, _ in }, queue: queue) { _ in
        hasResult.fire()
      }
    }
    let later = Task {
      try await client.perform(
        mutation: HeroAPI.RenameMutation(id: "1", name: "Rey"), optimistic: rename(to: "Rey"))
    }
    await transport.untilSent(1)
    late.isToBegin.fire()
    await transport.untilSent(2)
    transport.rename(1, to: "Ren")
    await hasResult.wait()
    #expect(try await name(client) == "Rey")
    transport.rename(0, to: "Rey")
    _ = try await later.value
  }
}
