import Apollo
import ApolloAPI
import ApolloCache
import BenchmarkAPI
import Dispatch
import Foundation

/// Watchers as programs use them: `client.watch`, with handlers on a queue.
let clientWatching: [ExperimentMaker] = [
  { _ in clientWatching(count: 1_000) }
]

private func clientWatching(count: Int) -> Comparison {
  let ids = (0..<count).map { "own-\($0)" }
  let nobody = WatchedClient(of: ids, watching: [])
  let each = WatchedClient(of: ids, watching: ids)
  let all = WatchedClient(of: ids, watching: Array(repeating: "shared", count: count))
  let new = WatchedClient(of: ids, watching: [])
  return Comparison(
    title: "A write, \(count) times client.watch",
    baseline: "no watchers at all",
    workloads: [
      .asynchronous("no watchers at all") { try await nobody.write("own-7", handlerCount: 0) },
      .asynchronous("one handler") { try await each.write("own-7", handlerCount: 1) },
      .asynchronous("all handlers, of the same query") {
        try await all.write("shared", handlerCount: count)
      },
      .asynchronous("set up and end all watches") { try await new.watchAndCancel(ids) },
    ])
}

/// A client with watches whose first data comes from the cache.
///
/// `@unchecked Sendable` because one workload at a time uses it, and the count of handler calls is
/// touched on its queue only.
private final class WatchedClient: @unchecked Sendable {
  // Nothing listens on this port, so every response comes from the cache.
  private let client = ApolloClient(
    networkTransport: HTTPNetworkTransport(url: URL(string: "http://127.0.0.1:9/")!))  // valid
  private let queue = DispatchQueue(label: "handlers")
  private let records: [String]
  private let ids: [String]
  private var watchers: [GraphQLQueryWatcher<CharacterQuery>] = []
  private var number = 0
  /// The number of calls of handlers to wait for, and the continuation that waits.
  private var missing = 0
  private var waiting: CheckedContinuation<Void, Never>?

  init(of records: [String], watching ids: [String]) {
    self.records = records
    self.ids = ids
  }

  /// Changes a record, and waits until this number of handlers has been called.
  func write(_ id: String, handlerCount: Int) async throws {
    try await prepare()
    try await publish(id)
    await handlers(handlerCount)
  }

  /// Starts a watch of each record, waits for the first data of all, and ends them.
  func watchAndCancel(_ ids: [String]) async throws {
    try await prepare()
    watchers = ids.map(watch)
    await handlers(ids.count)
    for watcher in watchers { watcher.cancel() }
    watchers = []
  }

  private func prepare() async throws {
    guard number == 0 else { return }
    for id in Set(ids + records) { try await publish(id) }
    watchers = ids.map(watch)
    await handlers(ids.count)
  }

  private func watch(_ id: String) -> GraphQLQueryWatcher<CharacterQuery> {
    client.watch(
      query: CharacterQuery(id: id), cachePolicy: .cacheOnly, callbackQueue: queue
    ) { [unowned self] _ in
      missing -= 1
      resumeIfComplete()
    }
  }

  private func handlers(_ count: Int) async {
    guard count > 0 else { return }
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        missing += count
        waiting = continuation
        resumeIfComplete()
      }
    }
  }

  private func resumeIfComplete() {
    guard missing == 0 else { return }
    waiting?.resume()
    waiting = nil
  }

  private func publish(_ id: String) async throws {
    number += 1
    let body =
      #"{"data":{"character":{"__typename":"Character","id":"\#(id)","name":"Luke","age":\#(number)}}}"#
    try await client.store.publish(body: Data(body.utf8), of: CharacterQuery(id: id))
  }
}
