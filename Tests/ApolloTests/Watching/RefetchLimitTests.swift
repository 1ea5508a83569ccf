import Apollo
import ApolloAPI
import ApolloCache
import Dispatch
import TestOperations
import Testing

/// The number of consecutive fetches after which a watcher gives up.
@Suite(.timeLimit(.minutes(10)))
struct RefetchLimitTests {
  private enum Event: Equatable {
    case request(Int)
    case data
    case miss
  }

  /// An eviction that ten fetches led to is reported. One after fewer fetches is fetched again.
  @Test(arguments: [0, 1, 8, 9, 10, 11])
  func aWatcherFetchesAgainUnlessTenFetchesLedToTheEviction(refetchCount: Int) async throws {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    var events = stream.makeAsyncIterator()
    let transport = ScriptedTransport { _, number in
      continuation.yield(.request(number))
      return #"{"data":{"hero":{"__typename":"Hero","id":"0","name":"R2-D2","friends":null}}}"#
    }
    let client = ApolloClient(networkTransport: transport)
    let watcher = client.watch(
      query: HeroAPI.HeroQuery(), callbackQueue: DispatchQueue(label: "tests")
    ) { result in
      switch result {
      case .success: continuation.yield(.data)
      case .failure(let error): if error is CacheMissError { continuation.yield(.miss) }
      }
    }
    #expect(await events.next() == .request(0))
    #expect(await events.next() == .data)
    try await client.store.withinReadWriteTransaction(
      origin: ChangeOrigin().after(refetchCount: refetchCount)
    ) { try $0.removeObject(for: "Hero:0") }
    #expect(await events.next() == (refetchCount < 10 ? .request(1) : .miss))
    withExtendedLifetime(watcher) {}
  }
}
