import Foundation

/// Modules with hundreds and thousands of operations, compiled as SwiftPM does in a release build:
/// two threads compile each file to an object file of its own.
struct ManyOperations: Experiment {
  let title = "Modules of many operations"

  private static let schema = """
    type Query { hero(episode: Episode): Character }
    enum Episode { NEWHOPE EMPIRE JEDI }
    interface Character { id: ID! name: String! friends: [Character] appearsIn: [Episode]! }
    type Human implements Character {
      id: ID! name: String! friends: [Character] appearsIn: [Episode]! height: Float
    }
    """

  private static func operations(_ count: Int) -> String {
    (1...count).map { number in
      """
      query Operation\(number)($episode: Episode) {
        hero(episode: $episode) { id name friends { name ... on Human { height } } appearsIn }
      }
      """
    }
    .joined(separator: "\n")
  }

  func table() async throws -> String {
    var rows = [
      [
        "operations", "lines", "", "elapsed", "CPU time", "for each", "peak memory",
        "all in one, CPU time",
      ]
    ]
    for count in [125, 500, 2_000] {
      let project = try GenerationProject(schema: "schema.graphqls", operations: "*.graphql")
      for (name, text) in [
        ("schema.graphqls", Self.schema), ("operations.graphql", Self.operations(count)),
      ] {
        try text.write(
          to: project.folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
      _ = try project.generate()
      for isOptimized in [true, false] {
        let run = try compileFiles(of: project, isOptimized: isOptimized)
        // Optimizing all in one takes quadratic time, and minutes from here on.
        let whole =
          isOptimized && count > 500 ? nil : try Compilation(of: project, isOptimized: isOptimized)
        rows.append([
          String(count), String(try project.lineCount()), isOptimized ? "`-O`" : "`-Onone`",
          text(run.elapsed), text(run.processorTime), text(run.processorTime / count),
          String(format: "%.0f MB", Double(run.peakBytes) / 1e6),
          whole.map { text($0.processorTime) } ?? "",
        ])
      }
    }
    return markdown(rows)
  }

  /// Compiles a module into one object file for each source file.
  private func compileFiles(
    of project: GenerationProject, isOptimized: Bool
  ) throws -> ProcessMeter.Run {
    let files = try project.files().map(\.path)
    let objects = project.folder.appendingPathComponent("objects")
    try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
    var outputs = ["": ["swift-dependencies": objects.appendingPathComponent("all.swiftdeps").path]]
    for (index, file) in files.enumerated() {
      outputs[file] = ["object": objects.appendingPathComponent("\(index).o").path]
    }
    let map = project.folder.appendingPathComponent("outputs.json")
    try JSONEncoder().encode(outputs).write(to: map)
    let command =
      [
        "swiftc", isOptimized ? "-O" : "-Onone", "-wmo", "-num-threads", "2", "-parse-as-library",
        "-swift-version", "6", "-module-name", "API", "-I", project.build.modules, "-c",
        "-output-file-map", map.path,
      ] + files
    guard let run = try ProcessMeter.run(command) else { throw MissingData(path: "swiftc") }
    return run
  }
}
