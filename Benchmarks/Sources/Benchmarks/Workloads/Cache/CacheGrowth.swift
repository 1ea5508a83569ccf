import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import CAllocationCounter
import Foundation

/// Writing and reading one query in caches of growing size, and the size of each record.
let cacheGrowth: [ExperimentMaker] = [
  { _ in
    growingCache(title: "A write and a read in memory, of many records") { _ in
      InMemoryNormalizedCache()
    }
  },
  { _ in
    growingCache(title: "A write and a read on disk, of many records") { _ in
      try diskCache().cache
    }
  },
  { _ in RecordSizes() },
]

private let sizes = [1_000, 10_000, 100_000, 1_000_000]

private func growingCache(
  title: String, _ make: @escaping (Int) throws -> any NormalizedCache
) -> Comparison {
  let stores = sizes.map { count in
    Lazy {
      let cache = try make(count)
      try fill(cache, count: count)
      return GrownStore(ApolloStore(cache: cache))
    }
  }
  return Comparison(
    title: title,
    baseline: "write, 1000 records",
    workloads: zip(sizes, stores).flatMap { size, store in
      [
        .asynchronous("write, \(size) records") { try await store.value().write() },
        .asynchronous("read, \(size) records") { try await store.value().read() },
      ]
    })
}

private func diskCache() throws -> (cache: SQLiteNormalizedCache, file: URL) {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let file = folder.appendingPathComponent("cache.sqlite")
  return (try SQLiteNormalizedCache(fileURL: file), file)
}

/// Records of four fields, ten thousand in a transaction.
private func fill(_ cache: any NormalizedCache, count: Int) throws {
  for start in stride(from: 0, to: count, by: 10_000) {
    let records = (start..<min(start + 10_000, count)).map { number in
      Record(
        key: RecordKey("Character:c\(number)"),
        fields: [
          "__typename": "Character", "id": .string("c\(number)"), "name": "Somebody", "age": 1,
        ])
    }
    _ = try cache.merge(records: RecordSet(records))
  }
}

/// A store in which one character is written and read.
private final class GrownStore {
  private let store: ApolloStore
  private let query = CharacterQuery(id: "c7")
  private var age = 0

  init(_ store: ApolloStore) { self.store = store }

  func write() async throws {
    age += 1
    let body =
      #"{"data":{"character":{"__typename":"Character","id":"c7","name":"Luke","age":\#(age)}}}"#
    keep(try await store.publish(body: Data(body.utf8), of: query))
  }

  func read() async throws {
    if age == 0 { try await write() }
    keep(try await store.withinReadTransaction { try $0.read(query: query) })
  }
}

/// The size of a record of four fields in memory and on disk.
private struct RecordSizes: Experiment {
  let title = "Bytes for each record of four fields"

  func table() throws -> String {
    var rows = [["records", "in memory", "on disk"]]
    for count in sizes.dropFirst() {
      let memory = InMemoryNormalizedCache()
      let before = residentByteCount()
      try fill(memory, count: count)
      let after = residentByteCount()
      withExtendedLifetime(memory) {}
      let inMemory = after.flatMap { after in before.map { "\((after - $0) / count)" } }
      rows.append(["\(count)", inMemory ?? "unknown", "\(try sizeOnDisk(count: count) / count)"])
    }
    return markdown(rows)
  }

  /// The size of a closed file of `count` records, with its whole log merged into it.
  private func sizeOnDisk(count: Int) throws -> Int {
    let file: URL
    do {
      let (disk, place) = try diskCache()
      try fill(disk, count: count)
      file = place
    }
    return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  }
}

/// The resident memory of the process, or `nil` where the system has no file that says so.
func residentByteCount() -> Int? {
  allocator_give_back()  // memory that was freed before would be reused and hide the growth
  guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return nil
  }
  return status.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4_096 }
}
