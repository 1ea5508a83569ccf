import ApolloCache
import ApolloSQLite
import Foundation

/// Writes to a cache file until it is killed, or checks what such writers have left.
///
///     cache-stress write <file> <writer> <acknowledgements>
///     cache-stress check <file> <writer> <acknowledgements>
///     cache-stress limits <file> <days> <bytes>
///
/// Transaction *n* of a writer sets the field *writer* of `Counter` to *n*, and twenty fields of
/// records of its own to the same *n*. After the commit, *n* is appended to the acknowledgements
/// and printed to the standard output. A crash must leave all of some transaction, and all
/// transactions before it. Each transaction is the response of a mutation whose optimistic layer
/// sets the fields to -1, which must never reach the file. Ages and uses are tracked, and records
/// that nothing refers to are written and collected. (In WAL mode with `synchronous=NORMAL`,
/// the death of a process loses no commit.)
///
/// `limits` lets a program show a feed for some days, in memory and in the file, and trims the
/// cache each day; see ``FeedSimulation``.
@main
struct CacheStress {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5 else {
      return fail("usage: cache-stress write|check <file> <writer> <acknowledgements>")
    }
    // No writer may time out, however slow the machine is.
    var configuration = SQLiteNormalizedCache.Configuration()
    configuration.busyTimeout = .seconds(300)
    if arguments[1] == "limits" { return try await simulateFeed(arguments) }
    let cache = try SQLiteNormalizedCache(
      fileURL: URL(fileURLWithPath: arguments[2]), configuration: configuration)
    let acknowledgements = URL(fileURLWithPath: arguments[4])
    switch arguments[1] {
    case "write": try await write(to: cache, as: arguments[3], acknowledgements)
    case "check": try await check(cache, arguments[3], acknowledgements)
    default: fail("say write, check or limits")
    }
  }

  private static func simulateFeed(_ arguments: [String]) async throws {
    guard let days = Int(arguments[3]), let limit = Int(arguments[4]) else {
      return fail("say a number of days and of bytes")
    }
    let file = try SQLiteNormalizedCache(fileURL: URL(fileURLWithPath: arguments[2]))
    let caches: [(String, any NormalizedCache)] = [
      ("memory", InMemoryNormalizedCache()), ("SQLite", file),
    ]
    for (name, cache) in caches {
      var simulation = FeedSimulation(cache, limit: limit)
      for day in 1...days {
        if let failure = try await simulation.live(through: day) {
          return fail("\(name), day \(day): \(failure)")
        }
      }
      print("\(name): \(simulation.summary)")
    }
    let problems = try file.integrityProblems()
    if !problems.isEmpty { fail("the file is damaged: \(problems)") }
  }

  private static func write(
    to cache: SQLiteNormalizedCache, as writer: String, _ file: URL
  ) async throws {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.isTracked = true
    configuration.tracksUse = true
    configuration.onCacheFailure = { fail("the cache fails: \($0)") }
    let store = ApolloStore(cache: cache, configuration: configuration)
    try Data().write(to: file)
    let acknowledgements = try FileHandle(forWritingTo: file)
    var number = try last(of: writer, in: cache)
    while true {
      number += 1
      let layer = store.layers.reserve()
      let optimistic = records(of: writer, -1)
      try await store.showLayer(layer) { try $0.merge(optimistic) }
      try await store.publish(
        NormalizedResponse(records: records(of: writer, number)), at: .layer(layer))
      if number % 16 == 0 { try await store.collectGarbage() }
      let line = Data("\(number)\n".utf8)
      try acknowledgements.write(contentsOf: line)
      try FileHandle.standardOutput.write(contentsOf: line)
    }
  }

  private static func keys(of writer: String) -> [RecordKey] {
    (0..<20).map { RecordKey("Record:\(writer):\($0)") }
  }

  private static func records(of writer: String, _ number: Int64) -> RecordSet {
    let text = CacheValue.string(String(repeating: "x", count: Int(abs(number) % 997)))
    let references = CacheValue.list((keys(of: writer) + ["Counter"]).map(CacheValue.reference))
    return RecordSet(
      [
        Record(key: .queryRoot, fields: FieldMap([(FieldKey(writer), references)])),
        Record(key: "Counter", fields: FieldMap([(FieldKey(writer), .int(number))])),
        // Nothing refers to it, so it is collected.
        Record(key: RecordKey("Loose:\(writer):\(number)"), fields: ["text": text]),
      ]
        + keys(of: writer).map { Record(key: $0, fields: ["n": .int(number), "text": text]) })
  }

  private static func last(of writer: String, in cache: SQLiteNormalizedCache) throws -> Int64 {
    guard
      case .int(let number)? = try cache.loadRecords(forKeys: ["Counter"])["Counter"]?[
        FieldKey(writer)]
    else { return 0 }
    return number
  }

  private static func check(
    _ cache: SQLiteNormalizedCache, _ writer: String, _ file: URL
  ) async throws {
    let problems = try cache.integrityProblems()
    guard problems.isEmpty else { return fail("the file is damaged: \(problems)") }
    let number = try last(of: writer, in: cache)
    let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    // The last line may be cut off, but then it is only smaller.
    let acknowledged = lines.last.flatMap { Int64($0) } ?? 0
    guard number >= acknowledged else {
      return fail("\(acknowledged) was acknowledged, but \(number) is there")
    }
    guard number > 0 else { return }
    let records = try cache.loadRecords(forKeys: Set(keys(of: writer)))
    for key in keys(of: writer) where records[key]?["n"] != .int(number) {
      return fail("\(key) is not of transaction \(number)")
    }
    let store = ApolloStore(cache: cache)
    let dangling = try await store.danglingReferences()
    if !dangling.isEmpty { fail("\(dangling.count) references lead nowhere") }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("cache-stress: \(message)\n".utf8))
    exit(1)
  }
}
