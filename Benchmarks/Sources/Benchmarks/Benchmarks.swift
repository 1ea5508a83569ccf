import Foundation

/// Every experiment there is, in the order of the output. A group lists its own in the folder of
/// its name under `Workloads`.
private let groups: [(name: String, experiments: [ExperimentMaker])] = [
  ("front", front), ("codegen", codegen), ("engine", engine), ("cache", cache),
  ("http", http), ("socket", socket), ("fleet", fleet),
]

/// `Benchmarks [group] [filter]` measures the experiments of the group, or of all of them, whose
/// names contain the filter.
@main
struct Benchmarks {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == DecodingProcess.command {
      return try DecodingProcess.run(Array(arguments.dropFirst()), BenchmarkData())
    }
    #if os(Linux)
      if arguments.first == FetchingProcess.command {
        return try await FetchingProcess.run(Array(arguments.dropFirst()))
      }
    #endif
    var selected = groups
    if let group = groups.first(where: { $0.name == arguments.first }) {
      selected = [group]
      arguments.removeFirst()
    }
    let filter = Filter(text: arguments.joined(separator: " "))
    let data = BenchmarkData()
    var missing: [MissingData] = []
    var isNothingFound = true
    for makeExperiment in selected.flatMap(\.experiments) {
      do {
        guard let report = try await report(of: makeExperiment, data, filter) else { continue }
        isNothingFound = false
        print(report)
      } catch let problem as MissingData {
        missing.append(problem)
      }
    }
    for problem in missing { complain("Not measured: \(problem)") }
    guard isNothingFound else { return }
    if missing.isEmpty {
      complain("Nothing is called '\(filter.text)'. Run without a filter to see every name.")
    }
    exit(1)
  }

  /// Prepares and measures one experiment; nil when the filter does not name it.
  private nonisolated static func report(
    of makeExperiment: ExperimentMaker, _ data: BenchmarkData, _ filter: Filter
  ) async throws -> String? {
    guard let experiment = try makeExperiment(data).matching(filter) else { return nil }
    return "### \(experiment.title)\n\n\(try await experiment.table())\n"
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}
