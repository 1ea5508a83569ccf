import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli lint`: checks the style of operations.
enum LintCommand: Command {
  static let name = "lint"
  static let summary = "Checks the style of operations, and everything that 'validate' checks."
  static let discussion = [
    "Warns about objects without their 'id' (require-id), names in another case (naming-convention), "
      + "deep operations (maximum-depth), deprecated fields and inputs (no-deprecated), and fragments "
      + "that no operation uses (no-unused-fragments). The rule 'alphabetical' is off unless "
      + "--severity or 'ruleSeverities' of the configuration names it.",
    "A rule that the configuration names is checked by 'validate' and 'generate', too.",
  ]
  static let operands: OperandDeclaration? = ValidateCommand.operands
  static let options =
    CheckRun.options + [
      OptionDeclaration(
        "max-depth", nil, value: "COUNT", default: "10",
        "The number of fields inside of each other that 'maximum-depth' allows.")
    ]
  static let examples = [
    CommandExample("Fail in continuous integration on any warning.", "lint --strict"),
    CommandExample("Add missing ids.", "lint --fix"),
    CommandExample(
      "Also require alphabetical fields.", "lint --severity alphabetical=warning"),
  ]

  /// The severities of rules that neither a configuration nor the arguments name.
  private static let standard = RuleSeverities([
    "RequireID": .warning, "NamingConvention": .warning, "MaximumDepth": .warning,
    "NoDeprecated": .warning, "NoUnusedFragments": .warning,
  ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    _ = try CheckRun.format(arguments)
    try CheckRun.checkFix(arguments)
    let depth = try arguments.number("max-depth")
    var inputs = try CheckInputs(arguments, standard: standard)
    guard inputs.schema != nil else {
      throw CommandFailure("lint needs a schema. Name it with --schema.")
    }
    if let depth { inputs.lint.maximumDepth = depth }
    return try CheckRun.run(arguments, inputs)
  }
}
