import ApolloCache
import ApolloRedis
import ApolloSQLite
import Foundation
import SeededRandom
import SimulatedRequests

/// Random schedules of requests, responses and writes against the law of order, for
/// `scripts/stress order`.
///
///     order-stress memory|sqlite|chain|redis <count> [<seed> [<url>]]
///
/// Prints each violation with its seed, and the number of schedules at the end.
@main
struct OrderStress {
  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let kind = Kind(rawValue: arguments[1]),
      let count = Int(arguments[2])
    else {
      FileHandle.standardError.write(
        Data("usage: order-stress memory|sqlite|chain|redis <count> [<seed> [<url>]]\n".utf8))
      exit(2)
    }
    let seed = arguments.count > 3 ? UInt64(arguments[3]) ?? freshSeed : freshSeed
    let url = arguments.count > 4 ? URL(string: arguments[4]) : nil
    var violationCount = 0
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      // Every fourth schedule has few kinds of steps, so that these meet often.
      let profiles = SimulationProfile.narrow
      let profile = number % 4 == 3 ? profiles[number / 4 % profiles.count] : .everything
      do {
        try await run(kind, seed, profile, url)
      } catch let violation as OrderViolation {
        violationCount += 1
        print("\(kind.rawValue), \(profile): \(violation)\n")
      }
    }
    print("\(count) schedules on \(kind.rawValue) from seed \(seed): \(violationCount) violations")
    exit(violationCount == 0 ? 0 : 1)
  }

  private enum Kind: String {
    case memory, sqlite, chain, redis
  }

  @MainActor private static func run(
    _ kind: Kind, _ seed: UInt64, _ profile: SimulationProfile, _ url: URL?
  ) async throws {
    let simulation: OrderSimulation
    switch kind {
    case .memory:
      simulation = OrderSimulation(
        seed: seed, profile: profile, cache: InMemoryNormalizedCache())
    case .sqlite:
      simulation = OrderSimulation(
        seed: seed, profile: profile, cache: try SQLiteNormalizedCache.inMemory())
    case .chain:
      simulation = OrderSimulation(
        seed: seed, profile: profile,
        cache: ChainedNormalizedCache(try SQLiteNormalizedCache.inMemory()))
    case .redis:
      guard let url else { throw URLError(.badURL) }
      let cache = try RedisNormalizedCache(url: url, scope: "order-\(seed)")
      simulation = OrderSimulation(
        seed: seed, profile: profile, makeStore: { ApolloStore(cache: cache) },
        read: { try await cache.loadRecords(forKeys: [$0])[$0]?.fields })
    }
    try await simulation.run(stepCount: 30)
  }
}
