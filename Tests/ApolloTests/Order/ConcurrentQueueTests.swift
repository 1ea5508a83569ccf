import Apollo
import ApolloAPI
import Dispatch
import SimulatedRequests
import TestOperations
import Testing

/// Results arrive in order and one at a time, on any queue.
@Suite(.timeLimit(.minutes(10)))
struct ConcurrentQueueTests {
  /// A handler that notes whether it runs twice at a time.
  private final class Handler: Sendable {
    private struct State {
      var values: [Int] = []
      var runningCount = 0
      var mostRunning = 0
    }
    private let state = Lock(State())

    func handle(_ value: Int) {
      state.withLock { state in
        state.runningCount += 1
        state.mostRunning = max(state.mostRunning, state.runningCount)
      }
      // Some results take longer than others.
      var sum = 0
      for number in 0..<(value % 7 == 3 ? 20_000 : 10) { sum &+= number }
      state.withLock { state in
        state.values.append(sum == -1 ? -1 : value)
        state.runningCount -= 1
      }
    }

    var values: [Int] { state.withLock { $0.values } }
    var mostRunning: Int { state.withLock { $0.mostRunning } }
  }

  private static func value(_ result: Result<GraphQLResult<HeroAPI.HeroQuery.Data>, any Error>)
    -> Int
  {
    Int((try? result.get())?.data?.hero?.name ?? "") ?? -1
  }

  @Test func aWatchDeliversInOrder() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    let handler = Handler()
    let watcher = client.watch(query: HeroAPI.HeroQuery(), callbackQueue: .global()) {
      handler.handle(Self.value($0))
    }
    await server.call(0).end(HeroBody.hero("0"))
    for value in 1...200 {
      try await client.store.publish(["Hero:1": ["name": .string("\(value)")]])
    }
    await until { handler.values.last == 200 }
    #expect(handler.values == handler.values.sorted())
    #expect(handler.mostRunning == 1)
    watcher.cancel()
  }

  @Test func aWatchOfAFragmentDeliversInOrder() async throws {
    let client = ApolloClient(networkTransport: OrderServer())
    try await client.store.publish(["Hero:1": ["__typename": "Hero", "name": "0"]])
    let handler = Handler()
    let watcher = client.watch(
      fragment: HeroAPI.EditableName.self, withKey: "Hero:1", callbackQueue: .global()
    ) { result in
      handler.handle(Int((try? result.get())?.name ?? "") ?? -1)
    }
    await until { handler.values == [0] }
    for value in 1...200 {
      try await client.store.publish(["Hero:1": ["name": .string("\(value)")]])
    }
    await until { handler.values.last == 200 }
    #expect(handler.values == handler.values.sorted())
    #expect(handler.mostRunning == 1)
    watcher.cancel()
  }

  @Test func aCallDeliversTheCachedResultFirst() async throws {
    let server = OrderServer()
    let client = ApolloClient(networkTransport: server)
    for number in 0..<100 {
      let (old, new) = (10 * number + 3, 10 * number + 4)  // the first one may take long
      try await client.store.publish([
        "QUERY_ROOT": ["hero": .reference("Hero:1")],
        "Hero:1": [
          "__typename": "Hero", "id": "1", "name": .string("\(old)"), "friends": .null,
        ],
      ])
      let handler = Handler()
      client.fetch(
        query: HeroAPI.HeroQuery(), cachePolicy: .returnCacheDataAndFetch, queue: .global()
      ) {
        handler.handle(Self.value($0))
      }
      await server.call(number).end(HeroBody.hero("\(new)"))
      await until { handler.values.count == 2 }
      #expect(handler.values == [old, new])
      #expect(handler.mostRunning == 1)
    }
  }
}
