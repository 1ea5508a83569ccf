import Apollo
import ApolloAPI
import ApolloCache
import ApolloRedis
import ApolloSQLite
import BenchmarkAPI
import CRedisPrograms
import Foundation

/// The cache on Redis: its round trips against a program in C, its memory in front of Redis against
/// the cache in memory.
let fleet: [ExperimentMaker] = [
  readingFromRedis, readingFromMemory, manyReadings, writingToRedis, { try MemoryOfRecords($0) },
]

private let friendCount = 19
/// Returns the response of a file with its first friends only.
private func friends(_ count: Int, _ data: BenchmarkData) throws -> Data {
  let whole = try JSONSerialization.jsonObject(with: try data.bytes(of: "friends1000.json"))
  guard var root = whole as? [String: Any], var content = root["data"] as? [String: Any],
    var hero = content["hero"] as? [String: Any], let all = hero["friends"] as? [Any]
  else { throw MissingData(path: "data.hero.friends of friends1000.json") }
  hero["friends"] = Array(all.prefix(count))
  content["hero"] = hero
  root["data"] = content
  return try JSONSerialization.data(withJSONObject: root)
}

@Sendable private func readingFromRedis(_ data: BenchmarkData) throws -> any Experiment {
  let body = try friends(friendCount, data)
  let server = try RedisProcess()
  let store = FilledFleetStore(try server.cache("far", nearRecordLimit: 0), body, on: server)
  let program = LazyProgram(server)
  return Comparison(
    title: "Read \(friendCount + 1) objects of three levels from Redis",
    baseline: "C with hiredis, 3 MGET",
    workloads: [
      .asynchronous("C with hiredis, 3 MGET") {
        keep(redis_program_read(try await program.value(after: store)))
      },
      .asynchronous("store.load, no memory in front") {
        keep(try await store.value().load(FriendsQuery()))
      },
    ])
}

@Sendable private func readingFromMemory(_ data: BenchmarkData) throws -> any Experiment {
  let body = try friends(friendCount, data)
  let server = try RedisProcess()
  let near = FilledFleetStore(try server.cache("near"), body, on: server)
  let memory = FilledFleetStore(ApolloStore(cache: InMemoryNormalizedCache()), body)
  return Comparison(
    title: "Read \(friendCount + 1) objects from the memory in front of Redis",
    baseline: "cache in memory",
    workloads: [
      .asynchronous("cache in memory") {
        keep(try await memory.value().withinReadTransaction { try $0.read(query: FriendsQuery()) })
      },
      .asynchronous("memory in front of Redis") {
        keep(try await near.value().withinReadTransaction { try $0.read(query: FriendsQuery()) })
      },
      .asynchronous("cache in memory, store.load") {
        keep(try await memory.value().load(FriendsQuery()))
      },
      .asynchronous("memory in front of Redis, store.load") {
        keep(try await near.value().load(FriendsQuery()))
      },
    ])
}

@Sendable private func manyReadings(_ data: BenchmarkData) throws -> any Experiment {
  let body = try friends(friendCount, data)
  let server = try RedisProcess()
  let store = FilledFleetStore(try server.cache("many", nearRecordLimit: 0), body, on: server)
  return Comparison(
    title: "64 readings of \(friendCount + 1) objects at a time from Redis", requestCount: 64,
    baseline: "store.load",
    workloads: [
      .asynchronous("store.load") {
        let store = try await store.value()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<64 { group.addTask { keep(try await store.load(FriendsQuery())) } }
          try await group.waitForAll()
        }
      }
    ])
}

@Sendable private func writingToRedis(_ data: BenchmarkData) throws -> any Experiment {
  let body = try friends(120, data)
  let server = try RedisProcess()
  let store = FilledFleetStore(try server.cache("write"), body, on: server)
  let program = LazyProgram(server)
  let counter = Counter()
  return Comparison(
    title: "Write 100 records to Redis", baseline: "C with hiredis, MGET and 100 SET",
    workloads: [
      .asynchronous("C with hiredis, MGET and 100 SET") {
        keep(redis_program_write(try await program.value(after: store), 100))
      },
      .asynchronous("store.publish") {
        let number = counter.next()
        let records = RecordSet(
          (0..<100).map {
            Record(
              key: RecordKey(String(format: "Character:char-%06d", $0)),
              fields: ["name": .string("Name \(number)")])
          })
        keep(try await store.value().publish(records))
      },
    ])
}

/// The memory for each record, in Redis and in a file.
private struct MemoryOfRecords: Experiment {
  let title = "Memory for each record of friends1000.json"
  private let bytes: Data

  init(_ data: BenchmarkData) throws { bytes = try data.bytes(of: "friends1000.json") }

  func table() async throws -> String {
    let server = try RedisProcess()
    let store = try server.cache("memory")
    let count = try await store.publish(body: bytes, of: FriendsQuery()).data?.hero?.friends.count
    let program = redis_program_make(server.path, "hero-1")
    defer { redis_program_free(program) }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-bench-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      let disk = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))
      _ = try await disk.publish(body: bytes, of: FriendsQuery())
    }  // closing the file empties its log
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    let size = (attributes[.size] as? Int) ?? 0
    let records = max(1, count ?? 0) + 1
    return markdown([
      ["", "bytes for each record"],
      ["Redis (MEMORY USAGE)", "\(Int(redis_program_memory(program)) / records)"],
      ["SQLite (file)", "\(size / records)"],
    ])
  }
}

/// A store with the records of a response, filled at its first use.
///
/// `@unchecked Sendable` because one workload at a time uses it.
private final class FilledFleetStore: @unchecked Sendable {
  private let store: ApolloStore
  private let body: Data
  /// The server of the records, which ends when nothing refers to it.
  private let server: RedisProcess?
  private var isFilled = false

  init(_ store: ApolloStore, _ body: Data, on server: RedisProcess? = nil) {
    self.store = store
    self.body = body
    self.server = server
  }

  func value() async throws -> ApolloStore {
    if !isFilled {
      _ = try await store.publish(body: body, of: FriendsQuery())
      isFilled = true
    }
    return store
  }
}

/// The program in C, made when the server has records.
///
/// `@unchecked Sendable` because one workload at a time uses it.
private final class LazyProgram: @unchecked Sendable {
  private let server: RedisProcess
  private var program: OpaquePointer?

  init(_ server: RedisProcess) { self.server = server }

  deinit { redis_program_free(program) }

  func value(after store: FilledFleetStore) async throws -> OpaquePointer? {
    if program == nil {
      _ = try await store.value()
      program = redis_program_make(server.path, "hero-1")
    }
    return program
  }
}

/// `@unchecked Sendable` because one workload at a time uses it.
private final class Counter: @unchecked Sendable {
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}
