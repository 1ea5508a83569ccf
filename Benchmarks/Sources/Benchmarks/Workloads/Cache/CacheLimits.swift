import ApolloCache
import ApolloSQLite
import CAllocationCounter
import Foundation

/// The price for writers of a collection of many records, and of a limit that is always exceeded.
let cacheLimits: [ExperimentMaker] = [
  { _ in
    CollectionPauses(title: "Collecting 1,000,000 records, memory") { InMemoryNormalizedCache() }
  },
  { _ in
    CollectionPauses(title: "Collecting 1,000,000 records, SQLite") {
      try SQLiteNormalizedCache(fileURL: try newFile())
    }
  },
  { _ in
    EvictionUnderPressure(title: "Eviction under pressure, memory") { InMemoryNormalizedCache() }
  },
  { _ in
    EvictionUnderPressure(title: "Eviction under pressure, SQLite") {
      try SQLiteNormalizedCache(fileURL: try newFile())
    }
  },
]

/// The times of single writes while half of a million records are collected.
private struct CollectionPauses: Experiment {
  let title: String
  let makeCache: @Sendable () throws -> any NormalizedCache

  private static let pageCount = 10_000
  private static let postsOnAPage = 50

  func table() async throws -> String {
    var rows = [["a write", "median", "99.9 %", "longest", "writes"]]
    let collected = try await measure(into: &rows, "")
    guard allocator_use_fast_bins(false) else { return markdown(rows) + collected }
    defer { _ = allocator_use_fast_bins(true) }
    let collectedAgain = try await measure(into: &rows, ", no fast bins")
    return markdown(rows) + collected + collectedAgain
  }

  /// Measures writes without and during a collection, and adds a row for each.
  ///
  /// - Returns: A sentence about the collection.
  private func measure(into rows: inout [[String]], _ condition: String) async throws -> String {
    let store = ApolloStore(cache: try makeCache())
    for page in 0..<Self.pageCount { try await store.publish(Self.records(page)) }
    let before = try await WriteTimes.measured(in: store) {
      for _ in 0..<200 { try await Task.sleep(for: .milliseconds(5)) }
    }
    let clock = ContinuousClock()
    let start = clock.now
    var removedCount = 0
    let during = try await WriteTimes.measured(in: store) {
      removedCount = try await store.collectGarbage().removedCount
    }
    let duration = clock.now - start
    rows.append(["without a collection" + condition] + before.cells)
    rows.append(["during a collection" + condition] + during.cells)
    return "\n\n\(removedCount) records were removed in \(text(duration))\(condition)."
  }

  /// A page, which leads to one half of its records.
  private static func records(_ page: Int) -> RecordSet {
    var records = RecordSet()
    var nodes: [CacheValue] = []
    for index in 0..<postsOnAPage {
      let key = RecordKey("Post:\(page):\(index)")
      nodes.append(.reference(key))
      for key in [key, RecordKey("Loose:\(page):\(index)")] {
        records.append(
          Record(key: key, fields: ["title": .string("Title"), "number": .int(Int64(index))]))
      }
    }
    records.append(Record(key: .queryRoot, fields: [FieldKey("page\(page)"): .list(nodes)]))
    return records
  }
}

/// The times of writes of one record, one after the other, while something else happens.
private struct WriteTimes: Sendable {
  private var times: [Duration] = []

  static func measured(
    in store: ApolloStore, _ body: () async throws -> Void
  ) async throws -> WriteTimes {
    let writer = Task {
      let clock = ContinuousClock()
      var result = WriteTimes()
      var count: Int64 = 0
      while !Task.isCancelled {
        count += 1
        let start = clock.now
        do {
          try await store.publish(["Counter": ["n": .int(count)]])
        } catch is CancellationError {
          break
        }
        result.times.append(clock.now - start)
        try? await Task.sleep(for: .microseconds(200))  // throws when it is cancelled: the end
      }
      return result
    }
    do {
      try await body()
    } catch {
      writer.cancel()
      throw error
    }
    writer.cancel()
    return try await writer.value
  }

  var cells: [String] {
    let sorted = times.sorted()
    guard let longest = sorted.last else { return ["", "", "", "0"] }
    return [
      text(sorted[sorted.count / 2]), text(sorted[sorted.count * 999 / 1_000]), text(longest),
      "\(sorted.count)",
    ]
  }
}

/// The time of writing pages of a feed into a cache with a limit, against one without.
private struct EvictionUnderPressure: Experiment {
  let title: String
  let makeCache: @Sendable () throws -> any NormalizedCache

  private static let roundCount = 5
  private static let pagesInARound = 1_000
  private static let postsOnAPage = 50

  func table() async throws -> String {
    var configuration = ApolloStore.Configuration()
    configuration.sizeLimit = 2_000_000
    let unlimited = ApolloStore(cache: try makeCache())
    let limited = ApolloStore(cache: try makeCache(), configuration: configuration)
    var times: [(without: Duration, with: Duration)] = []
    for round in 0..<Self.roundCount {
      let without = try await Self.write(round, to: unlimited)
      times.append((without, try await Self.write(round, to: limited)))
    }
    let median = times.map { $0.with / $0.without }.sorted()[Self.roundCount / 2]
    let left = try await limited.byteCount()
    return markdown(
      [["a page of \(Self.postsOnAPage) records", "median", "factor"]]
        + [
          ["without a limit", text(times.map(\.without).sorted()[Self.roundCount / 2]), ""],
          [
            "with a limit of 2 MB", text(times.map(\.with).sorted()[Self.roundCount / 2]),
            String(format: "%.2f×", median),
          ],
        ]) + "\n\n\(left) bytes are left of the limited one."
  }

  /// Writes pages, and returns the time for one.
  private static func write(_ round: Int, to store: ApolloStore) async throws -> Duration {
    let clock = ContinuousClock()
    var duration = Duration.zero
    for page in 0..<pagesInARound {
      let records = records(round * pagesInARound + page)
      let start = clock.now
      try await store.publish(records)
      duration += clock.now - start
    }
    return duration / pagesInARound
  }

  private static func records(_ page: Int) -> RecordSet {
    var records = RecordSet()
    var nodes: [CacheValue] = []
    for index in 0..<postsOnAPage {
      let key = RecordKey("Post:\(page):\(index)")
      nodes.append(.reference(key))
      records.append(
        Record(
          key: key,
          fields: [
            "title": .string("Post \(index)"), "text": .string(String(repeating: "x", count: 200)),
          ]))
    }
    records.append(Record(key: .queryRoot, fields: [FieldKey("page\(page)"): .list(nodes)]))
    return records
  }
}

private func newFile() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apollo-bench-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.appendingPathComponent("cache.sqlite")
}
