#if os(Linux)
  import Foundation

  /// The instructions of calls through the cache, and those of an earlier revision.
  ///
  /// Without `REVISION` in the environment there is nothing to compare with.
  let callsOfRevisions: [ExperimentMaker] =
    ProcessInfo.processInfo.environment["APOLLO_BENCHMARK_CALLS"].map { folder in
      [{ _ in CallsOfRevisions(folder: folder) }]
    } ?? []

  /// The instructions of calls while no other request is under way, with these sources and with
  /// those of an earlier revision.
  private struct CallsOfRevisions: Experiment {
    let title = "Instructions of calls, and those of revision \(RevisionBuild.unitName)"
    /// The folder with the two builds of the program `Calls`.
    let folder: String

    private static let kinds: KeyValuePairs = [
      "written": "write 20 objects, one has changed",
      "cached": "fetch 20 objects from the cache",
      "repeated": "fetch them from a server, the cache has the same",
      "changed": "fetch them from a server, one has changed",
      "watched": "the same, and deliver them to a watch",
    ]

    func table() async throws -> String {
      try await withTemporaryFolder { temporary in
        let programs = try ["current", RevisionBuild.unitName].map { revision in
          try InstructionCount(of: "\(folder)/\(revision)/.build/release/Calls", in: temporary)
        }
        var rows = [["", "instructions", RevisionBuild.unitName, "ratio"]]
        for (kind, name) in Self.kinds {
          let averages = try programs.compactMap { program in
            try program.callAverage(few: 100, many: 600) { [kind, "\($0)"] }
          }
          guard averages.count == 2 else { return InstructionCount.missing }
          let ratio = Double(averages[0]) / Double(averages[1])
          rows.append(
            [name] + averages.map { grouped(UInt64($0)) } + [String(format: "%.3f×", ratio)])
        }
        return markdown(rows)
      }
    }
  }
#else
  let callsOfRevisions: [ExperimentMaker] = []
#endif
