import Foundation
import Testing

/// Random schedules of whole programs. `OFFLINE_PROGRAM_STEPS` sets the number of steps,
/// `OFFLINE_SEED` repeats a schedule.
@Suite(.timeLimit(.minutes(60)))
struct ProgramSimulationTests {
  @Test func readersSeeWhatWaitsAndTheServerGetsItInRandomSchedules() async throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["OFFLINE_PROGRAM_STEPS"].flatMap(Int.init) ?? 1_600
    let seed = environment["OFFLINE_SEED"].flatMap(UInt64.init) ?? 39
    let stepsOfOne = 200
    var facts: [String: Int] = [:]
    for number in 0..<UInt64(max(1, steps / stepsOfOne)) {
      let machine = try Machine()
      let own = seed &+ number
      var simulation = try await ProgramSimulation(in: machine.folder, seed: own)
      do {
        for _ in 0..<min(steps, stepsOfOne) { try await simulation.step() }
        try await simulation.drain()
        facts.merge(simulation.facts, uniquingKeysWith: +)
      } catch {
        let trace = simulation.trace.joined(separator: "\n")
        Issue.record("seed \(own): \(error). The latest events:\n\(trace)")
        return
      }
    }
    // The schedules reach everything that they are for.
    for fact in [
      "sent", "performed", "performed before", "no connection", "lost before", "lost after",
      "rejected", "merged", "replaced", "cleared", "kept", "dropped", "killed",
    ] {
      #expect(facts[fact] ?? 0 > 0, "No schedule has: \(fact).")
    }
  }
}
