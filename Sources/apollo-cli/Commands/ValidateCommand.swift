import ApolloCodegenLib
import GraphQLSyntax

/// The command `apollo-cli validate`: checks a schema, and operations against it.
enum ValidateCommand: Command {
  static let name = "validate"
  static let summary = "Checks a schema, and operations against it."
  static let discussion = [
    "Without arguments, checks the project of the configuration, as 'generate' does before it writes."
  ]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "[OPERATIONS…]", "Files, folders or patterns of operations; '-' is standard input.")
  static let options = CheckRun.options + [CheckInputs.specification]
  static let examples = [
    CommandExample("Check the project.", "validate"),
    CommandExample(
      "Check some files, with annotations for a pull request.",
      "validate --schema GraphQL/schema.graphqls --format github GraphQL"),
    CommandExample(
      "Forbid fragments that no operation uses.", "validate --severity NoUnusedFragments=error"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    _ = try CheckRun.format(arguments)
    try CheckRun.checkFix(arguments)
    return try CheckRun.run(arguments, try CheckInputs(arguments))
  }
}
