import ApolloCodegenLib
import GraphQLSyntax

/// A small project in a temporary folder, with its generated code.
struct GeneratedProject {
  let folder: TemporaryFolder
  let report: Generator.Report

  /// Generates code. `options` are further members of the configuration, such as `"options": {…}`.
  init(schema: String, operations: String, configuration options: String = "") throws {
    folder = try TemporaryFolder()
    try folder.write(schema, to: "schema.graphqls")
    try folder.write(operations, to: "operations.graphql")
    report = try Self.generate(options, in: folder)
  }

  /// Generates again in the same folder, with these `options` of the configuration or these members
  /// of it.
  func generateAgain(_ options: String = "", members: String? = nil) throws -> Generator.Report {
    try Self.generate(members ?? "\"options\": { \(options) }", in: folder)
  }

  private static func generate(
    _ options: String, in folder: TemporaryFolder
  ) throws -> Generator.Report {
    let members = options.isEmpty ? "" : ", \(options)"
    let output =
      options.contains("\"output\"")
      ? "" : #", "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } } }"#
    let configuration = try ApolloCodegenConfiguration(
      json: "{ \"schemaNamespace\": \"API\"\(output)\(members) }")
    return try Generator(configuration, rootFolder: folder.path).generate()
  }

  /// The diagnostics, one per line, in the format of Xcode.
  var warnings: String {
    DiagnosticFormat.xcode.render(report.diagnostics, in: report.sources)
  }

  /// The paths of all written files, relative to the project.
  var files: [String] { report.summary.written.map { Path.display($0, from: folder.path) } }

  func text(of name: String) throws -> String { try folder.text(of: name) }
}

extension GenerationError {
  /// The errors, one per line, in the format of Xcode. Empty if the input has none.
  var messages: String {
    guard case .input(let diagnostics, let sources) = reason else { return "" }
    return DiagnosticFormat.xcode.render(
      diagnostics.filter { $0.severity == .error }, in: sources)
  }
}
