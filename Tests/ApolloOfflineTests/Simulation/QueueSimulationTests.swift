import Foundation
import SeededRandom
import Testing

@testable import ApolloOffline

/// Random schedules. `OFFLINE_STEPS` sets the number of steps, `OFFLINE_SEED` repeats a schedule.
@Suite(.timeLimit(.minutes(60)))
struct QueueSimulationTests {
  @Test func nothingIsLostOrDoneTwiceInRandomSchedules() throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["OFFLINE_STEPS"].flatMap(Int.init) ?? 4_000
    let seed = environment["OFFLINE_SEED"].flatMap(UInt64.init) ?? 39
    let stepsOfOne = 500
    var facts: [String: Int] = [:]
    for number in 0..<UInt64(max(1, steps / stepsOfOne)) {
      let machine = try Machine()
      let own = seed &+ number
      do {
        var simulation = try QueueSimulation(url: machine.file, seed: own)
        for _ in 0..<min(steps, stepsOfOne) { try simulation.step() }
        try simulation.drain()
        facts.merge(simulation.facts, uniquingKeysWith: +)
      } catch {
        Issue.record("seed \(own): \(error)")
        return
      }
    }
    // The schedules reach everything that they are for.
    for fact in [
      "sent", "killed", "merged", "replaced", "asked", "changed", "used identifier", "late result",
      "kept session", "dropped session", "rejected by a gateway",
    ] {
      #expect(facts[fact] ?? 0 > 0, "No schedule has: \(fact).")
    }
  }
}
