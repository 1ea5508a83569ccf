import CAllocationCounter

/// The measurements of one workload.
struct Measurement {
  var name: String
  /// One duration for each sample: the time of one run, averaged over the runs of the sample;
  /// ascending.
  var samples: [Duration]
  /// Calls of the allocator during one run, where they can be counted.
  var allocations: UInt64?

  var minimum: Duration { samples[0] }
  var median: Duration { samples[samples.count / 2] }
}

/// The duration and number of samples.
struct Effort {
  /// A sample repeats short work until it lasts about this long, so that the clock's own cost
  /// vanishes. It also makes work of a millisecond find the processor's caches as warm as work of a
  /// tenth of that: between two samples, all the other workloads have their turn.
  var sampleDuration: Duration = .milliseconds(10)
  var sampleCounts: ClosedRange<Int> = 15...200
  /// The time after which a workload stops, once it has the least number of samples.
  var budget: Duration = .seconds(1)
}

extension Comparison {
  /// Measures all workloads in turns, one sample each, so that a slow moment of the machine affects
  /// all of them alike.
  ///
  /// Workloads that need a missing program are left out.
  func measure(_ effort: Effort = Effort()) async throws -> [Measurement] {
    var samples: [[Duration]] = Array(repeating: [], count: workloads.count)
    var turns: [(index: Int, repetitions: Int)] = []
    for (index, workload) in workloads.enumerated() {
      if case .remote(let sample) = workload.body {
        if try sample() != nil { turns.append((index, 1)) }
      } else {
        turns.append((index, try await workload.calibrate(effort)))
      }
    }
    var spent = Duration.zero
    for round in 1...effort.sampleCounts.upperBound {
      for turn in turns {
        let workload = workloads[turn.index]
        var elapsed = Duration.zero
        if case .remote(let sample) = workload.body {
          elapsed = try sample() ?? .zero
        } else {
          elapsed = try await time { try await workload.run(turn.repetitions) }
        }
        samples[turn.index].append(elapsed / turn.repetitions)
        spent += elapsed
      }
      let isEnough = round >= effort.sampleCounts.lowerBound
      if isEnough, spent > effort.budget * turns.count { break }
    }
    var measurements: [Measurement] = []
    for (workload, samples) in zip(workloads, samples) where !samples.isEmpty {
      measurements.append(
        Measurement(
          name: workload.name, samples: samples.sorted(),
          allocations: try await workload.countAllocations()))
    }
    return measurements
  }
}

extension Workload {
  /// Warms up and returns how many runs fill a sample.
  fileprivate func calibrate(_ effort: Effort) async throws -> Int {
    var repetitions = 1
    for _ in 0..<3 {
      let elapsed = try await time { try await run(repetitions) }
      let fitting = effort.sampleDuration / max(elapsed / repetitions, .nanoseconds(1))
      repetitions = max(1, Int(fitting))
    }
    return repetitions
  }

  /// The allocations of one run after warming up, or `nil` for the work of another process.
  fileprivate func countAllocations() async throws -> UInt64? {
    if case .remote = body { return nil }
    guard allocation_counter_is_available() else { return nil }
    allocation_counter_start()
    defer { _ = allocation_counter_stop() }
    try await run(1)
    return allocation_counter_stop().allocations
  }
}

private func time(_ work: () async throws -> Void) async rethrows -> Duration {
  let clock = ContinuousClock()
  let start = clock.now
  try await work()
  return clock.now - start
}
