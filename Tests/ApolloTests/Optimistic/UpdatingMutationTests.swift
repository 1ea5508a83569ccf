import Apollo
import ApolloAPI
import Foundation
import ManualClock
import TestOperations
import Testing

/// Mutations whose response changes other cached data, in the write that commits it.
@Suite(.timeLimit(.minutes(10)))
struct UpdatingMutationTests {
  private let mutation = HeroAPI.RenameMutation(id: "1", name: "Rey")

  private func client(
    _ transport: HeldTransport, cache: any NormalizedCache = InMemoryNormalizedCache(),
    _ configuration: ApolloStore.Configuration = .init()
  ) async throws -> ApolloClient {
    let store = ApolloStore(cache: cache, configuration: configuration)
    try await store.publish(["Log": ["names": ["Ben"]], "Hero:1": ["name": "Ben"]])
    return ApolloClient(networkTransport: transport, store: store)
  }

  /// Appends the name in the response to a list, and to that the name that the cache has by then.
  private static func log(
    _ transaction: ReadWriteTransaction, _ response: GraphQLResponse<HeroAPI.RenameMutation>
  ) throws {
    guard case .list(let names)? = try transaction.record(for: "Log")?.fields["names"],
      let name = response.data?.rename?.name,
      let cached = try transaction.record(for: "Hero:1")?.fields["name"]
    else { throw Refused() }
    try transaction.merge(["Log": ["names": .list(names + [.string(name), cached])]])
  }

  private static func append(_ name: String) -> @Sendable (ReadWriteTransaction) throws -> Void {
    { transaction in
      guard case .list(let names)? = try transaction.record(for: "Log")?.fields["names"] else {
        throw Refused()
      }
      try transaction.merge(["Log": ["names": .list(names + [.string(name)])]])
    }
  }

  private func names(_ client: ApolloClient) async throws -> CacheValue? {
    try await client.store.withinReadTransaction { try $0.record(for: "Log")?.fields["names"] }
  }

  /// The closure cannot run, so the response is not written. Its layer is gone, and watches know.
  @Test(arguments: [false, true])
  func aCacheThatCannotBeReadLeavesNothingOptimistic(isUpdating: Bool) async throws {
    let cache = UsersOwnCache()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    try await client.store.publish([
      .queryRoot: ["hero": .reference("Hero:1")],
      "Hero:1": ["__typename": "Hero", "id": "1", "friends": .null],
    ])
    let (names, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: HeroAPI.HeroQuery()) { result in
      delivered.yield((try? result.get())?.data?.hero?.name)
    }
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == "Ben")
    let show: @Sendable (ReadWriteTransaction) throws -> Void = {
      try $0.merge(["Hero:1": ["name": "A"]])
    }
    async let response =
      isUpdating
      ? client.perform(mutation: mutation, optimistic: show, update: Self.log)
      : client.perform(mutation: mutation, optimistic: show)
    #expect(await iterator.next() == "A")
    await transport.untilSent(1)
    cache.breakDown(reading: true, writing: false)
    transport.rename(0, to: "Rey")
    _ = try? await response
    #expect(await iterator.next() == .some(nil), "The cache cannot be read.")
    #expect(client.store.layers.isIdle)
    watcher.cancel()
  }

  @Test(arguments: CacheKind.allCases)
  func theChangesAndTheResponseAreOneWrite(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    let changes = Lock<[Set<RecordKey>]>([])
    let subscriber = ChangeRecorder { change in changes.withLock { $0.append(change) } }
    let token = client.store.subscribe(subscriber)
    async let response = client.perform(mutation: mutation, update: Self.log)
    await transport.untilSent(1)
    #expect(try await names(client) == ["Ben"])
    transport.rename(0, to: "Rey")
    #expect(try await response.data?.rename?.name == "Rey")
    #expect(try await names(client) == ["Ben", "Rey", "Rey"])
    #expect(try cache.loadRecords(forKeys: ["Log"])["Log"]?["names"] == ["Ben", "Rey", "Rey"])
    #expect(changes.get() == [["Hero:1", "Log"]])
    client.store.unsubscribe(token)
    withExtendedLifetime(owner) {}
  }

  /// The closure of a response that waits runs again when the older mutation has ended, so nothing
  /// optimistic gets into the cache.
  @Test(arguments: CacheKind.allCases, [true, false])
  func aResponseThatWaitsIsUpdatedAgain(kind: CacheKind, olderSucceeds: Bool) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    let client = try await client(transport, cache: cache)
    async let older = client.perform(
      mutation: mutation, optimistic: Self.append("older?"),
      update: { transaction, _ in try Self.append("older")(transaction) })
    await transport.untilSent(1)
    async let newer = client.perform(mutation: mutation, update: Self.log)
    await transport.untilSent(2)
    transport.rename(1, to: "Finn")
    _ = try await newer
    #expect(try await names(client) == ["Ben", "older?", "Finn", "Finn"])
    #expect(try cache.loadRecords(forKeys: ["Log"])["Log"]?["names"] == ["Ben"])
    if olderSucceeds {
      transport.rename(0, to: "Poe")
      _ = try await older
      #expect(try await names(client) == ["Ben", "older", "Finn", "Finn"])
    } else {
      transport.respond(to: 0, .failure(Refused()))
      do { _ = try await older } catch is Refused {}
      #expect(try await names(client) == ["Ben", "Finn", "Finn"])
    }
    #expect(try cache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?["name"] == "Finn")
    #expect(client.store.layers.isIdle)
    withExtendedLifetime(owner) {}
  }

  @Test func expectedDataIsReplacedByTheResponseAndTheChanges() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let expected = try HeroAPI.RenameMutation.Data(jsonObject: [
      "rename": ["__typename": "Hero", "id": "1", "name": "Rey?"]
    ])
    async let response = client.perform(
      mutation: mutation, optimistic: expected, update: Self.log)
    await transport.untilSent(1)
    let visible = try await client.store.withinReadTransaction {
      try $0.record(for: "Hero:1")?.fields["name"]
    }
    #expect(visible == "Rey?")
    transport.rename(0, to: "Rey")
    _ = try await response
    #expect(try await names(client) == ["Ben", "Rey", "Rey"])
  }

  @Test func aHandlerIsCalledAfterTheChanges() async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let (results, end) = AsyncStream<String?>.makeStream()
    client.perform(
      mutation: mutation, optimistic: Self.append("Rey?"), update: Self.log,
      queue: DispatchQueue(label: "results")
    ) { end.yield((try? $0.get())?.data?.rename?.name) }
    await transport.untilSent(1)
    #expect(try await names(client) == ["Ben", "Rey?"])
    transport.rename(0, to: "Rey")
    var iterator = results.makeAsyncIterator()
    #expect(await iterator.next() == "Rey")
    #expect(try await names(client) == ["Ben", "Rey", "Rey"])
  }

  /// The server has performed the mutation, so the call does not fail.
  @Test func aClosureThatThrowsChangesNothing() async throws {
    let transport = HeldTransport()
    let failures = Lock(0)
    var configuration = ApolloStore.Configuration()
    configuration.onCacheFailure = { error in
      if error is Refused { failures.withLock { $0 += 1 } }
    }
    let client = try await client(transport, configuration)
    async let response = client.perform(
      mutation: mutation,
      update: { transaction, _ in
        try transaction.removeObject(for: "Log")
        throw Refused()
      })
    await transport.untilSent(1)
    transport.rename(0, to: "Rey")
    #expect(try await response.data?.rename?.name == "Rey")
    #expect(try await names(client) == ["Ben"])
    #expect(
      try await client.store.readOnlyCache.loadRecords(forKeys: ["Hero:1"])["Hero:1"]?["name"]
        == "Rey")
    #expect(failures.get() == 1)
  }

  @Test(arguments: [
    #"{"data":null,"errors":[{"message":"no"}]}"#, #"{"errors":[{"message":"no"}]}"#,
  ])
  func withoutDataTheClosureDoesNotRun(body: String) async throws {
    let transport = HeldTransport()
    let client = try await client(transport)
    let isCalled = Lock(false)
    async let response = client.perform(
      mutation: mutation, update: { _, _ in isCalled.withLock { $0 = true } })
    await transport.untilSent(1)
    transport.respond(to: 0, .success(body))
    #expect(try await response.errors?.count == 1)
    #expect(!isCalled.get())
  }

  @Test(arguments: CacheKind.allCases.filter { $0 != .usersOwn })
  func theFieldsAreAsOldAsTheResponse(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = HeldTransport()
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.freshness.now = { Date(timeIntervalSince1970: 1_000) }
    let client = try await client(transport, cache: cache, configuration)
    async let response = client.perform(mutation: mutation, update: Self.log)
    await transport.untilSent(1)
    transport.rename(0, to: "Rey")
    _ = try await response
    for (key, field) in [("Hero:1", "name"), ("Log", "names")] as [(RecordKey, FieldKey)] {
      let provenance = client.store.provenance(of: FieldAddress(record: key, field: field))
      #expect(provenance?.operationName == "Rename")
      #expect(provenance?.date == Date(timeIntervalSince1970: 1_000))
    }
    withExtendedLifetime(owner) {}
  }
}

private final class ChangeRecorder: ApolloStoreSubscriber {
  private let record: @Sendable (Set<RecordKey>) -> Void

  init(_ record: @escaping @Sendable (Set<RecordKey>) -> Void) { self.record = record }

  func store(_ store: ApolloStore, didChange change: StoreChange) {
    record(Set(change.changes.records))
  }
}
