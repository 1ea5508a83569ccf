import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import CAllocationCounter
import Foundation

/// Writing and reading one query in caches of more and more records, and what each record takes.
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

/// What a record of four fields takes in memory and on disk.
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

  /// The size of a file of so many records that nobody uses: all of the log is in it.
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

/// How much of the process is in memory; nil where the system does not say it in a file.
private func residentByteCount() -> Int? {
  allocator_give_back()  // what was freed before would be taken first, and not be seen
  guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return nil
  }
  return status.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4_096 }
}
