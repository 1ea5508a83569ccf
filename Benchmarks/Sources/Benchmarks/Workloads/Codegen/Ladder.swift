import Foundation

/// *n* fragments, each nested in the one before and each with two type cases.
struct Ladder: Experiment {
  let title = "Ladders of nested fragments with type cases"

  private static let schema = """
    interface Node { id: ID! next: Node }
    type A implements Node { id: ID! next: Node a: Int }
    type B implements Node { id: ID! next: Node b: String }
    type Query { node: Node }
    """

  private static func operations(_ count: Int) -> String {
    let fragments = (1...count).map { rung in
      """
      fragment Rung\(rung) on Node {
        id
        ... on A { a next { id \(rung < count ? "...Rung\(rung + 1)" : "") } }
        ... on B { b }
      }
      """
    }
    return "query Climb { node { ...Rung1 } }\n" + fragments.joined(separator: "\n")
  }

  func table() async throws -> String {
    var rows = [
      ["rungs", "lines", "for each", "generate", "swiftc -O -wmo", "for each", "machine code"]
    ]
    for count in [1, 5, 10, 20, 40] {
      let project = try GenerationProject(schema: "schema.graphqls", operations: "*.graphql")
      try Self.schema.write(
        to: project.folder.appendingPathComponent("schema.graphqls"), atomically: false,
        encoding: .utf8)
      try Self.operations(count).write(
        to: project.folder.appendingPathComponent("ladder.graphql"), atomically: false,
        encoding: .utf8)
      let run = try project.generate()
      let lines = try project.lineCount()
      let compiled = try Compilation(of: project)
      rows.append([
        String(count), String(lines), String(lines / count), text(run.elapsed),
        text(compiled.elapsed), text(compiled.elapsed / count),
        String(format: "%.0f KB", Double(compiled.codeSize) / 1e3),
      ])
    }
    return markdown(rows)
  }
}

/// One run of the compiler over a module of generated code.
struct Compilation {
  var elapsed: Duration
  var processorTime: Duration
  /// Bytes of instructions and constants in the object file.
  var codeSize: Int

  init(of project: GenerationProject, isOptimized: Bool = true) throws {
    let object = project.folder.appendingPathComponent("API.o").path
    let command =
      [
        "swiftc", isOptimized ? "-O" : "-Onone", "-wmo", "-parse-as-library", "-swift-version", "6",
        "-module-name", "API",
        "-I", project.build.modules, "-emit-object", "-o", object,
      ] + (try project.files().map(\.path))
    guard let run = try ProcessMeter.run(command) else { throw MissingData(path: "swiftc") }
    elapsed = run.elapsed
    processorTime = run.processorTime
    codeSize = try Self.text(of: object)
  }

  /// The first figure that `size` prints.
  private static func text(of object: String) throws -> Int {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["size", object]
    process.standardOutput = output
    try process.run()
    let lines = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self
    ).split(separator: "\n")
    process.waitUntilExit()
    guard let figure = lines.last?.split(whereSeparator: \.isWhitespace).first,
      let bytes = Int(figure)
    else { throw MissingData(path: "size") }
    return bytes
  }
}
