import ApolloCache
import ApolloSQLite
import Foundation
import NaiveCache
import SeededRandom
import Testing

/// Memory, SQLite and a naive oracle must agree, whatever is done to them.
@Suite struct DifferentialTests {
  /// `scripts/stress` asks for many more.
  private let stepCount =
    ProcessInfo.processInfo.environment["STRESS_STEPS"].flatMap(Int.init) ?? 2_000

  @Test func memorySQLiteAndAnOracleAgree() throws {
    let folder = try TemporaryFolder()
    var disk = try SQLiteNormalizedCache(fileURL: folder.file)
    let memory = InMemoryNormalizedCache()
    let sqliteInMemory = try SQLiteNormalizedCache.inMemory()
    let chain = ChainedNormalizedCache(
      try SQLiteNormalizedCache(fileURL: folder.url.appendingPathComponent("chain.sqlite")))
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

      let inMemory = memory.apply(transaction)
      // The facts about writes and uses change nothing.
      let onDisk = try disk.apply(transaction, at: step, noting: seen)
      let chained = try chain.apply(transaction)
      let inSQLite = try sqliteInMemory.apply(transaction)
      for changes in [inMemory, onDisk, chained, inSQLite] {
        expectChanges(changes, from: before, to: oracle.records, "seed \(freshSeed), step \(step)")
      }
      guard step.isMultiple(of: 20) || step > stepCount - 20 else { continue }
      let caches: [(String, any NormalizedCache)] = [
        ("memory", memory), ("SQLite", disk), ("chain", chain),
        ("SQLite in memory", sqliteInMemory),
      ]
      for (name, cache) in caches {
        let loaded = try cache.loadRecords(forKeys: seen)
        for key in seen {
          let expected = oracle.records[key].map { FieldMap($0.map { ($0.key, $0.value) }) }
          let fields = loaded[key]?.fields
          let differing = Set(fields?.keys ?? []).union(expected?.keys ?? []).filter {
            fields?[$0] != expected?[$0]
          }
          try #require(
            differing.isEmpty && fields == expected,
            "\(name), record \(key), fields \(differing), seed \(freshSeed), step \(step)")
        }
      }
      if step.isMultiple(of: 500) { disk = try SQLiteNormalizedCache(fileURL: folder.file) }
    }
    #expect(try disk.integrityProblems() == [])
  }

  /// Expects each different field in the changes. A removed record may be reported as a whole, and
  /// a cleared cache as everything.
  private func expectChanges(
    _ changes: ChangeSet, from before: [RecordKey: [FieldKey: CacheValue]],
    to after: [RecordKey: [FieldKey: CacheValue]], _ comment: Comment
  ) {
    guard !changes.includesEverything else { return }
    let told = changes.addresses
    let wholes = changes.records
    for key in Set(before.keys).union(after.keys) {
      for field in Set((before[key] ?? [:]).keys).union((after[key] ?? [:]).keys)
      where before[key]?[field] != after[key]?[field] {
        let address = FieldAddress(record: key, field: field)
        #expect(
          told.contains(address) || (after[key]?[field] == nil && wholes.contains(key)), comment)
      }
    }
  }
}

extension SQLiteNormalizedCache {
  /// Applies changes with ages and uses, as a store does that tracks both.
  fileprivate func apply(
    _ changes: [CacheMutation], at step: Int, noting uses: Set<RecordKey>
  ) throws -> ChangeSet {
    let context = try blockToWrite()
    defer { context.end() }
    let facts = WriteFacts(time: Double(step), operationName: "Step", maxAge: nil)
    try context.note(uses: Array(uses.prefix(4)), at: Int64(step))
    _ = try context.begin(PendingWrite(facts, step.isMultiple(of: 2) ? .all : .changed))
    return try context.commit(changes).changes
  }
}
