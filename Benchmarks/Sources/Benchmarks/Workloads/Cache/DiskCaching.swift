import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import Foundation

/// Writing responses to the cache on disk and reading them back, against SQLite alone with the same
/// rows.
let diskCaching: [ExperimentMaker] = [
  { try diskCaching("small.json", SmallQuery(), from: $0) },
  { try diskCaching("github.json", GitHubQuery(), from: $0) },
  { try diskCaching("friends1000.json", FriendsQuery(), from: $0) },
  { try diskCaching("feed.json", FeedQuery(), from: $0) },
]

private func diskCaching<Operation: GraphQLOperation>(
  _ file: String, _ operation: Operation, from data: BenchmarkData
) throws -> Comparison {
  let bytes = try data.bytes(of: file)
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let url = folder.appendingPathComponent("cache.sqlite")
  let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: url))
  let chain = ApolloStore(
    cache: ChainedNormalizedCache(
      try SQLiteNormalizedCache(fileURL: folder.appendingPathComponent("chain.sqlite"))))
  let rows = Lazy { try RawRows.copied(from: url) }
  let raw = Lazy {
    try RawRows(try rows.value(), in: folder.appendingPathComponent("raw.sqlite"))
  }
  let flat = try RawRows(
    try FlatRecords(response: bytes).rows, in: folder.appendingPathComponent("flat.sqlite"))
  return Comparison(
    title: "SQLite cache, \(file)",
    byteCount: bytes.count,
    baseline: "SQLite in C, write",
    workloads: [
      .asynchronous("clear + decode + write") {
        try await store.clearCache()
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("decode + write what is there already") {
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("read back") { keep(try await read(operation, from: store)) },
      .asynchronous("memory in front: decode + write what is there already") {
        keep(try await chain.publish(body: bytes, of: operation))
      },
      .asynchronous("memory in front: read back") {
        keep(try await read(operation, from: chain))
      },
      .asynchronous("new file: decode + write") {
        let file = folder.appendingPathComponent("new.sqlite")
        defer { RawRows.removeDatabase(file) }
        let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
        keep(try await store.publish(body: bytes, of: operation))
      },
      Workload("SQLite in C, new file: prepared INSERTs") {
        try RawRows.write(
          try rows.value(), toNewFile: folder.appendingPathComponent("new-raw.sqlite"))
      },
      Workload("SQLite in C, write") { try raw.value().write() },
      Workload("SQLite in C, point reads") { keep(try raw.value().read()) },
      Workload("SQLite in C, a row for each object, write") { try flat.write() },
      Workload("SQLite in C, a row for each object, point reads") { keep(try flat.read()) },
      Workload("decode alone") { keep(try ResponseDecoder().decode(bytes, as: operation)) },
    ],
    note: { measurements in
      let own = try raw.value()
      return """
        Rows as this cache writes them: \(own.sizeDescription)\
        \(ratios(to: "SQLite in C", measurements)). A row for each object, as a flat cache has: \
        \(flat.sizeDescription)\(ratios(to: "SQLite in C, a row for each object", measurements)).
        """
    })
}

/// The time of writing and reading as a multiple of SQLite's alone, or an empty text if it was not
/// measured.
private func ratios(to baseline: String, _ measurements: [Measurement]) -> String {
  func ratio(_ name: String, _ baseline: String) -> Double? {
    let medians = [name, baseline].map { name in measurements.first { $0.name == name }?.median }
    guard let own = medians[0], let other = medians[1] else { return nil }
    return own / other
  }
  guard let write = ratio("clear + decode + write", "\(baseline), write"),
    let read = ratio("read back", "\(baseline), point reads")
  else { return "" }
  return String(format: " (write %.1f×, read back %.1f×)", write, read)
}

/// A value that is made on first use.
final class Lazy<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) { self.make = make }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
