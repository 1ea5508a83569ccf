import ApolloCache
import ApolloRedis
import ApolloSQLite
import Foundation
import SeededRandom
import SimulatedRequests

/// Random schedules of requests, responses and writes against the law of order, for
/// `scripts/stress order`.
///
///     order-stress memory|sqlite|chain|redis <count> [<seed> [<url>]] [--lists] [--threads <n>]
///
/// With `--lists`, the schedules are those of one list with pages, in place of those of single
/// objects.
///
/// Prints each violation with its seed, and the number of schedules at the end. With
/// `SWIFT_DETERMINISTIC_HASHING=1`, a seed repeats its schedule. With several threads, steps of
/// tasks run at the same time, and schedules are not repeatable.
@main
struct OrderStress {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      let usage =
        "usage: order-stress memory|sqlite|chain|redis <count> [<seed> [<url>]] [--lists] "
        + "[--threads <n>]\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    SimulatedTasks.run(
      threadCount: options.threadCount,
      isIdleOutside: { RedisNormalizedCache.areIdle && !RetryPause.isUnderWay }
    ) { tasks in
      do {
        let violationCount = try await check(options, tasks)
        let kind = (options.areOfLists ? "lists on " : "") + options.kind.rawValue
        print(
          "\(options.count) schedules on \(kind) from seed \(options.seed) with "
            + "\(options.threadCount) threads: \(violationCount) violations")
        exit(violationCount == 0 ? 0 : 1)
      } catch {
        print("The cache failed: \(error)")
        exit(1)
      }
    }
  }

  private enum Kind: String {
    case memory, sqlite, chain, redis
  }

  private struct Options {
    let kind: Kind
    let count: Int
    var seed = freshSeed
    var url: URL?
    var threadCount = 1
    var areOfLists = false

    init?(_ arguments: ArraySlice<String>) {
      var arguments = arguments
      if let index = arguments.firstIndex(of: "--threads") {
        guard let count = arguments.dropFirst().last.flatMap(Int.init), count > 0 else {
          return nil
        }
        threadCount = count
        arguments = arguments[..<index]
      }
      if arguments.last == "--lists" {
        areOfLists = true
        arguments.removeLast()
      }
      var values = arguments.makeIterator()
      guard let kind = values.next().flatMap(Kind.init), let count = values.next().flatMap(Int.init)
      else { return nil }
      (self.kind, self.count) = (kind, count)
      if let text = values.next() {
        guard let seed = UInt64(text) else { return nil }
        self.seed = seed
      }
      url = values.next().flatMap(URL.init)
    }
  }

  /// Returns the number of violations.
  @MainActor private static func check(
    _ options: Options, _ tasks: SimulatedTasks
  ) async throws -> Int {
    var violationCount = 0
    for number in 0..<options.count {
      // Every fourth schedule has few kinds of steps, so that these meet often.
      let profiles = SimulationProfile.narrow
      let seed = options.seed &+ UInt64(number)
      let profile =
        seed % 4 == 3 ? profiles[Int(seed / 4 % UInt64(profiles.count))] : .everything
      do {
        if options.areOfLists {
          try await runLists(options, seed, tasks)
        } else {
          guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else {
            preconditionFailure("Observable queries need macOS 14. Run the schedules of '--lists'.")
          }
          try await run(options, seed, profile, tasks)
        }
      } catch let violation as OrderViolation {
        violationCount += 1
        let name = options.areOfLists ? "lists" : "\(profile)"
        print("\(options.kind.rawValue), \(name): \(violation)\n")
      }
      await tasks.rest()
    }
    return violationCount
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor private static func run(
    _ options: Options, _ seed: UInt64, _ profile: SimulationProfile, _ tasks: SimulatedTasks
  ) async throws {
    let simulation: OrderSimulation
    switch options.kind {
    case .memory:
      simulation = OrderSimulation(
        seed: seed, profile: profile, tasks: tasks, cache: InMemoryNormalizedCache())
    case .sqlite:
      simulation = OrderSimulation(
        seed: seed, profile: profile, tasks: tasks, cache: try SQLiteNormalizedCache.inMemory())
    case .chain:
      simulation = OrderSimulation(
        seed: seed, profile: profile, tasks: tasks,
        cache: ChainedNormalizedCache(try SQLiteNormalizedCache.inMemory()))
    case .redis:
      let cache = try redisCache(options, seed)
      simulation = OrderSimulation(
        seed: seed, profile: profile, tasks: tasks, makeStore: { ApolloStore(cache: cache) },
        read: { try await cache.loadRecords(forKeys: [$0])[$0]?.fields })
    }
    try await simulation.run(stepCount: 30)
  }

  /// Runs a schedule of a list with pages.
  @MainActor private static func runLists(
    _ options: Options, _ seed: UInt64, _ tasks: SimulatedTasks
  ) async throws {
    let simulation: ListOrderSimulation
    func simulating(_ cache: any NormalizedCache) -> ListOrderSimulation {
      ListOrderSimulation(
        seed: seed, tasks: tasks, makeStore: { ApolloStore(cache: cache) },
        read: { try cache.loadRecords(forKeys: [$0])[$0]?.fields })
    }
    switch options.kind {
    case .memory: simulation = simulating(InMemoryNormalizedCache())
    case .sqlite: simulation = simulating(try SQLiteNormalizedCache.inMemory())
    case .chain:
      simulation = simulating(ChainedNormalizedCache(try SQLiteNormalizedCache.inMemory()))
    case .redis:
      let cache = try redisCache(options, seed)
      simulation = ListOrderSimulation(
        seed: seed, tasks: tasks, makeStore: { ApolloStore(cache: cache) },
        read: { try await cache.loadRecords(forKeys: [$0])[$0]?.fields })
    }
    try await simulation.run(stepCount: 30)
  }

  private static func redisCache(
    _ options: Options, _ seed: UInt64
  ) throws -> RedisNormalizedCache {
    guard let url = options.url else { throw URLError(.badURL) }
    var configuration = RedisNormalizedCache.Configuration()
    configuration.timeout = .seconds(60)  // the machine may be busy
    return try RedisNormalizedCache(url: url, scope: "order-\(seed)", configuration: configuration)
  }
}
