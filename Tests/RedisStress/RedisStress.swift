import ApolloCache
import ApolloRedis
import Foundation

/// One of several processes that use one scope on Redis, for `scripts/stress redis`.
///
///     redis-stress count <url> <scope> <seconds>   counts, prints how often, checks all readings
///     redis-stress sum <url> <scope>               prints the common counter
///
/// Each step adds one to `Counter:1` in a transaction, and publishes two records that every writer
/// changes together. A reading of both that shows two writes is torn.
@main
struct RedisStress {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let url = URL(string: arguments[2]) else {
      return fail("usage: redis-stress count|sum <url> <scope> [<seconds>]")
    }
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)  // no writer may time out, however slow the machine is
    let cache = try RedisNormalizedCache(
      url: url, scope: arguments[3], configuration: configuration)
    switch arguments[1] {
    case "count":
      let seconds = arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1
      try await count(ApolloStore(cache: cache), for: .seconds(seconds))
    case "sum":
      let record = try await cache.loadRecords(forKeys: ["Counter:1"])["Counter:1"]
      print(record?["count"].map(text) ?? "0")
    default: fail("say count or sum")
    }
  }

  private static func count(_ store: ApolloStore, for duration: Duration) async throws {
    let end = ContinuousClock.now + duration
    let writer = Int64.random(in: 0..<1_000_000)
    var number: Int64 = 0
    while ContinuousClock.now < end {
      try await store.withinReadWriteTransaction { transaction in
        let known = try transaction.record(for: "Counter:1")?["count"] ?? .int(0)
        guard case .int(let count) = known else { return }
        try transaction.merge(["Counter:1": ["count": .int(count + 1)]])
      }
      number += 1
      let value = CacheValue.int(writer << 20 | number)
      try await store.publish(["Left": ["n": value], "Right": ["n": value]])
      let (left, right) = try await store.withinReadTransaction { transaction in
        let left = try transaction.record(for: "Left")?["n"]
        return (left, try transaction.record(for: "Right")?["n"])
      }
      guard left == right else { return fail("A reading shows two writes.") }
    }
    print(number)
  }

  private static func text(_ value: CacheValue) -> String {
    if case .int(let number) = value { "\(number)" } else { "\(value)" }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
  }
}
