import Apollo
import TestOperations
import Testing

/// The root fields of mutations and subscriptions, which have the arguments of each call, are not
/// kept. The objects inside of them are.
@Suite(.timeLimit(.minutes(10)))
struct RootsOfMutationsTests {
  @Test(arguments: CacheKind.allCases)
  func aMutationLeavesItsObjectsAlone(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = ScriptedTransport { _, _ in
      #"{"data":{"rename":{"__typename":"Hero","id":"1","name":"Rey"}}}"#
    }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    let mutation = HeroAPI.RenameMutation(id: "1", name: "secret")
    let response = try await client.perform(mutation: mutation)
    #expect(response.data?.rename?.name == "Rey")
    if let data = response.data {
      try await client.store.withinReadWriteTransaction { transaction in
        try transaction.write(data: data, for: mutation)
      }
    }
    let records = try cache.loadRecords(forKeys: ["MUTATION_ROOT", "Hero:1"])
    #expect(records.keys.sorted() == ["Hero:1"])
    #expect(records["Hero:1"]?["name"] == "Rey")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: CacheKind.allCases)
  func theLatestEventOfASubscriptionIsReadFromMemory(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = StreamingTransport { _ in ["A", "B"].map { .response($0) } }
    let store = ApolloStore(cache: cache)
    let client = ApolloClient(networkTransport: transport, store: store)
    let subscription = HeroAPI.HeroChangedSubscription()
    for try await _ in client.subscribe(subscription: subscription) {}
    #expect(try cache.loadRecords(forKeys: ["SUBSCRIPTION_ROOT"]).isEmpty)
    #expect(try await store.load(subscription).data?.heroChanged?.name == "B")
    try await store.publish(["Hero:1": ["name": "C"]])
    #expect(try await store.load(subscription).data?.heroChanged?.name == "C")
    try await store.clearCache()
    #expect(try await store.load(subscription).data == nil)
    withExtendedLifetime(owner) {}
  }
}
