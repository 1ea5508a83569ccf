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
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    #if os(Linux)
      if arguments.first == FetchingProcess.command {
        end { try await FetchingProcess.run(Array(arguments.dropFirst())) }
        // Under valgrind, the process crashes if its first thread ends, as dispatchMain() ends it.
        while true { pause() }
      }
    #endif
    end { @MainActor in try await run(arguments[...]) }
    dispatchMain()
  }

  /// Ends the process after some work.
  private static func end(after work: @escaping @Sendable () async throws -> Void) {
    Task.detached {
      do {
        try await work()
      } catch {
        complain("\(error)")
        exit(1)
      }
      exit(0)
    }
  }

  private static func run(_ arguments: ArraySlice<String>) async throws {
    var arguments = arguments
    if arguments.first == DecodingProcess.command {
      return try DecodingProcess.run(Array(arguments.dropFirst()), BenchmarkData())
    }
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
