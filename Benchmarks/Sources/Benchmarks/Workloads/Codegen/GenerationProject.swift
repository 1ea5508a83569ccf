import Foundation

/// A project in a temporary folder that `apollo-cli generate` runs on.
final class GenerationProject {
  /// The folder that holds the configuration and the output, `out`.
  let folder: URL
  var output: URL { folder.appendingPathComponent("out") }
  private var caches: URL { folder.appendingPathComponent("caches") }
  /// The build whose generator runs, and whose runtime the code is compiled against.
  let build: RevisionBuild

  /// Creates a project.
  ///
  /// - Parameters:
  ///   - schema: The path of the schema.
  ///   - operations: The path or pattern of the operations.
  ///   - schemaExtension: The text of a second schema file.
  ///   - hasInitializers: `true` if models have initializers.
  ///   - build: The build whose generator runs.
  /// - Throws: The errors of the file system.
  init(
    schema: String, operations: String, schemaExtension: String? = nil,
    hasInitializers: Bool = false, build: RevisionBuild = .current
  ) throws {
    self.build = build
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-swift-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var schemas = [schema]
    if let schemaExtension {
      schemas.append("extension.graphqls")
      try schemaExtension.write(
        to: folder.appendingPathComponent("extension.graphqls"), atomically: false,
        encoding: .utf8)
    }
    let initializers = ["operations": hasInitializers, "namedFragments": hasInitializers]
    let configuration: [String: Any] = [
      "options": ["selectionSetInitializers": initializers],
      "schemaNamespace": "API",
      "input": ["schemaSearchPaths": schemas, "operationSearchPaths": [operations]],
      "output": [
        "schemaTypes": ["path": "out", "moduleType": ["other": [String: String]()]],
        "operations": ["inSchemaModule": [String: String]()],
      ],
    ]
    try JSONSerialization.data(withJSONObject: configuration, options: .withoutEscapingSlashes)
      .write(to: folder.appendingPathComponent("apollo-codegen-config.json"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs the generator as a process of its own.
  func generate() throws -> ProcessMeter.Run {
    // A cache folder for this project alone.
    setenv("XDG_CACHE_HOME", caches.path, 1)
    let configuration = folder.appendingPathComponent("apollo-codegen-config.json").path
    let command = [build.generator, "generate", "--path", configuration]
    guard let run = try ProcessMeter.run(command) else {
      throw MissingData(path: command[0])
    }
    return run
  }

  /// The generated files.
  func files() throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: output.path)
      .filter { $0.hasSuffix(".swift") }
      .map { output.appendingPathComponent($0) }
      .sorted { $0.path < $1.path }
  }

  func lineCount() throws -> Int {
    try files().reduce(0) { try $0 + Data(contentsOf: $1).count { $0 == UInt8(ascii: "\n") } }
  }
}
