import ApolloAPI
import Apollo
import ApolloTransport
import Dispatch
import Foundation
import LoopbackServer
import SeededRandom
import TestOperations
import Testing

/// Many calls and watches at once, in random order. Also useful under ThreadSanitizer.
@Suite(.timeLimit(.minutes(10)))
struct StressTests {
  private let query = HeroAPI.HeroQuery()

  @Test func aThousandConcurrentFetchesFinish() async throws {
    let server = try LoopbackServer { request, reply in
      reply.json(#"{"data":{"hero":null}}"#)
    }
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url())
    let count = try await withThrowingTaskGroup(of: ResultSource.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          let query = HeroAPI.HeroQuery(name: .some("hero \(index)"))
          return try await client.fetch(query: query).source
        }
      }
      return try await group.reduce(into: 0) { count, source in count += source == .server ? 1 : 0 }
    }
    #expect(count == 1_000)
    #expect(server.requests.count == 1_000)
  }

  /// Cancels many calls, each after a random number of yields, while the server responds in chunks.
  @Test func everyCancelledFetchEndsOnceAndClosesItsConnection() async throws {
    let seed = UInt64.random(in: .min ... .max)
    let server = try LoopbackServer { request, reply in
      reply.beginChunks()
      for piece in [#"{"data":"#, #"{"hero":"#, "null", "}", "}"] { reply.chunk(piece) }
      reply.endChunks()
    }
    defer { server.stop() }
    var random = SeededGenerator(seed: seed)
    do {
      let client = ApolloClient.patient(url: server.url())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          let turns = Int.random(in: 0..<400, using: &random)
          group.addTask {
            let query = HeroAPI.HeroQuery(name: .some("hero \(index)"))
            let call = Task { try await client.fetch(query: query) }
            for _ in 0..<turns { await Task.yield() }
            call.cancel()
            let result = await call.result
            if case .failure(let error) = result {
              #expect(error is CancellationError, "seed \(seed)")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await client.fetch(query: query).data != nil, "seed \(seed)")
    }
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func everyHandlerIsCalledOnceWhenTheClientIsReleased() async throws {
    let server = try LoopbackServer { _, reply in reply.json(#"{"data":{"hero":null}}"#) }
    defer { server.stop() }
    let calls = Lock<[Int: Int]>([:])
    let group = DispatchGroup()
    do {
      let client = ApolloClient.patient(url: server.url())
      for index in 0..<200 {
        group.enter()
        let call = client.fetch(
          query: HeroAPI.HeroQuery(name: .some("hero \(index)")), queue: .global()
        ) { _ in
          calls.withLock { $0[index, default: 0] += 1 }
          group.leave()
        }
        if index.isMultiple(of: 3) { call.cancel() }
        if index.isMultiple(of: 6) { call.cancel() }
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(calls.get().count == 200)
    #expect(calls.get().values.allSatisfy { $0 == 1 })
    await server.wait { $0.openConnectionCount == 0 }
  }

  @Test func releasedClientsReleaseTheirTransportsAndStores() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    for _ in 0..<100 {
      weak var released: HTTPNetworkTransport?
      weak var releasedStore: ApolloStore?
      do {
        let transport = HTTPNetworkTransport(url: server.url, client: .patient)
        let client = ApolloClient(networkTransport: transport)
        released = transport
        releasedStore = client.store
        _ = try await client.fetch(query: query)
      }
      #expect(released == nil)
      #expect(releasedStore == nil)
    }
    await server.server.wait { $0.acceptedCount == 100 && $0.openConnectionCount == 0 }
  }

  /// Starts and cancels many watchers while four tasks rename a hero. Every remaining watcher
  /// delivers the last name.
  @Test func everyWatcherDeliversTheLastChange() async throws {
    let server = try HeroServer()
    defer { server.stop() }
    let client = ApolloClient.patient(url: server.url)
    _ = try await client.fetch(query: query)
    let names = Lock<[Int: String]>([:])
    let changed = Lock<Signal>(Signal())
    let queue = DispatchQueue(label: "tests")  // a serial one, so that the last call is the last
    let watchers = (0..<20).map { index in
      client.watch(query: query, callbackQueue: queue) { result in
        let name = (try? result.get())?.data?.hero?.friends?.first?.name ?? "no name"
        names.withLock { $0[index] = name }
        changed.get().fire()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<25 {
            let mutation = HeroAPI.RenameMutation(id: "1", name: "name \(writer).\(round)")
            _ = try await client.perform(mutation: mutation)
          }
        }
      }
      group.addTask { [query] in
        for _ in 0..<100 {
          let watcher = client.watch(query: query, callbackQueue: .global()) { _ in }
          await Task.yield()
          watcher.cancel()
        }
      }
      try await group.waitForAll()
    }
    _ = try await client.perform(mutation: HeroAPI.RenameMutation(id: "1", name: "the last"))
    while true {
      let signal = Signal()
      changed.withLock { $0 = signal }
      if names.withLock({ $0.values.filter { $0 == "the last" }.count }) == watchers.count { break }
      await signal.wait()
    }
    #expect(Set(names.get().values) == ["the last"])
  }
}
