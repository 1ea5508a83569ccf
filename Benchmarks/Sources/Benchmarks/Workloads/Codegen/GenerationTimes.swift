import Foundation

/// `apollo-cli generate` as a whole process: into an empty folder, with unchanged inputs, for
/// growing numbers of operations, and with a schema that has warnings.
struct GenerationTimes: Experiment {
  let title = "Generate for GitHub's schema in a process of its own"
  private var sizes: [Size] = []
  private let schema: String

  private static let rounds = 11

  private struct Size {
    var name: String
    var operations: String
    var operationCount: Int
    var schemaExtension: String?
  }

  /// A hundred types, each with a warning: their list may have null elements, the interface's not.
  private static let warnings = (1...100).map {
    """
    interface Listed\($0) { all: [Listed\($0)!] }
    type Listing\($0) implements Listed\($0) { all: [Listed\($0)] }

    """
  }.joined()

  init(_ data: BenchmarkData) throws {
    schema = try data.file("github.graphqls").path
    for (name, file, pattern, count) in [
      ("1 operation", "github-1.graphql", "", 1),
      ("100 operations", "github-100", "/*.graphql", 100),
      ("1,000 operations", "github-1000", "/*.graphql", 1000),
    ] {
      sizes.append(
        Size(name: name, operations: try data.file(file).path + pattern, operationCount: count))
    }
    var warning = sizes[sizes.count - 1]
    warning.name += ", 100 warnings"
    warning.schemaExtension = Self.warnings
    sizes.append(warning)
  }

  func table() async throws -> String {
    var cold: [[ProcessMeter.Run]] = sizes.map { _ in [] }
    var unchanged = cold
    // Each run has a folder of its own, which stays to the end: some file systems are slow to
    // make files where others were removed.
    var projects: [GenerationProject] = []
    for _ in 0..<Self.rounds {
      for (index, size) in sizes.enumerated() {
        let project = try GenerationProject(
          schema: schema, operations: size.operations, schemaExtension: size.schemaExtension)
        projects.append(project)
        cold[index].append(try project.generate())
        unchanged[index].append(try project.generate())
      }
    }
    var table = [
      ["", "median", "minimum", "for each operation", "processor", "user's mode", "peak memory"]
    ]
    for (index, size) in sizes.enumerated() {
      table.append(row(size.name, cold[index], size.operationCount))
      table.append(row("\(size.name), nothing changed", unchanged[index], size.operationCount))
    }
    withExtendedLifetime(projects) {}
    return markdown(table)
  }

  private func row(_ name: String, _ runs: [ProcessMeter.Run], _ count: Int) -> [String] {
    let times = runs.map(\.elapsed).sorted()
    let elapsed = median(times)
    return [
      name, text(elapsed), text(times[0]), text(elapsed / count),
      text(median(runs.map(\.processorTime))),
      text(median(runs.map(\.userTime))),
      String(format: "%.0f MB", Double(runs.map(\.peakBytes).max() ?? 0) / 1e6),
    ]
  }
}
