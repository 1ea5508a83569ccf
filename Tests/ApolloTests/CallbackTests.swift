import ApolloAPI
import ApolloTransport
import Apollo
import Dispatch
import Foundation
import LoopbackServer
import SimulatedRequests
import TestOperations
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallbackTests {
  private typealias FetchResult = Result<GraphQLResult<HeroAPI.HeroQuery.Data>, any Error>
  private let queue = DispatchQueue(label: "tests")

  /// Returns the first `count` results that a fetch delivers.
  private func results(
    _ client: ApolloClient, _ policy: CachePolicy, count: Int = 1
  ) async -> [FetchResult] {
    let (stream, continuation) = AsyncStream<FetchResult>.makeStream()
    client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: policy, queue: queue) { [queue] in
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield($0)
    }
    return await stream.prefix(count).reduce(into: []) { $0.append($1) }
  }

  private func sources(_ results: [FetchResult]) throws -> [ResultSource] {
    try results.map { try $0.get().source }
  }

  @Test func eachPolicyUsesItsSources() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let miss = await results(client, .returnCacheDataDontFetch)
    #expect(throws: CacheMissError.self) { try sources(miss) }
    #expect(try sources(await results(client, .fetchIgnoringCacheCompletely)) == [.server])
    let missAgain = await results(client, .returnCacheDataDontFetch)
    #expect(throws: CacheMissError.self) { try sources(missAgain) }
    #expect(try sources(await results(client, .returnCacheDataElseFetch)) == [.server])
    #expect(try sources(await results(client, .returnCacheDataElseFetch)) == [.cache])
    #expect(try sources(await results(client, .fetchIgnoringCacheData)) == [.server])
    #expect(
      try sources(await results(client, .returnCacheDataAndFetch, count: 2)) == [.cache, .server])
    #expect(try sources(await results(client, .returnCacheDataDontFetch)) == [.cache])
    #expect(server.requestCount == 4)
  }

  @Test func performsAMutationAndCallsBackOnce() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let name: String? = try await withCheckedThrowingContinuation { continuation in
      client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "x"), queue: queue) {
        continuation.resume(with: $0.map { $0.data?.rename?.name })
      }
    }
    #expect(name == "x")
  }

  @Test func aCacheWriteHasTheIdentifierOfItsCall() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let identifier = UUID()
    let origins = Lock<[UUID?]>([])
    let subscription = client.store.subscribe { change in
      origins.withLock { $0.append(change.origin?.identifier) }
    }
    await withCheckedContinuation { continuation in
      client.fetch(query: HeroAPI.HeroQuery(), contextIdentifier: identifier, queue: queue) { _ in
        continuation.resume()
      }
    }
    #expect(origins.get() == [identifier])
    withExtendedLifetime(subscription) {}
  }

  @Test func aFetchWithoutAnyResponseFails() async throws {
    let client = ApolloClient(networkTransport: StreamingTransport { _ in [] })
    let result = await results(client, .fetchIgnoringCacheData)
    let error = #expect(throws: ApolloClientError.self) { try sources(result) }
    #expect(error?.code == .noResponse)
    #expect(error?.operationName == "Hero")
  }

  @Test func aMutationNeedsNoHandler() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "x"), resultHandler: nil)
    await server.server.wait { $0.requests.count == 1 }
    let request = try #require(server.server.requests.first)
    #expect(request.bodyText.contains("mutation"))
  }

  @Test func aCancelledCallEndsInACancellationError() async throws {
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let (results, continuation) = AsyncStream<FetchResult>.makeStream()
    let call = client.fetch(query: HeroAPI.HeroQuery(), queue: queue) { continuation.yield($0) }
    await server.wait { $0.requests.count == 1 }
    call.cancel()
    call.cancel()
    let result = await results.first { _ in true }
    #expect(throws: CancellationError.self) { try result?.get() }
    await server.wait { $0.openConnectionCount == 0 }
  }

  /// The end of a call while its first result waits for its queue.
  enum EarlyEnd: CaseIterable { case cancellation, session }

  @Test(arguments: EarlyEnd.allCases)
  func aCancellationErrorTakesThePlaceOfResultsThatWaitForTheirQueue(end: EarlyEnd) async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let earlier = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    await server.call(0).end(HeroBody.hero("old"))
    _ = try await earlier.value
    let queue = DispatchQueue(label: "results")
    queue.suspend()
    let outcomes = Lock<[String]>([])
    weak var handler: Signal?
    let call: any Cancellable
    do {
      let owned = Signal()
      handler = owned
      call = client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .returnCacheDataAndFetch, queue: queue
      ) { result in
        let outcome =
          switch result {
          case .success(let result): result.data?.hero?.name ?? "nothing"
          case .failure(let error): "\(type(of: error))"
          }
        outcomes.withLock { $0.append(outcome) }
        withExtendedLifetime(owned) {}
      }
    }
    // The server is asked when the result of the cache has been put into the queue.
    _ = await server.call(1)
    switch end {
    case .cancellation: call.cancel()
    case .session: try await client.endSession()
    }
    queue.resume()
    // A call that has ended has released its handler.
    await until { handler == nil }
    #expect(outcomes.get() == ["CancellationError"])
  }

  @Test func aCallOutlivesItsClient() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    weak var released: ApolloClient?
    let result: FetchResult = await withCheckedContinuation { continuation in
      let client = ApolloClient.patient(url: server.url)
      released = client
      client.fetch(query: HeroAPI.HeroQuery(), queue: queue) { continuation.resume(returning: $0) }
    }
    #expect(try sources([result]) == [.server])
    await server.server.wait { $0.openConnectionCount == 0 }
    // The task of the call may still be about to end.
    while released != nil { await Task.yield() }
  }

  @Test func aHandlerThatBlocksDelaysNoOtherCall() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let (isBlocked, mayEnd, hasEnded) = (Signal(), Signal(), Signal())
    client.fetch(query: HeroAPI.HeroQuery(), queue: queue) { _ in
      isBlocked.fire()
      mayEnd.block()
      hasEnded.fire()
    }
    await isBlocked.wait()
    #expect(
      try await client.fetch(query: HeroAPI.HeroQuery(), cachePolicy: .networkOnly).data != nil)
    let other = DispatchQueue(label: "others")
    let _: Void = await withCheckedContinuation { continuation in
      client.fetch(query: HeroAPI.HeroQuery(), queue: other) { _ in continuation.resume() }
    }
    mayEnd.fire()
    await hasEnded.wait()
  }

  @Test func aHandlerMayUseTheClient() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    let results: [FetchResult] = await withCheckedContinuation { continuation in
      client.fetch(query: HeroAPI.HeroQuery(), queue: queue) { [queue] first in
        client.clearCache(callbackQueue: queue) { _ in
          let call = client.fetch(query: HeroAPI.HeroQuery(), queue: queue) { second in
            continuation.resume(returning: [first, second])
          }
          _ = call
        }
      }
    }
    #expect(try sources(results) == [.server, .server])
  }

  @Test func clearsTheCache() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = await results(client, .default)
    try await withCheckedThrowingContinuation { continuation in
      client.clearCache(callbackQueue: queue) { continuation.resume(with: $0) }
    }
    let miss = await results(client, .returnCacheDataDontFetch)
    #expect(throws: CacheMissError.self) { try sources(miss) }
  }

  enum Clearing: CaseIterable { case callback, method, endOfSession }

  private func clear(_ client: ApolloClient, by clearing: Clearing) async throws {
    switch clearing {
    case .callback:
      try await withCheckedThrowingContinuation { continuation in
        client.clearCache(callbackQueue: queue) { continuation.resume(with: $0) }
      }
    case .method: try await client.clearCache()
    case .endOfSession: try await client.endSession()
    }
  }

  /// Returns a record when the writes of the calls before have ended.
  private func record(_ key: RecordKey, in store: ApolloStore) async throws -> Record? {
    try await withCheckedThrowingContinuation { continuation in
      store.withinReadTransaction(
        { try $0.record(for: key) }, completion: { continuation.resume(with: $0) })
    }
  }

  /// Otherwise the next user would find what was to be written for the former one.
  @Test(arguments: Clearing.allCases)
  func aClearingRemovesWhatEarlierCallsWrite(clearing: Clearing) async throws {
    let client = ApolloClient(networkTransport: HeldTransport())
    for number in 1...200 {
      client.store.publish(records: ["A": ["n": .int(Int64(number))]], completion: nil)
    }
    try await clear(client, by: clearing)
    #expect(try await record("A", in: client.store) == nil)
  }

  @Test(arguments: Clearing.allCases)
  func theHandlerOfAWriteMayClearTheCache(clearing: Clearing) async throws {
    let client = ApolloClient(networkTransport: HeldTransport())
    let isCleared = Signal()
    client.store.publish(records: ["A": ["n": 1]]) { _ in
      Task {
        await #expect(throws: Never.self) { try await clear(client, by: clearing) }
        isCleared.fire()
      }
    }
    await isCleared.wait()
    #expect(try await record("A", in: client.store) == nil)
  }

  @Test func theEndOfASessionStopsRequestsBeforeItWaitsForWrites() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let call = Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
    _ = await server.call(0)
    let (hasBegun, mayEnd) = (Signal(), Signal())
    let transaction = Task {
      try await client.store.withinReadWriteTransaction { _ in
        hasBegun.fire()
        await mayEnd.wait()
      }
    }
    await hasBegun.wait()
    client.store.publish(records: ["A": ["n": 1]], completion: nil)
    let end = Task { try await client.endSession() }
    await #expect(throws: CancellationError.self) { try await call.value }
    mayEnd.fire()
    try await transaction.value
    try await end.value
    #expect(try await record("A", in: client.store) == nil)
  }
}
