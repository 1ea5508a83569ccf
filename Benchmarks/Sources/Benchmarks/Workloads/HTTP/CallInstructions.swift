#if os(Linux)
  import Foundation

  /// The instructions of calls, which other programs do not change.
  let callInstructions: [ExperimentMaker] = [
    { data in
      CallInstructions(server: try LoopbackServer(["small": data.file("small.json")]))
    }
  ]

  /// The instructions of one small POST.
  private struct CallInstructions: Experiment {
    let title = "Instructions of one small POST on a kept connection"
    let server: LoopbackServer

    private static let ways: [FetchingProcess.Way] = [.curl, .bare, .withoutCache, .apollo]

    func table() async throws -> String {
      defer { withExtendedLifetime(server) {} }
      return try await withTemporaryFolder { folder in
        let count = try InstructionCount(of: CommandLine.arguments[0], in: folder)
        var rows = [["", "instructions", "of libcurl's in C"]]
        var baseline: Int?
        for way in Self.ways {
          let average = try count.callAverage(few: 100, many: 400) { calls in
            Array(
              FetchingProcess.commandLine(way, server.url("small"), count: calls).dropFirst())
          }
          guard let average else { return InstructionCount.missing }
          baseline = baseline ?? average
          let ratio = Double(average) / Double(max(1, baseline ?? 1))
          rows.append([way.rawValue, grouped(UInt64(average)), String(format: "%.2f×", ratio)])
        }
        return markdown(rows)
      }
    }
  }
#endif
