import Apollo
import ApolloAPI
import LoopbackServer
import TestOperations
import Testing

/// The requests that a watch sends by itself.
@Suite(.timeLimit(.minutes(10)))
struct WatchRequestsTests {
  private let query = HeroAPI.HeroQuery()

  private static func response(name: String) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"\#(name)","friends":null}}}"#
  }

  @Test func refetchesKeepTheHeadersAndTheTimeLimit() async throws {
    let requests = Lock<[OperationRequest]>([])
    let transport = ScriptedTransport { request, number in
      requests.withLock { $0.append(request) }
      return Self.response(name: "R\(number)")
    }
    let client = ApolloClient(networkTransport: transport)
    let configuration = RequestConfiguration(
      requestTimeout: .seconds(77), additionalHeaders: ["X-Trace": "7"])
    for behavior in [FetchBehavior.networkOnly, .cacheFirst] {
      var updates = client.watch(
        query: query, fetchBehavior: behavior, requestConfiguration: configuration
      ).makeAsyncIterator()
      _ = await updates.next()
      try await client.store.removeObject(for: "Hero:0")
      _ = await updates.next()
      updates.watcher.refetch()
      _ = await updates.next()
    }
    let sent = requests.get()
    #expect(sent.count == 5, "The second watch finds its first data in the cache.")
    for request in sent {
      #expect(request.additionalHeaders["X-Trace"] == "7")
      #expect(request.timeout == .seconds(77))
    }
  }

  /// Fires a signal when a number of calls have joined the requests of others.
  private struct JoinedCalls: CallEventObserver {
    let expectedCount: Int
    let signal: Signal
    private let count = Lock(0)

    init(_ expectedCount: Int, signal: Signal) {
      self.expectedCount = expectedCount
      self.signal = signal
    }

    func observe(_ event: CallEvent) {
      guard case .joined = event.kind else { return }
      let count = self.count.withLock { count in
        count += 1
        return count
      }
      if count == expectedCount { signal.fire() }
    }
  }

  @Test func equalRefetchesOfManyWatchesAreOneRequest() async throws {
    let watchCount = 50
    let allJoined = Signal()
    let server = ScriptedTransport { _, number in
      if number > 0 { await allJoined.wait() }
      return Self.response(name: "R\(number)")
    }
    let client = ApolloClient(
      networkTransport: DeduplicatingNetworkTransport(server), store: ApolloStore(),
      observers: [JoinedCalls(watchCount - 1, signal: allJoined)])
    _ = try await client.fetch(query: query)
    var watches: [QueryUpdates<HeroAPI.HeroQuery>.Iterator] = []
    for _ in 0..<watchCount {
      var updates = client.watch(query: query).makeAsyncIterator()
      #expect(try await updates.next()?.get().data?.hero?.name == "R0")
      watches.append(updates)
    }
    try await client.store.removeObject(for: "Hero:0")
    for index in watches.indices {
      #expect(try await watches[index].next()?.get().data?.hero?.name == "R1")
    }
    #expect(server.requestCount == 2)
  }

  @Test func aWatchNeverGoesBackAfterAFailedWrite() async throws {
    let cache = UsersOwnCache()
    let transport = ScriptedTransport { _, number in Self.response(name: "R\(number)") }
    let client = ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
    var updates = client.watch(query: query).makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.hero?.name == "R0")
    cache.breakDown(reading: false, writing: true)
    updates.watcher.refetch()
    #expect(try await updates.next()?.get().data?.hero?.name == "R1")
    cache.breakDown(reading: false, writing: false)
    try await client.store.publish(["Hero:0": ["friends": []]])
    #expect(try await updates.next()?.get().data?.hero?.name == "R2", "never R0 again")
    #expect(transport.requestCount == 3)
    try await client.store.publish(["Hero:0": ["name": "Rey"]])
    #expect(try await updates.next()?.get().data?.hero?.name == "Rey")
  }
}
