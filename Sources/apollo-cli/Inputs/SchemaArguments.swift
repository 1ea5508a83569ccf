import ApolloCodegenLib
import GraphQLSyntax

/// The options of commands that read and check a schema.
enum SchemaArguments {
  static let schema = OptionDeclaration(
    "schema", "s", value: "PATH", of: .file,
    "A file, folder or pattern of the schema: SDL or introspection JSON. May be repeated.")
  static let severity = OptionDeclaration(
    "severity", nil, value: "RULE=LEVEL",
    "The severity of a rule: error, warning or off. 'apollo-cli rules' lists the rules. May be repeated."
  )

  /// Returns the severities of `--severity`, for rules of schemas and of operations.
  static func severities(_ arguments: ParsedArguments) throws(CommandFailure) -> RuleSeverities {
    var result = RuleSeverities()
    for value in arguments.values("severity") {
      let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2,
        let level = ApolloCodegenConfiguration.RuleSeverity(named: parts[1])
      else {
        throw CommandFailure(
          "--severity needs RULE=error, RULE=warning or RULE=off, not '\(value)'.")
      }
      if let problem = RuleSeverities.problem(forRuleNamed: parts[0]) {
        throw CommandFailure("--severity: \(problem.sentence)")
      }
      result.severities[parts[0]] = level
    }
    return result
  }

  /// Fails if more than one of `paths` is standard input.
  static func checkStandardInput(_ paths: [String]) throws(CommandFailure) {
    guard paths.count(where: { $0 == "-" }) < 2 else {
      throw CommandFailure("Standard input ('-') can be read only once.")
    }
  }
}
