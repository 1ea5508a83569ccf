import GraphQLSchema

/// The command `apollo-cli schema print`.
enum SchemaPrint: Command {
  static let name = "print"
  static let summary = "Prints a schema as one SDL document."
  static let operands: OperandDeclaration? = SchemaFiles.operands
  static let options =
    SchemaFiles.options + [OptionDeclaration("sorted", nil, "Order everything by name.")]
  static let examples = [
    CommandExample("Convert introspection JSON to SDL.", "schema print schema.json"),
    CommandExample("Print the schema of the project, sorted.", "schema print --sorted"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    var files = SchemaFiles(arguments)
    guard let schema = try files.schema() else { return .inputErrors }
    Terminal.print(schema.printed(order: arguments.has("sorted") ? .name : .definition))
    return .success
  }
}

/// The command `apollo-cli schema introspect`.
enum SchemaIntrospect: Command {
  static let name = "introspect"
  static let summary = "Prints a schema as the result of an introspection query."
  static let operands: OperandDeclaration? = SchemaFiles.operands
  static let options = SchemaFiles.options
  static let examples = [
    CommandExample("Convert SDL to introspection JSON.", "schema introspect schema.graphqls")
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    var files = SchemaFiles(arguments)
    guard let schema = try files.schema() else { return .inputErrors }
    Terminal.print(schema.introspection(isWrapped: true))
    return .success
  }
}

/// The command `apollo-cli schema stats`.
enum SchemaStats: Command {
  static let name = "stats"
  static let summary = "Counts the definitions of a schema."
  static let operands: OperandDeclaration? = SchemaFiles.operands
  static let options = SchemaFiles.options
  static let examples = [CommandExample("Describe the schema of the project.", "schema stats")]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    var files = SchemaFiles(arguments)
    guard let schema = try files.schema() else { return .inputErrors }
    Terminal.print(SchemaStatistics(schema).description)
    return .success
  }
}
