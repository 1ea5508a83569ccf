import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import SeededRandom
import Testing

/// Readings from rows on disk have the same data and misses as readings from memory, even if
/// records hold other values than the selections expect, or their fields are in another order.
@Suite(.timeLimit(.minutes(10)))
struct SpoiledRecordsTests {
  private static let strangeValues: [CacheValue?] = [
    nil, .null, .bool(true), .int(7), .double(0.5), .string("strange"), .json(["a": [1]]),
    .list([]),
    .list([.null]), .list([.list([])]), .list(["a", .null]), .list([.object([:])]), .object([:]),
    .object(["__typename": "Nobody"]), .reference("Nobody:1"), .reference("QUERY_ROOT"),
    .failure(FieldFailure(message: "no")), .list([.failure(FieldFailure(message: "no"))]),
  ]

  /// A record with some of its values replaced, and its fields in some order.
  private func spoiled(
    _ record: Record, _ random: inout SeededGenerator
  ) -> Record {
    var fields = record.fields.map { ($0.key, $0.value) }.shuffled(using: &random)
    for _ in 0..<Int.random(in: 0...2, using: &random) where !fields.isEmpty {
      let index = fields.indices.randomElement(using: &random)!
      if let value = Self.strangeValues.randomElement(using: &random)! {
        fields[index].1 = value
      } else {
        fields.remove(at: index)
      }
    }
    return Record(key: record.key, fields: FieldMap(fields))
  }

  private func replace(_ records: [Record], in store: ApolloStore) async throws {
    try await store.withinReadWriteTransaction { transaction in
      for record in records { try transaction.removeObject(for: record.key) }
      try transaction.merge(RecordSet(records))
    }
  }

  @Test func diskAndMemoryMissTheSame() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-spoiled-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what is left
    var missCount = 0
    for round in 0..<120 {
      let seed = freshSeed &+ UInt64(round)
      var world = RandomWorld(seed: seed)
      let memory = InMemoryNormalizedCache()
      let disk = try SQLiteNormalizedCache(
        fileURL: folder.appendingPathComponent("\(round).sqlite"))
      let stores = [ApolloStore(cache: memory), ApolloStore(cache: disk)]
      let operations = (0..<4).map { _ in world.operation() }
      let definitions = operations.map { world.definition(of: $0) }
      for (definition, operation) in zip(definitions, operations).dropLast() {
        let body = Data(world.answer(to: operation).description.utf8)
        try await definition.use { query in
          for store in stores {
            try await store.publish(body: body, of: query.init(operation.variables))
          }
        }
      }
      var records: [Record] = []
      memory.currentSnapshot().table.forEach { records.append(Record(key: $0, fields: $1)) }
      records.sort { $0.key < $1.key }
      let replaced = records.map { spoiled($0, &world.random) }
      for store in stores { try await replace(replaced, in: store) }
      for (definition, operation) in zip(definitions, operations) {
        try await definition.use { query in
          for servesFailures in [false, true] {
            let query = query.init(operation.variables)
            let fromMemory = try await stores[0].load(query, servesFailures: servesFailures)
            let fromDisk = try await stores[1].load(query, servesFailures: servesFailures)
            missCount += fromMemory.misses.count
            #expect(fromDisk.data == fromMemory.data, "seed \(seed)")
            #expect(fromDisk.misses == fromMemory.misses, "seed \(seed)")
            #expect(fromDisk.errors.count == fromMemory.errors.count, "seed \(seed)")
          }
        }
      }
    }
    #expect(missCount > 100)
  }
}
