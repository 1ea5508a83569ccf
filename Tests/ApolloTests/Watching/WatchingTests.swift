import Apollo
import Dispatch
import LoopbackServer
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WatchingTests {
  private let query = HeroAPI.HeroQuery()
  private let rename = HeroAPI.RenameMutation(id: "1", name: "Luke Skywalker")

  private func friends(
    _ result: Result<GraphQLResponse<HeroAPI.HeroQuery>, any Error>?
  ) throws -> [String]? {
    try result?.get().data?.hero?.friends?.map(\.name)
  }

  // MARK: As a sequence

  @Test func deliversTheChangesOfAMutation() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    var updates = client.watch(query: query).makeAsyncIterator()
    #expect(try friends(await updates.next()) == ["Luke", "Leia"])
    _ = try await client.perform(mutation: rename)
    let second = await updates.next()
    #expect(try friends(second) == ["Luke Skywalker", "Leia"])
    #expect(try second?.get().source == .cache)
    #expect(server.requestCount == 2)
  }

  @Test func deliversEqualDataOnce() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "Luke"))
    _ = try await client.perform(mutation: rename)
    #expect(try friends(await updates.next()) == ["Luke Skywalker", "Leia"])
  }

  @Test func fetchesAgainWhenTheCacheWasCleared() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    var updates = client.watch(query: query).makeAsyncIterator()
    _ = await updates.next()
    _ = try await client.perform(mutation: rename)
    _ = await updates.next()
    try await client.clearCache()
    await untilCached(by: client)  // Otherwise an older response could follow the mutation's.
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "2", name: "Leia Organa"))
    #expect(try friends(await updates.next()) == ["Luke Skywalker", "Leia Organa"])
    #expect(server.requestCount == 4)
  }

  /// Returns as soon as the cache has all of the query's data.
  private func untilCached(by client: ApolloClient) async {
    for await result in client.watch(query: query, cachePolicy: .returnCacheDataDontFetch) {
      if case .success = result { return }
    }
  }

  @Test func neverUsesTheServerIfTheFirstFetchDidNot() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    var updates = client.watch(query: query, cachePolicy: .returnCacheDataDontFetch)
      .makeAsyncIterator()
    let miss = await updates.next()
    #expect(throws: CacheMissError.self) { try miss?.get() }
    _ = try await client.fetch(query: query)
    #expect(try friends(await updates.next()) == ["Luke", "Leia"])
    try await client.clearCache()
    let gone = await updates.next()
    #expect(throws: CacheMissError.self) { try gone?.get() }
    _ = try await client.fetch(query: query)
    #expect(try friends(await updates.next()) == ["Luke", "Leia"])
    _ = try await client.perform(mutation: rename)
    #expect(try friends(await updates.next()) == ["Luke Skywalker", "Leia"])
    #expect(server.requestCount == 3)
  }

  @Test func reportsMissingDataIfItMayNotRefetch() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    var updates = client.watch(query: query, refetchOnFailedUpdates: false).makeAsyncIterator()
    #expect(try friends(await updates.next()) == ["Luke", "Leia"])
    try await client.store.removeObject(for: "Hero:2")
    let gone = await updates.next()
    let error = #expect(throws: CacheMissError.self) { try gone?.get() }
    #expect(error?.misses.map(\.address.record) == ["Hero:2"])
    try await client.store.removeObject(for: "Hero:1")  // more of the same
    _ = try await client.fetch(query: query)
    #expect(try friends(await updates.next()) == ["Luke", "Leia"])
    #expect(server.requestCount == 2)
  }

  @Test func anErrorDoesNotEndTheSequence() async throws {
    let server = try LoopbackServer { request, reply in
      if request.number == 0 {
        reply.json("{}", status: 500)
      } else {
        reply.json(#"{"data":{"hero":null}}"#)
      }
    }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    var updates = client.watch(query: query).makeAsyncIterator()
    let first = await updates.next()
    #expect(throws: GraphQLHTTPResponseError.self) { try first?.get() }
    updates.watcher.refetch()
    let second = await updates.next()
    #expect(try second?.get().data != nil)
  }

  @Test func cancellingTheLoopEndsTheRequest() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let loop = Task { [query] in
      for await _ in client.watch(query: query) {}
    }
    await server.wait { $0.requests.count == 1 }
    loop.cancel()
    await loop.value
    await server.wait { $0.openConnectionCount == 0 }
    #expect(server.requests.count == 1)
  }

  // MARK: As an object

  @Test func callsBackOnTheGivenQueue() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let queue = DispatchQueue(label: "tests")
    let (names, continuation) = AsyncStream<[String]?>.makeStream()
    let watcher = client.watch(query: query, callbackQueue: queue) { result in
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield((try? result.get())?.data?.hero?.friends?.map(\.name))
    }
    var received = names.makeAsyncIterator()
    #expect(await received.next() == ["Luke", "Leia"])
    _ = try await client.perform(mutation: rename)
    #expect(await received.next() == ["Luke Skywalker", "Leia"])
    watcher.cancel()
  }

  @Test func endsWithItsLastReferenceAndClosesItsConnection() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    weak var released: GraphQLQueryWatcher<HeroAPI.HeroQuery>?
    do {
      let watcher = client.watch(query: query) { _ in Issue.record("The watcher was released.") }
      released = watcher
      await server.wait { $0.requests.count == 1 }
      withExtendedLifetime(watcher) {}
    }
    await server.wait { $0.openConnectionCount == 0 }
    #expect(released == nil)
  }

  @Test func cancellingEndsItsRequestAndItsDeliveries() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let watcher = client.watch(query: query) { _ in Issue.record("It was cancelled.") }
    await server.wait { $0.requests.count == 1 }
    watcher.cancel()
    watcher.refetch()
    await server.wait { $0.openConnectionCount == 0 }
    #expect(server.requests.count == 1)
  }

  @Test func aNewFetchReplacesTheOneInProgress() async throws {
    let server = try LoopbackServer { request, reply in
      if request.number == 0 {
        reply.waitForClientToClose()
      } else {
        reply.json(#"{"data":{"hero":null}}"#)
      }
    }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let (results, continuation) = AsyncStream<Bool>.makeStream()
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      continuation.yield((try? result.get()) != nil)
    }
    await server.wait { $0.requests.count == 1 }
    watcher.refetch()
    var received = results.makeAsyncIterator()
    #expect(await received.next() == true)
    watcher.cancel()
  }

  // MARK: One object

  @Test func deliversOneObjectWhicheverOperationFetchesIt() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let (names, continuation) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(
      fragment: HeroAPI.HeroName.self, withKey: RecordKey("Hero:1"),
      callbackQueue: DispatchQueue(label: "tests")
    ) { continuation.yield((try? $0.get())?.name) }
    var received = names.makeAsyncIterator()
    #expect(await received.next() == .some(nil))
    _ = try await client.fetch(query: query)
    #expect(await received.next() == "Luke")
    _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "2", name: "Leia Organa"))
    _ = try await client.perform(mutation: rename)
    #expect(await received.next() == "Luke Skywalker")
    try await client.clearCache()
    #expect(await received.next() == .some(nil))
    watcher.cancel()
  }

  @Test func aWatchOfAnObjectEndsWithItsLastReference() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let (handlers, continuation) = AsyncStream<Void>.makeStream()
    do {
      let handler = Witness { continuation.finish() }
      let watcher = client.watch(
        fragment: HeroAPI.HeroName.self, withKey: RecordKey("Hero:1"), callbackQueue: .global()
      ) {
        #expect((try? $0.get()) == .some(nil))
        withExtendedLifetime(handler) {}
      }
      withExtendedLifetime(watcher) {}
    }
    // A reading in progress retains the watcher until it is delivered.
    for await _ in handlers {}
    _ = try await client.fetch(query: query)
  }
}
