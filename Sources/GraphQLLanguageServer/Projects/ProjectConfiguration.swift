import ApolloCodegenLib
import GraphQLSyntax

/// The configuration of a project, or the defaults for a folder without one.
struct ProjectConfiguration {
  static let fileName = "apollo-codegen-config.json"

  /// The folder that its paths are relative to.
  let root: String
  /// The name of the file, or `nil` if there is none.
  let fileName: String?
  private(set) var value = ApolloCodegenConfiguration(
    schemaNamespace: "API", output: .init(schemaTypes: .init(path: "Generated", moduleType: .other))
  )
  /// The text of the file.
  private(set) var bytes: [UInt8] = []
  /// The problems of the file.
  private(set) var problems: [Problem] = []

  /// `false` for the files of a folder without those of the folders in it.
  let hasFoldersBelow: Bool

  /// Creates the defaults for a folder.
  init(defaultsFor folder: String, withFoldersBelow: Bool = true) {
    root = folder
    fileName = nil
    hasFoldersBelow = withFoldersBelow
    guard !withFoldersBelow else { return }
    func besides(_ patterns: [String]) -> [String] {
      patterns.map { $0.hasPrefix("**/") ? String($0.dropFirst(3)) : $0 }
    }
    value.input.schemaSearchPaths = besides(value.input.schemaSearchPaths)
    value.input.operationSearchPaths = besides(value.input.operationSearchPaths)
  }

  /// Reads the configuration of a folder. If it has errors, the defaults take its place.
  init(of folder: String, bytes: [UInt8]) {
    root = folder
    fileName = Self.fileName
    hasFoldersBelow = true
    self.bytes = bytes
    var warnings: [ConfigurationProblem] = []
    var errors: [ConfigurationProblem] = []
    do {
      value = try ApolloCodegenConfiguration(json: bytes, warnings: &warnings)
    } catch {
      errors = error.problems
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let source = ConfigurationText(text, name: Self.fileName)
    let diagnostics =
      source.diagnostics(for: errors) + source.diagnostics(for: warnings, severity: .warning)
    problems = diagnostics.map { Problem($0, in: source.sources, otherwise: Self.fileName) }
  }

  /// Returns the nearest folder, from `folder` upwards, that has a configuration.
  static func nearestFolder(from folder: String, _ fileSystem: any FileSystem) -> String? {
    var folder = folder
    while true {
      let path = Path.join(folder, fileName)
      if fileSystem.kind(of: path, followingLinks: true) == .file { return folder }
      guard folder != "/" else { return nil }
      folder = Path.parent(of: folder)
    }
  }

  /// Returns whether a file belongs to the operations, whether or not it exists.
  func hasOperations(at path: String) -> Bool { matches(value.input.operationSearchPaths, path) }

  /// Returns whether a file belongs to the schema, whether or not it exists.
  func hasSchema(at path: String) -> Bool { matches(value.input.schemaSearchPaths, path) }

  private func matches(_ patterns: [String], _ path: String) -> Bool {
    // An invalid pattern is a problem of the configuration, and matches nothing.
    (try? Glob(patterns, root: root))?.matches(path) ?? false
  }
}
