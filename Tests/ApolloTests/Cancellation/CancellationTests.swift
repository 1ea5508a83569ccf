import Apollo
import ApolloAPI
import Dispatch
import Foundation
import LoopbackServer
import SeededRandom
import TestOperations
import Testing

#if CURL
  /// Calls that are cancelled in each phase: every call ends once, in a `CancellationError`, and
  /// holds nothing afterwards.
  ///
  /// `STRESS_CANCELLATIONS` is the number of calls of each form in each phase. Queries and
  /// mutations take turns.
  @Suite(.serialized, .timeLimit(.minutes(60)))
  struct CancellationTests {
    /// The form of a call.
    enum Form: String, CaseIterable {
      case async, callback
    }

    private static let callCount =
      ProcessInfo.processInfo.environment["STRESS_CANCELLATIONS"].flatMap(Int.init) ?? 24
    private static let laneCount = 6

    private let queue = DispatchQueue(label: "tests", attributes: .concurrent)

    @Test(arguments: CancellationPhase.allCases, Form.allCases)
    func aCancelledCallEndsOnce(_ phase: CancellationPhase, _ form: Form) async throws {
      let seed = UInt64.random(in: .min ... .max)
      let outcomes = Lock<[Outcomes]>([])
      let stage = try CancellationStage(phase, laneCount: Self.laneCount)
      defer { stage.stop() }
      let occupation = stage.occupier().map { client in
        Task { try await client.fetch(query: HeroAPI.HeroQuery()) }
      }
      await withTaskGroup(of: Void.self) { group in
        for lane in 0..<Self.laneCount {
          group.addTask {
            var random = SeededGenerator(seed: seed &+ UInt64(lane))
            for number in stride(from: lane, to: Self.callCount, by: Self.laneCount) {
              let turns = Int.random(in: 0..<(phase.isVisible ? 8 : 400), using: &random)
              let outcome = await call(
                stage, lane, form, isMutation: number.isMultiple(of: 2), turns)
              outcomes.withLock { $0.append(outcome) }
            }
          }
        }
      }
      occupation?.cancel()
      _ = await occupation?.result
      if let successor = stage.successor() {
        #expect(try await successor.fetch(query: HeroAPI.HeroQuery()).source == .server)
      }
      // Handlers that were called twice were so by now, or never will be.
      await withCheckedContinuation { done in queue.async(flags: .barrier) { done.resume() } }
      #expect(outcomes.get().count == Self.callCount)
      for outcome in outcomes.get() { outcome.check(phase, seed) }
      #expect(stage.callCount <= Self.callCount, "seed \(seed)")
      if phase == .beforeTheCall, form == .async { #expect(stage.acceptedCount <= 1) }
      await stage.close()
    }

    /// The results of one call, of which there must be one.
    private final class Outcomes: Sendable {
      private let errors = Lock<[(any Error)?]>([])

      func add(_ result: Result<some Any, any Error>) {
        let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
        errors.withLock { $0.append(error) }
      }

      func check(_ phase: CancellationPhase, _ seed: UInt64) {
        let errors = errors.get()
        #expect(errors.count == 1, "\(errors), seed \(seed)")
        for error in errors {
          let isExpected = error.map { $0 is CancellationError } ?? phase.canSucceed
          #expect(isExpected, "\(error as Any), seed \(seed)")
        }
      }
    }

    /// Makes a call, cancels it in its phase, and waits for its end.
    private func call(
      _ stage: CancellationStage, _ lane: Int, _ form: Form, isMutation: Bool, _ turns: Int
    ) async -> Outcomes {
      let outcomes = Outcomes()
      let signals = stage.begin(lane)
      let client = stage.apollo(lane)
      let name = stage.phase == .sending ? String(repeating: "x", count: 256 << 10) : "x"
      let query = HeroAPI.HeroQuery(name: .some(name))
      let mutation = HeroAPI.RenameMutation(id: "1", name: name)

      func cancel(_ cancel: () -> Void) async {
        if stage.phase.isVisible { await signals.hasBegun.wait() }
        for _ in 0..<(stage.phase == .beforeTheCall ? 0 : turns) { await Task.yield() }
        cancel()
        signals.isCancelled.fire()
      }

      switch form {
      case .async:
        let isEarly = stage.phase == .beforeTheCall
        let task = Task {
          if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
          if isMutation {
            _ = try await client.perform(mutation: mutation)
          } else {
            _ = try await client.fetch(query: query, cachePolicy: .networkOnly)
          }
        }
        await cancel { task.cancel() }
        outcomes.add(await task.result)
      case .callback:
        let hasEnded = Signal()
        let call =
          isMutation
          ? client.perform(mutation: mutation, queue: queue) {
            outcomes.add($0)
            hasEnded.fire()
          }
          : client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData, queue: queue) {
            outcomes.add($0)
            hasEnded.fire()
          }
        await cancel {
          call.cancel()
          call.cancel()
        }
        await hasEnded.wait()
      }
      return outcomes
    }
  }
#endif
