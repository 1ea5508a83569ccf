import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The options with which commands read a schema and judge it.
enum SchemaArguments {
  static let schema = OptionDeclaration(
    "schema", "s", value: "PATH",
    "A file, folder or pattern of the schema: SDL or introspection JSON. May be repeated.")
  static let severity = OptionDeclaration(
    "severity", nil, value: "RULE=LEVEL",
    "What breaking a rule is: error, warning or off. May be repeated.")

  /// The severities that `--severity` gives, for the rules of schemas and of operations.
  static func severities(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> (schema: SchemaOptions, operations: ValidationConfiguration) {
    var schema = SchemaOptions()
    var operations = ValidationConfiguration()
    for value in arguments.values("severity") {
      let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let level = level(named: parts[1]) else {
        throw CommandFailure(
          "--severity needs RULE=error, RULE=warning or RULE=off, not '\(value)'.")
      }
      if let rule = ValidationRule(rawValue: parts[0]) { operations.severities[rule] = level }
      switch level {
      case .error: schema.severities[Diagnostic.Rule(rawValue: parts[0])] = .error
      case .warning: schema.severities[Diagnostic.Rule(rawValue: parts[0])] = .warning
      case .off: break
      }
    }
    return (schema, operations)
  }

  private static func level(named name: String) -> ValidationConfiguration.Severity? {
    switch name {
    case "error": .error
    case "warning": .warning
    case "off": .off
    default: nil
    }
  }
}
