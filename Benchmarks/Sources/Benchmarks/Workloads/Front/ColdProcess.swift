import Foundation

/// `apollo-cli validate` as a whole process, beside graphql-js in one.
let coldProcesses: [ExperimentMaker] = [
  { try ColdProcess("the schema", operations: nil, data: $0) },
  { try ColdProcess("the schema and 100 operations", operations: "github-100", data: $0) },
  { try ColdProcess("the schema and 1,000 operations", operations: "github-1000", data: $0) },
]

/// Whole processes that check the same files: their time and their peak memory.
private struct ColdProcess: Experiment {
  var title: String
  private var programs: [(name: String, command: [String])]

  private static let rounds = 11

  init(_ what: String, operations: String?, data: BenchmarkData) throws {
    let schema = try data.file("github.graphqls").path
    let operations = try operations.map { [try data.file($0).path] } ?? []
    title = "Check \(what) in a process of its own"
    programs = [
      (
        "apollo-cli validate",
        // GitHub's schema breaks this rule.
        [
          ProcessMeter.neighbour("apollo-cli"), "validate", "--severity",
          "DeprecatedImplementations=warning", "--schema", schema,
        ] + operations
      ),
      ("graphql-js", ["node", graphQLJSScript, "cold", schema] + operations),
    ]
  }

  func table() async throws -> String {
    var runs: [[ProcessMeter.Run]] = Array(repeating: [], count: programs.count)
    for _ in 0..<Self.rounds {
      for (index, program) in programs.enumerated() {
        if let run = try ProcessMeter.run(program.command) { runs[index].append(run) }
      }
    }
    let medians = runs.map { $0.map(\.elapsed).sorted().dropFirst($0.count / 2).first }
    var rows = [["", "median", "minimum", "faster", "peak memory"]]
    for (index, program) in programs.enumerated() {
      guard let median = medians[index], let minimum = runs[index].map(\.elapsed).min(),
        let peak = runs[index].map(\.peakBytes).max()
      else { continue }
      rows.append([
        program.name, text(median), text(minimum),
        medians[1].map { String(format: "%.1f×", $0 / median) } ?? "",
        String(format: "%.0f MB", Double(peak) / 1e6),
      ])
    }
    return markdown(rows)
  }
}
