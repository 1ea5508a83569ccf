import Apollo
import ApolloAPI
import ApolloCache
import Dispatch
import TestOperations
import Testing

/// Readings of a watcher that are out of date when they arrive, scripted step by step.
@Suite(.timeLimit(.minutes(10)))
struct StaleReadingTests {
  private static func response(name: String) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"\#(name)","friends":null}}}"#
  }

  /// The steps of both tests up to the stale reading.
  private struct Script {
    let store = GatedStore()
    let client: ApolloClient
    let transport: ScriptedTransport
    let watcher: GraphQLQueryWatcher<HeroAPI.HeroQuery>
    private var results: AsyncStream<Result<String?, any Error>>.Iterator
    private var arrivals: AsyncStream<Void>.Iterator

    init() {
      transport = ScriptedTransport { _, number in response(name: number == 0 ? "A" : "C") }
      client = ApolloClient(networkTransport: transport, store: ApolloStore(records: store))
      let (stream, continuation) = AsyncStream<Result<String?, any Error>>.makeStream()
      results = stream.makeAsyncIterator()
      arrivals = store.arrivals.makeAsyncIterator()
      watcher = client.watch(
        query: HeroAPI.HeroQuery(), callbackQueue: DispatchQueue(label: "tests")
      ) { continuation.yield($0.map { $0.data?.hero?.name }) }
    }

    mutating func nextName() async throws -> String? { try await results.next()?.get() }

    /// 1. The first response is delivered.
    /// 2. `change` changes the hero, and the watcher starts to read the change.
    /// 3. A newer response is delivered while the reading stops at the gate.
    /// 4. The reading arrives, out of date.
    mutating func run(
      changing change: (ReadWriteTransaction) throws -> Void
    ) async throws {
      #expect(try await nextName() == "A")
      store.close()
      try await client.store.withinReadWriteTransaction { try change($0) }
      await arrivals.next()
      watcher.refetch()
      #expect(try await nextName() == "C")
      store.open()
    }
  }

  @Test func aReadingOlderThanADeliveredResponseIsNotDelivered() async throws {
    var script = Script()
    try await script.run { try $0.merge(["Hero:0": ["name": "B"]]) }
    try await script.client.store.publish(["Hero:0": ["name": "D"]])
    #expect(try await script.nextName() == "D", "'B' was out of date.")
    #expect(script.transport.requestCount == 2)
  }

  @Test func aMissOlderThanADeliveredResponseIsNotFetched() async throws {
    var script = Script()
    try await script.run { try $0.removeObject(for: "Hero:0") }
    try await script.client.store.publish(["Hero:0": ["name": "D"]])
    #expect(try await script.nextName() == "D")
    #expect(script.transport.requestCount == 2, "The miss was out of date.")
  }
}
