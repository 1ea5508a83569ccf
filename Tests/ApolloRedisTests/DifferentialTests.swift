import ApolloCache
import Foundation
import NaiveCache
import SeededRandom
import Testing

@testable import ApolloRedis

/// Redis and a naive oracle agree, whatever is done to them.
@Suite(.enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(10)))
struct DifferentialTests {
  /// `scripts/stress` asks for many more.
  private let stepCount =
    ProcessInfo.processInfo.environment["STRESS_STEPS"].flatMap(Int.init) ?? 600

  @Test(arguments: [false, true]) func redisAndAnOracleAgree(isSpread: Bool) async throws {
    let server = try await RedisServer.shared()
    let scope = UUID().uuidString
    let caches = try (0..<2).map { _ in try server.cache(scope) { $0.isSpread = isSpread } }
    var oracle = NaiveCache()
    var mutations = RandomMutations(random: SeededGenerator(seed: freshSeed))
    var seen: Set<RecordKey> = []
    for step in 0..<stepCount {
      let transaction = (0...Int.random(in: 0..<3, using: &mutations.random)).map { _ in
        mutations.next()
      }
      let before = oracle.records
      for mutation in transaction { oracle.apply(mutation) }
      seen.formUnion(oracle.records.keys)
      let changes = try await caches[step % 2].apply(transaction)
      let place: Comment = "seed \(freshSeed), step \(step)"
      expectChanges(changes, from: before, to: oracle.records, place)
      guard step.isMultiple(of: 5) || step > stepCount - 10 else { continue }
      let loaded = try await caches[(step + 1) % 2].loadRecords(forKeys: seen)
      for key in seen {
        let expected = oracle.records[key].flatMap { fields -> FieldMap? in
          // A root without fields is not kept.
          key.isRoot && fields.isEmpty ? nil : FieldMap(fields.map { ($0.key, $0.value) })
        }
        try #require(loaded[key]?.fields == expected, "record \(key), \(place)")
      }
    }
  }

  /// Expects each different field in the changes. A removed record may be reported as a whole, and
  /// a cleared cache as everything.
  private func expectChanges(
    _ changes: ChangeSet, from before: [RecordKey: [FieldKey: CacheValue]],
    to after: [RecordKey: [FieldKey: CacheValue]], _ comment: Comment
  ) {
    guard !changes.includesEverything else { return }
    let reported = changes.addresses
    let wholes = changes.records
    for key in Set(before.keys).union(after.keys) {
      for field in Set((before[key] ?? [:]).keys).union((after[key] ?? [:]).keys)
      where before[key]?[field] != after[key]?[field] {
        let address = FieldAddress(record: key, field: field)
        #expect(
          reported.contains(address) || (after[key]?[field] == nil && wholes.contains(key)),
          comment)
      }
    }
  }
}
