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
  let plain = FilledStore(ApolloStore(cache: try makeCache()))
  let layered = LayeredStore(ApolloStore(cache: try makeCache()))
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
private final class ChangedRecord: Sendable {
  private let count = Lock<Int64>(0)

  func next() -> RecordSet {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return ["Other:1": ["count": .int(number)]]
  }
}

/// A store with the records of a response, filled at its first use.
private final class FilledStore: Sendable {
  private let store: ApolloStore
  private let isFilled = Lock(false)

  init(_ store: ApolloStore) { self.store = store }

  func value(_ bytes: Data) async throws -> ApolloStore {
    if !isFilled.exchange(true) { try await store.fill(bytes) }
    return store
  }
}

/// A store with layers over the records of a response, filled at its first use.
private final class LayeredStore: Sendable {
  private let store: ApolloStore

  init(_ store: ApolloStore) { self.store = store }

  func value(_ bytes: Data) async throws -> ApolloStore {
    guard store.layers.isEmpty else { return store }
    let keys = try await store.fill(bytes)
    for layer in 0..<10 {
      let records = RecordSet(
        keys.dropFirst(layer * 10).prefix(10).map {
          Record(key: $0, fields: ["name": .string("Layer \(layer)")])
        })
      try await store.showLayer(store.layers.reserve()) { try $0.merge(records) }
    }
    return store
  }
}

extension ApolloStore {
  /// Writes a response. Returns the keys of its records.
  @discardableResult
  fileprivate func fill(_ bytes: Data) async throws -> [RecordKey] {
    let keys = Lock<Set<RecordKey>>([])
    let watch = subscribe { change in keys.withLock { $0.formUnion(change.changes.records) } }
    try await publish(body: bytes, of: FriendsQuery())
    watch.cancel()
    return keys.get().filter { $0 != .queryRoot }.sorted()
  }
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("cache.sqlite")
}
