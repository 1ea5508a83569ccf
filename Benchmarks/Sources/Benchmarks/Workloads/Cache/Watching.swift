import ApolloAPI
import ApolloCache
import BenchmarkAPI
import struct Foundation.Data

/// The time from a write until the last of many watchers has been notified and has read again.
let watching: [ExperimentMaker] = [
  { _ in watching(count: 1_000) },
  { _ in watching(count: 10_000) },
]

private func watching(count: Int) -> Comparison {
  let ids = (0..<count).map { "own-\($0)" }
  let nobody = WatchedStore(of: ids, watching: [])
  let each = WatchedStore(watching: ids)
  let all = WatchedStore(watching: Array(repeating: "shared", count: count))
  return Comparison(
    title: "A write, \(count) watchers",
    baseline: "no watchers at all",
    workloads: [
      .asynchronous("no watchers at all") { try await nobody.write("elsewhere") },
      .asynchronous("nobody watches what changes") { try await each.write("elsewhere") },
      .asynchronous("one watches what changes") { try await each.write("own-7") },
      .asynchronous("all watch what changes") { try await all.write("shared") },
    ])
}

/// A store with watchers, each of which watches one character and reads it again after a
/// change.
///
/// `@unchecked Sendable` because one workload at a time uses it, and `told` is filled on the
/// writer's thread.
private final class WatchedStore: @unchecked Sendable {
  private let store = ApolloStore()
  /// The keys that each watcher depends on.
  private let ids: [String]
  /// The records of the store, watched or not, so that all stores have the same size.
  private let records: [String]
  private var isPrepared = false
  private var watches: [StoreWatch] = []
  private var told: [Int] = []
  private var number = 0

  init(of records: [String] = [], watching ids: [String]) {
    self.ids = ids
    self.records = records
  }

  private func prepare() async throws {
    isPrepared = true
    for id in Set(ids + records) { try await publish(id) }
    for index in ids.indices {
      let watch = store.watch { [unowned self] _ in told.append(index) }
      watches.append(watch)
      try await readAgain(index)
    }
  }

  private func readAgain(_ index: Int) async throws {
    let reading = try await store.load(CharacterQuery(id: ids[index]))
    guard reading.data != nil, watches[index].depend(on: reading.trace) else {
      throw reading.misses[0]
    }
  }

  private func publish(_ id: String) async throws {
    number += 1
    let body =
      #"{"data":{"character":{"__typename":"Character","id":"\#(id)","name":"Luke","age":\#(number)}}}"#
    try await store.publish(body: Foundation.Data(body.utf8), of: CharacterQuery(id: id))
  }

  func write(_ id: String) async throws {
    if !isPrepared { try await prepare() }
    try await publish(id)
    for index in told { try await readAgain(index) }
    told.removeAll(keepingCapacity: true)
  }
}

/// `query($id: ID!) { character(id: $id) { id name age } }`, in the shape of generated code.
struct CharacterQuery: GraphQLQuery {
  static let operationName = "Character"
  static let operationDocument = OperationDocument(definition: .init("query"))
  static let __selections = GeneratedCode.Selections(
    #"Query {character(id:$id) Character {__typename String! id ID! name String! age Int}}"#)

  var id: String
  var __variables: Variables? { ["id": id] }

  struct Data: BenchmarkAPI.SelectionSet {
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = CharacterQuery.__selections[0]
  }
}
