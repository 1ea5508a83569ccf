import Foundation

/// A copy of the Star Wars example in a temporary folder, for tests that change it.
struct Project {
  let folder: URL

  /// Runs `apollo-cli` in the project.
  func apollo(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await apollo(arguments, input: input)
  }

  /// Runs `apollo-cli` in the project.
  ///
  /// Without a display of progress, which depends on the speed of the machine.
  func apollo(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> Outcome {
    try await run(
      try Repository.commandLineTool(), arguments, in: folder,
      environment: ["APOLLO_CLI_PROGRESS": "never"].merging(environment) { $1 }, input: input)
  }

  /// Replaces or adds a file.
  func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(path))
  }

  /// Replaces or adds a file atomically.
  func writeAtOnce(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(path), options: .atomic)
  }

  /// The text of a file.
  func text(of path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
  }

  /// The project's configuration with another endpoint, as the argument of `--string`, and with all
  /// the time in the world: a busy machine must not be taken for a server that is too slow.
  func configuration(endpoint: String) throws -> String {
    try text(of: "apollo-codegen-config.json")
      .replacingOccurrences(of: "http://127.0.0.1:8000/graphql", with: endpoint)
      .replacingOccurrences(
        of: "\"schemaDownload\": {", with: "\"schemaDownload\": { \"downloadTimeout\": 600,")
  }

  /// The bytes and the modification date of every file below `path`, by relative path.
  func contents(of path: String) throws -> [String: FileState] {
    try Project.contents(of: folder.appendingPathComponent(path))
  }

  static func contents(of folder: URL) throws -> [String: FileState] {
    var states: [String: FileState] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      states[path] = FileState(
        bytes: try Data(contentsOf: file), modified: attributes[.modificationDate] as? Date)
    }
    return states
  }
}

struct FileState: Equatable {
  var bytes: Data
  var modified: Date?
}

/// Runs `body` with a temporary folder that has only `files`.
func withFiles<Result>(
  _ files: [String: String], _ body: (Project) async throws -> Result
) async throws -> Result {
  try await withTemporaryFolder { folder in
    let project = Project(folder: folder)
    for (path, text) in files {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try project.write(text, to: path)
    }
    return try await body(project)
  }
}

/// Runs `body` with a fresh copy of the example.
func withProject<Result>(_ body: (Project) async throws -> Result) async throws -> Result {
  try await withTemporaryFolder { folder in
    for part in ["GraphQL", "Sources/StarWarsAPI", "apollo-codegen-config.json"] {
      let destination = folder.appendingPathComponent(part)
      try FileManager.default.createDirectory(
        at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Repository.example.appendingPathComponent(part), to: destination)
    }
    return try await body(Project(folder: folder))
  }
}
