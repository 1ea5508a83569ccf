import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import Foundation

/// Reading through optimistic layers, and writing below them, against a store without layers.
let optimisticLayers: [ExperimentMaker] = [
  { try optimisticLayers("memory", { InMemoryNormalizedCache() }, $0) },
  { try optimisticLayers("SQLite", { try SQLiteNormalizedCache(fileURL: try newFile()) }, $0) },
]

private func optimisticLayers(
  _ name: String, _ makeCache: @escaping @Sendable () throws -> any NormalizedCache,
  _ data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: "friends1000.json")
  let operation = FriendsQuery()
  let plain = FilledStore(try makeCache(), layerCount: 0)
  let layered = FilledStore(try makeCache(), layerCount: 10)
  let changed = ChangedRecord()
  return Comparison(
    title: "10 layers of 10 records, \(name), friends1000.json",
    byteCount: bytes.count,
    baseline: "read without layers",
    workloads: [
      .asynchronous("read without layers") {
        let store = try await plain.value(bytes)
        keep(try await store.withinReadTransaction { try $0.read(query: operation) })
      },
      .asynchronous("read with layers") {
        let store = try await layered.value(bytes)
        keep(try await store.withinReadTransaction { try $0.read(query: operation) })
      },
      .asynchronous("write a record without layers") {
        keep(try await plain.value(bytes).publish(changed.next()))
      },
      .asynchronous("write a record below layers") {
        keep(try await layered.value(bytes).publish(changed.next()))
      },
    ])
}

/// A record that is different each time.
///
/// `@unchecked Sendable` because one workload at a time uses it.
private final class ChangedRecord: @unchecked Sendable {
  private var count: Int64 = 0

  func next() -> RecordSet {
    count += 1
    return ["Other:1": ["count": .int(count)]]
  }
}

/// A store with the records of a response and with layers above them, filled at its first use.
///
/// `@unchecked Sendable` because one workload at a time uses it.
private final class FilledStore: @unchecked Sendable {
  private let client: ApolloClient
  private let layerCount: Int
  private var isFilled = false

  init(_ cache: any NormalizedCache, layerCount: Int) {
    client = ApolloClient(networkTransport: SilentTransport(), store: ApolloStore(cache: cache))
    self.layerCount = layerCount
  }

  func value(_ bytes: Data) async throws -> ApolloStore {
    if !isFilled { try await fill(bytes) }
    isFilled = true
    return client.store
  }

  private func fill(_ bytes: Data) async throws {
    let response = try await client.store.publish(body: bytes, of: FriendsQuery())
    let ids = response.data?.hero?.friends.map(\.id) ?? []
    for layer in 0..<layerCount {
      let records = RecordSet(
        ids[(layer * 10)..<(layer * 10 + 10)].map {
          Record(key: RecordKey("Character:\($0)"), fields: ["name": .string("Layer \(layer)")])
        })
      client.perform(
        mutation: NeverEndingMutation(), optimistic: { try $0.merge(records) },
        resultHandler: nil)
      let last = records[9]
      while try await client.store.readOnlyCache.loadRecords(forKeys: [last.key])[last.key]?["name"]
        != last["name"]
      {
        await Task.yield()
      }
    }
  }
}

/// A mutation without a response, so that its layer stays.
private struct NeverEndingMutation: GraphQLMutation {
  typealias Data = FriendsQuery.Data
  static var operationName: String { "NeverEnding" }
  static var operationDocument: OperationDocument { FriendsQuery.operationDocument }
  static var __selections: GeneratedCode.Selections { FriendsQuery.__selections }
}

/// A transport without responses.
private final class SilentTransport: NetworkTransport {
  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await Task.sleep(for: .seconds(1_000_000))
    throw CancellationError()
  }
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("cache.sqlite")
}
