import ApolloCache
import Foundation
import SimulatedRequests
import Testing

#if compiler(>=6.2)
  /// The same random schedules against the law of order in each run. `scripts/stress order 1000000`
  /// runs a million others, and `ORDER_SEED` with the seed of a violation begins with that
  /// schedule.
  ///
  /// Each test has a process of its own, all of whose tasks it controls.
  @Suite(.timeLimit(.minutes(60)))
  struct OrderSimulationTests {
    @Test func noObserverGoesBackInMemory() async {
      await #expect(processExitsWith: .success) {
        Schedules.run(on: .memory, share: 0.8)
      }
    }

    @Test func noObserverGoesBackOnDisk() async {
      await #expect(processExitsWith: .success) {
        Schedules.run(on: .sqliteInMemory, share: 0.1)
      }
    }

    @Test func noObserverGoesBackWithMemoryInFrontOfDisk() async {
      await #expect(processExitsWith: .success) {
        Schedules.run(on: .memoryInFrontOfDisk, share: 0.1)
      }
    }

    @Test func noObserverGoesBackInNarrowSchedules() async {
      await #expect(processExitsWith: .success) {
        Schedules.run(on: .memory, share: 0.05, SimulationProfile.narrow)
      }
    }

    @Test func noObserverGoesBackWithSeveralThreads() async {
      await #expect(processExitsWith: .success) {
        Schedules.run(on: .memory, share: 0.1, threadCount: 4)
      }
    }
  }

  private enum Schedules {
    /// Runs schedules of each of some profiles, and records the violations.
    ///
    /// - Parameters:
    ///   - kind: The kind of the cache.
    ///   - share: The share of the schedules of a run that each profile gets.
    ///   - profiles: The profiles.
    ///   - threadCount: The number of steps of tasks that may run at the same time.
    static func run(
      on kind: CacheKind, share: Double, _ profiles: [SimulationProfile] = [.everything],
      threadCount: Int = 1
    ) {
      let environment = ProcessInfo.processInfo.environment
      let count = Int(environment["ORDER_SCHEDULES"] ?? "") ?? 200
      let seed = UInt64(environment["ORDER_SEED"] ?? "") ?? 1
      SimulatedTasks.run(threadCount: threadCount) { tasks in
        for profile in profiles {
          for number in 0..<max(Int(Double(count) * share), 1) {
            do {
              let (cache, owner) = try kind.make()
              try await OrderSimulation(
                seed: seed &+ UInt64(number), profile: profile, tasks: tasks, cache: cache
              ).run(stepCount: 30)
              withExtendedLifetime(owner) {}
            } catch {
              Issue.record("\(kind), \(profile): \(error)")
            }
            await tasks.rest()
          }
        }
      }
    }
  }
#endif
