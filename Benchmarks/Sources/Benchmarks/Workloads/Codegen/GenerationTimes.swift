import Foundation

/// `apollo-cli generate` as a whole process: from nothing, with nothing changed, and for more and more operations.
struct GenerationTimes: Experiment {
  let title = "Generate for GitHub's schema in a process of its own"
  private var rows: [(name: String, project: GenerationProject, operationCount: Int, isCold: Bool)]

  private static let rounds = 11

  init(_ data: BenchmarkData) throws {
    let schema = try data.file("github.graphqls").path
    rows = []
    for (name, file, pattern, count) in [
      ("1 operation", "github-1.graphql", "", 1),
      ("100 operations", "github-100", "/*.graphql", 100),
      ("1,000 operations", "github-1000", "/*.graphql", 1000),
    ] {
      let operations = try data.file(file).path + pattern
      let project = try GenerationProject(schema: schema, operations: operations)
      rows.append((name, project, count, true))
      rows.append(("\(name), nothing changed", project, count, false))
    }
  }

  func table() async throws -> String {
    var runs: [[ProcessMeter.Run]] = Array(repeating: [], count: rows.count)
    for _ in 0..<Self.rounds {
      for (index, row) in rows.enumerated() {
        if row.isCold { try row.project.forget() }
        runs[index].append(try row.project.generate())
      }
    }
    var table = [["", "median", "minimum", "for each operation", "peak memory"]]
    for (row, runs) in zip(rows, runs) {
      let times = runs.map(\.elapsed).sorted()
      let median = times[times.count / 2]
      table.append([
        row.name, text(median), text(times[0]), text(median / row.operationCount),
        String(format: "%.0f MB", Double(runs.map(\.peakBytes).max() ?? 0) / 1e6),
      ])
    }
    return markdown(table)
  }
}
