import ApolloCache
import Foundation
import SimulatedRequests
import Testing

/// The same random schedules against the law of order in each run. `scripts/stress order 1000000`
/// runs a million others, and `ORDER_SEED` with the seed of a violation begins with that schedule.
@Suite(.timeLimit(.minutes(60)))
struct OrderSimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let scheduleCount = Int(environment["ORDER_SCHEDULES"] ?? "") ?? 200
  private static let seed = UInt64(environment["ORDER_SEED"] ?? "") ?? 1

  @Test(arguments: [CacheKind.memory, .sqliteInMemory, .memoryInFrontOfDisk])
  @MainActor func noObserverGoesBack(kind: CacheKind) async throws {
    let share = kind == .memory ? 8 : 1
    for number in 0..<max(Self.scheduleCount * share / 10, 1) {
      let (cache, owner) = try kind.make()
      try await OrderSimulation(
        seed: Self.seed &+ UInt64(number), profile: .everything, cache: cache
      ).run(stepCount: 30)
      withExtendedLifetime(owner) {}
    }
  }

  @Test(arguments: SimulationProfile.narrow)
  @MainActor func noObserverGoesBackIn(profile: SimulationProfile) async throws {
    for number in 0..<max(Self.scheduleCount / 20, 1) {
      try await OrderSimulation(
        seed: Self.seed &+ UInt64(number), profile: profile, cache: InMemoryNormalizedCache()
      ).run(stepCount: 30)
    }
  }
}
