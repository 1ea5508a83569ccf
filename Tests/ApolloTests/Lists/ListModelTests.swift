import ApolloSQLite
import Foundation
import SeededRandom
import SimulatedLists
import Testing

/// Random changes of lists against a second implementation of the rules. `scripts/stress lists`
/// makes more of them.
///
/// `LIST_STEPS` and `LIST_SEED` choose the schedule. A failure prints its seed.
@Suite(.timeLimit(.minutes(30)))
struct ListModelTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let stepCount = environment["LIST_STEPS"].flatMap { Int($0) } ?? 400
  private static let seed = environment["LIST_SEED"].flatMap { UInt64($0) } ?? freshSeed

  @Test(arguments: CacheKind.allCases)
  func randomStepsFollowTheRules(kind: CacheKind) async throws {
    let (cache, owner) = try kind.make()
    try await run(ListSimulation(cache, seed: Self.seed))
    withExtendedLifetime(owner) {}
  }

  @Test func anotherProgramMayRemoveItems() async throws {
    let folder = try CacheKind.TemporaryFolder()
    try await run(
      ListSimulation(
        try SQLiteNormalizedCache(fileURL: folder.file),
        foreign: try SQLiteNormalizedCache(fileURL: folder.file), seed: Self.seed))
  }

  private func run(_ simulation: ListSimulation) async throws {
    var simulation = simulation
    for step in 0..<Self.stepCount {
      guard let fault = try await simulation.step() else { continue }
      Issue.record("seed \(Self.seed), step \(step): \(fault)")
      return
    }
  }
}
