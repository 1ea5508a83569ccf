import ApolloCache
import Foundation
import Testing

@testable import ApolloRedis

@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)), .serialized)
struct ClusterTests {
  @Test(arguments: [false, true], [0, 1, 2])
  func eachNodeLeadsToAllRecords(isSpread: Bool, node: Int) async throws {
    let cluster = try await RedisCluster.shared()
    let scope = UUID().uuidString
    let writer = try cluster.cache(scope, node: node, isSpread: isSpread)
    let reader = try cluster.cache(scope, node: (node + 1) % 3, isSpread: isSpread)
    let records = (0..<60).map { Record(key: RecordKey("R:\($0)"), fields: ["n": .int(Int64($0))]) }
    try await writer.apply([.merge(RecordSet(records))])
    let found = try await reader.loadRecords(forKeys: Set(records.map(\.key)))
    #expect(found.count == 60)
    for record in records { #expect(found[record.key] == record) }
    try await reader.apply([.removeMatching("r:1")])
    #expect(try await writer.loadRecords(forKeys: Set(records.map(\.key))).count == 49)
    try await reader.apply([.clear])
    #expect(try await writer.loadRecords(forKeys: Set(records.map(\.key))).isEmpty)
  }

  @Test func changesReachStoresAtOtherNodes() async throws {
    let cluster = try await RedisCluster.shared()
    let scope = UUID().uuidString
    let (changes, continuation) = AsyncStream<StoreChange>.makeStream()
    let store = ApolloStore(cache: try cluster.cache(scope, node: 2, isSpread: true))
    let watch = store.subscribe { continuation.yield($0) }
    let writer = try cluster.cache(scope, node: 0, isSpread: true)
    var number: Int64 = 0
    try await writer.apply([.merge(["A": ["n": .int(number)]])])
    for await change in changes {
      if change.changes.records.contains("A") { break }
      // The first change means that the subscription is there.
      number += 1
      try await writer.apply([.merge(["A": ["n": .int(number)]])])
    }
    watch.cancel()
  }

  @Test func aSlotThatMovesIsFollowed() async throws {
    let cluster = try await RedisCluster.shared()
    let scope = UUID().uuidString
    let cache = try cluster.cache(scope, node: 0, isSpread: false)
    try await cache.apply([.merge(["A": ["n": 1]])])
    let slot = KeySpace(schema: "default", scope: scope, isSpread: false).slots[0]
    var identities: [String] = []
    for node in 0..<3 {
      identities.append(try #require(try await cluster.send(["CLUSTER", "MYID"], to: node).text))
    }
    var source: Int?
    for node in 0..<3 {
      let keys = try await cluster.send(["CLUSTER", "COUNTKEYSINSLOT", "\(slot)"], to: node)
      if keys != .integer(0) { source = node }
    }
    let from = try #require(source)
    let to = (from + 1) % 3
    try await cluster.send(
      ["CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", identities[from]], to: to)
    try await cluster.send(
      ["CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", identities[to]], to: from)
    let keys = try await cluster.send(["CLUSTER", "GETKEYSINSLOT", "\(slot)", "100"], to: from)
    let names = (keys.elements ?? []).compactMap(\.text)
    try await cluster.send(
      ["MIGRATE", "127.0.0.1", "\(cluster.ports[to])", "", "0", "60000", "KEYS"] + names, to: from)
    // The old node redirects each command with ASK.
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 1)
    try await cache.apply([.merge(["A": ["n": 2]])])
    for node in [to, from, 3 - to - from] {
      try await cluster.send(["CLUSTER", "SETSLOT", "\(slot)", "NODE", identities[to]], to: node)
    }
    // From now on with MOVED.
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 2)
    try await cache.apply([.merge(["A": ["n": 3]])])
    #expect(try await cache.loadRecords(forKeys: ["A"])["A"]?["n"] == 3)
  }
}
