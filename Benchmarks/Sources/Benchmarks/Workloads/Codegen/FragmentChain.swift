import Foundation

/// *n* fragments, each of which spreads the next one on the same object.
struct FragmentChain: Experiment {
  let title = "Chains of fragments on one object"

  private static let schema = "type Query { a: Int b: String next: Query }"

  private static func operations(_ count: Int) -> String {
    let fragments = (1...count).map { link in
      "fragment Link\(link) on Query { a \(link < count ? "...Link\(link + 1)" : "b") }"
    }
    return "query Chain { ...Link1 }\n" + fragments.joined(separator: "\n")
  }

  func table() async throws -> String {
    var rows = [["fragments", "lines", "for each", "generate", "for each", "memory"]]
    for count in [100, 1_000, 10_000] {
      let project = try GenerationProject(schema: "schema.graphqls", operations: "*.graphql")
      try Self.schema.write(
        to: project.folder.appendingPathComponent("schema.graphqls"), atomically: false,
        encoding: .utf8)
      try Self.operations(count).write(
        to: project.folder.appendingPathComponent("chain.graphql"), atomically: false,
        encoding: .utf8)
      let run = try project.generate()
      let lines = try project.lineCount()
      rows.append([
        String(count), String(lines), String(lines / count), text(run.elapsed),
        text(run.elapsed / count),
        String(format: "%.0f MB", Double(run.peakBytes) / 1e6),
      ])
    }
    return markdown(rows)
  }
}
