import ApolloCodegenLib
import GraphQLSyntax

/// The command `apollo-cli validate`: checks a schema, and operations against it.
enum ValidateCommand: Command {
  static let name = "validate"
  static let summary = "Checks a schema, and operations against it."
  static let operands: String? = "[OPERATIONS…]"
  static let options = [
    SchemaArguments.schema,
    CheckInputs.configuration,
    OptionDeclaration("fix", nil, "Apply safe fixes, and check again."),
    OptionDeclaration(
      "format", "f", value: "FORMAT",
      "The format of diagnostics: text, xcode, json, sarif or github."),
    SchemaArguments.severity,
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let format = try format(arguments)
    guard !arguments.has("fix") || !arguments.operands.contains("-") else {
      throw CommandFailure("--fix changes files, so it cannot be used with standard input.")
    }
    var check = ProjectCheck(try CheckInputs(arguments))
    if arguments.has("fix") { try fix(&check) }
    let diagnostics = check.diagnostics
    let text = format.render(
      diagnostics, in: check.sources,
      isColored: Terminal.isInteractive(Terminal.standardOutput))
    if !text.isEmpty { Terminal.write(text) }
    if format == .text { Terminal.error(check.summary) }
    return diagnostics.contains { $0.severity == .error } ? .inputErrors : .success
  }

  private static func format(_ arguments: ParsedArguments) throws(CommandFailure)
    -> DiagnosticFormat
  {
    let name = arguments.value("format") ?? "text"
    guard let format = DiagnosticFormat(rawValue: name) else {
      let names = DiagnosticFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("There is no format '\(name)'. Use one of \(names).")
    }
    return format
  }

  /// Applies fix-its, writes the changed files, and checks again, until nothing more can be fixed.
  private static func fix(_ check: inout ProjectCheck) throws {
    // A fix can reveal another problem. A cycle of fixes is ended after a few rounds.
    for _ in 0..<5 {
      let (sources, count) = check.sources.applyingFixIts(of: check.operationDiagnostics)
      guard count > 0 else { return }
      for source in sources.values.sorted(by: { $0.name < $1.name }) {
        try Environment.fileSystem.rewrite(absolute(source.name), Array(source.bytes))
      }
      check.replaceOperations(sources)
    }
  }
}
