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

  /// It does not depend on chance, that is on whether the transaction ends before the task begins.
  @Test(arguments: CacheKind.allCases.filter { $0 != .usersOwn })
  func eachTaskOfATransactionMayRead(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let store = ApolloStore(cache: cache)
    try await store.publish([
      "QUERY_ROOT": ["hero": .reference("Hero:0")],
      "Hero:0": ["__typename": "Hero", "id": "0", "name": "0", "friends": .null],
    ])
    var tasks: [Task<String?, any Error>] = []
    for number in 1...200 {
      let task = try await store.withinReadWriteTransaction { [query] transaction in
        try transaction.merge(["Hero:0": ["name": .string("\(number)")]])
        return Task { try await store.load(query).data?.hero?.name }
      }
      tasks.append(task)
    }
    for (index, task) in tasks.enumerated() {
      let name = try await task.value.flatMap { Int($0) }
      #expect(name.map { $0 >= index } == true, "before its transaction, or later")
    }
    withExtendedLifetime(owner) {}
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
