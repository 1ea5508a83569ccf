import ApolloAPI
import ApolloCache
import ApolloSQLite
import BenchmarkAPI
import Foundation

/// Writing and reading with ages, against the same without them.
let ages: [ExperimentMaker] = [
  { try ages("memory", { ApolloStore(cache: InMemoryNormalizedCache(), configuration: $0) }, $0) },
  {
    try ages(
      "SQLite",
      {
        ApolloStore(
          cache: try SQLiteNormalizedCache(fileURL: try newFile()), configuration: $0)
      }, $0)
  },
  {
    let server = try RedisProcess()
    return try ages("Redis", { try server.cache(UUID().uuidString, $0) }, $0, keeping: server)
  },
]

/// Returns the comparison of two stores of one kind. The server of their records runs as long as
/// the comparison exists.
private func ages(
  _ name: String, _ makeStore: (ApolloStore.Configuration) throws -> ApolloStore,
  _ data: BenchmarkData, keeping server: RedisProcess? = nil
) throws -> Comparison {
  let bytes = try data.bytes(of: "friends1000.json")
  let operation = FriendsQuery()
  let plain = try makeStore(ApolloStore.Configuration())
  let aging = try makeStore(.withAges)
  var workloads: [Workload] = []
  for (store, label) in [(plain, "without"), (aging, "with")] {
    workloads += [
      .asynchronous("clear + write, \(label) ages") {
        try await store.clearCache()
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("write what is there already, \(label) ages") {
        keep(try await store.publish(body: bytes, of: operation))
      },
      .asynchronous("change a record of it and read, \(label) ages") {
        let age = Int64.random(in: 0..<1_000_000)
        try await store.publish(["Character:char-000005": ["age": .int(age)]])
        keep(try await read(operation, from: store))
      },
      .asynchronous("write another record and read, \(label) ages") {
        try await store.publish([.queryRoot: ["other": .string(UUID().uuidString)]])
        keep(try await read(operation, from: store))
      },
      .asynchronous("read again, unchanged, \(label) ages") {
        keep(try await read(operation, from: store))
      },
    ]
  }
  return Comparison(
    title: "Ages, \(name), friends1000.json", byteCount: bytes.count,
    baseline: "clear + write, without ages", workloads: workloads,
    note: { measurements in
      withExtendedLifetime(server) {}
      let half = measurements.count / 2
      return zip(measurements.prefix(half), measurements.suffix(half)).map { without, with in
        let name = without.name.replacingOccurrences(of: ", without ages", with: "")
        return String(format: "With ÷ without, \(name): %.2f×", with.median / without.median)
      }.joined(separator: "\n\n")
    })
}

extension ApolloStore.Configuration {
  fileprivate static var withAges: Self {
    var configuration = Self()
    configuration.freshness.maxAges = [
      "Character": .seconds(1_000_000), "Query.hero": .seconds(1_000_000),
    ]
    return configuration
  }
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("cache.sqlite")
}
