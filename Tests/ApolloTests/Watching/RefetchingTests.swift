import Apollo
import Dispatch
import LoopbackServer
import TestOperations
import Testing

/// Watches whose fetches fail, or are in progress while the cache changes.
@Suite(.timeLimit(.minutes(10)))
struct RefetchingTests {
  private struct Unreachable: Error {}

  private let query = HeroAPI.HeroQuery()

  private static func response(name: String) -> String {
    #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"\#(name)","friends":null}}}"#
  }

  private func client(
    _ transport: ScriptedTransport, _ cache: any NormalizedCache
  ) -> ApolloClient {
    ApolloClient(networkTransport: transport, store: ApolloStore(cache: cache))
  }

  @Test(arguments: CacheKind.allCases)
  func deliversEqualDataAgainAfterAnError(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = ScriptedTransport { _, number in
      guard number.isMultiple(of: 2) else { throw Unreachable() }
      return Self.response(name: "R2-D2")
    }
    var updates = client(transport, cache).watch(query: query).makeAsyncIterator()
    for _ in 0..<3 {
      let data = await updates.next()
      #expect(try data?.get().data?.hero?.name == "R2-D2")
      updates.watcher.refetch()
      let problem = await updates.next()
      #expect(throws: Unreachable.self) { try problem?.get() }
      updates.watcher.refetch()
    }
    withExtendedLifetime(owner) {}
  }

  /// The program fetches again as soon as the cache has the response, before it is delivered.
  @Test(arguments: CacheKind.allCases)
  func whatAReplacedFetchHasWrittenIsDelivered(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let transport = ScriptedTransport { _, number in
      if number == 2 { throw Unreachable() }
      return Self.response(name: number == 0 ? "R2" : "R2-D2")
    }
    let client = client(transport, cache)
    // A sequence keeps the newest result only, which may be the error.
    let (results, delivered) = AsyncStream<String?>.makeStream()
    let watcher = client.watch(query: query, callbackQueue: .global()) { result in
      delivered.yield((try? result.get())?.data?.hero?.name)
    }
    var updates = results.makeAsyncIterator()
    #expect(await updates.next() == "R2")
    let isReplaced = Lock(false)
    let subscription = client.store.subscribe { _ in
      if !isReplaced.exchange(true) { watcher.refetch() }
    }
    watcher.refetch()
    var names: [String?] = []
    while !names.contains("R2-D2") {
      names.append(try #require(await updates.next()))
    }
    #expect(names == ["R2-D2"] || names == [nil, "R2-D2"], "nil is the error.")
    watcher.cancel()
    withExtendedLifetime(subscription) {}
    withExtendedLifetime(owner) {}
  }

  /// The server may have read the object before it was removed, so the watch fetches once more.
  @Test(arguments: CacheKind.allCases)
  func aFetchInProgressDoesNotBringBackWhatWasRemoved(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    let begun = Signal(), wanted = Signal()
    let transport = ScriptedTransport { _, number in
      if number == 1 {
        begun.fire()
        await wanted.wait()
      }
      return Self.response(name: number == 0 ? "R2" : "R2-D2")
    }
    let client = client(transport, cache)
    var updates = client.watch(query: query).makeAsyncIterator()
    #expect(try await updates.next()?.get().data?.hero?.name == "R2")
    var others = client.watch(query: query, refetchOnFailedUpdates: false).makeAsyncIterator()
    #expect(try await others.next()?.get().data?.hero?.name == "R2")

    updates.watcher.refetch()
    await begun.wait()
    try await client.store.removeObject(for: "Hero:0")
    let gone = await others.next()
    #expect(throws: CacheMissError.self) { try gone?.get() }
    wanted.fire()
    #expect(try await updates.next()?.get().data?.hero?.name == "R2-D2")
    #expect(transport.requestCount == 3)
    withExtendedLifetime(owner) {}
  }
}
