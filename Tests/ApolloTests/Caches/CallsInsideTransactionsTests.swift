import Apollo
import Dispatch
import Foundation
import TestOperations
import Testing

/// Calls inside a transaction. Those that the body does not await run after the transaction. Those
/// that it awaits fail if they need the store.
@Suite(.timeLimit(.minutes(10)))
struct CallsInsideTransactionsTests {
  private let query = HeroAPI.HeroQuery()
  private let transport = ScriptedTransport { _, _ in
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"Leia","friends":null}}}"#
  }

  @Test func aCallThatIsNotAwaitedIsNotPartOfTheTransaction() async throws {
    let client = ApolloClient(networkTransport: transport)
    let (results, continuation) = AsyncStream<String?>.makeStream()
    // A read transaction blocks no writer, so all of this happens while it is open.
    let names = try await client.store.withinReadTransaction { [query] transaction in
      client.fetch(query: query, queue: DispatchQueue(label: "tests")) { result in
        continuation.yield(try? result.get().data?.hero?.name)
      }
      let fetched = await results.first { _ in true }
      var updates = client.watch(query: query).makeAsyncIterator()
      let watched = try await updates.next()?.get().data?.hero?.name
      var objects = client.watch(fragment: HeroAPI.EditableName.self, withKey: "Hero:0")
        .makeAsyncIterator()
      let object = try await objects.next()?.get()?.name
      return [fetched ?? nil, watched, object]
    }
    #expect(names == ["Leia", "Leia", "Leia"])
  }

  @Test func anAwaitedCallThatNeedsTheStoreFailsBeforeItIsSent() async throws {
    let client = ApolloClient(networkTransport: transport)
    for policy in [CachePolicy.Query.SingleResponse.cacheFirst, .networkFirst, .networkOnly] {
      await #expect(throws: StoreError.reentrantTransaction) {
        try await client.store.withinReadWriteTransaction { [query] _ in
          _ = try await client.fetch(query: query, cachePolicy: policy)
        }
      }
    }
    #expect(transport.requestCount == 0)
  }

  @Test func anAwaitedWatchFailsInsideAWriteTransactionAndContinuesAfterIt() async throws {
    let client = ApolloClient(networkTransport: transport)
    var updates = client.watch(query: query).makeAsyncIterator()
    var objects = client.watch(fragment: HeroAPI.EditableName.self, withKey: "Hero:0")
      .makeAsyncIterator()
    try await client.store.withinReadWriteTransaction { _ in
      let update = await updates.next()
      #expect(throws: StoreError.reentrantTransaction) { try update?.get() }
      let object = await objects.next()
      #expect(throws: StoreError.reentrantTransaction) { try object?.get() }
    }
    #expect(try await updates.next()?.get().data?.hero?.name == "Leia")
  }

  @Test func aTaskOfATransactionMayFetchFromTheCacheAlone() async throws {
    let client = ApolloClient(networkTransport: transport)
    _ = try await client.fetch(query: query)
    let name = try await client.store.withinReadWriteTransaction { [query] transaction in
      try transaction.merge(["Hero:0": ["name": "Luke"]])
      return try await Task {
        try await client.fetch(query: query, cachePolicy: .cacheOnly)?.data?.hero?.name
      }.value
    }
    #expect(name == "Leia", "The transaction had not ended.")
    await #expect(throws: StoreError.reentrantTransaction) {
      try await client.store.withinReadWriteTransaction { [query] _ in
        _ = try await client.fetch(query: query, cachePolicy: .cacheOnly)
      }
    }
  }

  @Test func anAwaitedCallThatDoesNotNeedTheStoreSucceeds() async throws {
    let client = ApolloClient(networkTransport: transport)
    let response = try await client.store.withinReadWriteTransaction { [query] _ in
      try await client.fetch(
        query: query, cachePolicy: .networkOnly,
        requestConfiguration: RequestConfiguration(writeResultsToCache: false))
    }
    #expect(response.data?.hero?.name == "Leia")
  }
}
