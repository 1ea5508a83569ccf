import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation

/// The work that `validate` and `lint` share: checking, fixing and printing.
enum CheckRun {
  /// The options of both commands.
  static let options = [
    SchemaArguments.schema,
    CheckInputs.configuration,
    OptionDeclaration("fix", nil, "Apply safe fixes, and check again."),
    OptionDeclaration("strict", nil, "End with 1 when there are warnings."),
    OptionDeclaration(
      "format", "f", value: "FORMAT", of: .oneOf(DiagnosticFormat.allCases.map(\.rawValue)),
      default: "text", "The format of diagnostics."),
    SchemaArguments.severity,
  ]

  /// Checks the inputs and prints the diagnostics.
  static func run(_ arguments: ParsedArguments, _ inputs: CheckInputs) throws -> ExitCode {
    let format = try format(arguments)
    var check = ProjectCheck(inputs)
    if arguments.has("fix") { try fix(&check, arguments) }
    let diagnostics = check.diagnostics
    Terminal.show(diagnostics, in: check.sources, as: format, to: Terminal.standardOutput)
    if format == .text { Terminal.note(check.summary) }
    let isFailure = diagnostics.contains { $0.severity == .error || arguments.has("strict") }
    return isFailure ? .inputErrors : .success
  }

  /// Returns the format that the arguments name.
  static func format(_ arguments: ParsedArguments) throws(CommandFailure) -> DiagnosticFormat {
    try arguments.choice("format", DiagnosticFormat.self) ?? .text
  }

  /// Fails if files should be fixed and standard input is one of them.
  static func checkFix(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments.has("fix") || !arguments.operands.contains("-") else {
      throw CommandFailure("--fix changes files, so it cannot be used with standard input.")
    }
  }

  /// The rules about fragments whose fixes are certain only if all files of a project are checked.
  private static let rulesOfProjects: Set<Diagnostic.Rule> = [
    ValidationRule.knownFragmentNames.diagnosticRule,
    ValidationRule.noUnusedFragments.diagnosticRule,
  ]

  /// Applies fix-its, writes the changed files, and checks again, until nothing more can be fixed.
  private static func fix(_ check: inout ProjectCheck, _ arguments: ParsedArguments) throws {
    // Other files can use the fragments of a file that is named alone, and define those it uses.
    let namesFiles = arguments.operands.contains {
      Environment.fileSystem.kind(of: absolute($0), followingLinks: true) == .file
    }
    // A fix can reveal another problem. A cycle of fixes is ended after a few rounds.
    for _ in 0..<5 {
      let (sources, count) = check.sources.applyingFixIts(
        of: check.operationDiagnostics.filter {
          !(namesFiles && rulesOfProjects.contains($0.rule))
        })
      guard count > 0 else { return }
      for (index, source) in sources.sorted(by: { $0.value.name < $1.value.name }) {
        try check.sources.sources[index].rewrite(Array(source.bytes))
      }
      check.replaceOperations(sources)
    }
  }
}
