import ApolloCodegenLib

/// `apollo-cli generate`: Swift from the schema and the operations of a project.
enum GenerateCommand: Command {
  static let name = "generate"
  static let summary = "Generates Swift code from the schema and the operations."
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration("fetch-schema", "f", "Download the schema first."),
      OptionDeclaration(
        "ignore-version-mismatch", nil, "Accepted for compatibility; versions are not compared."),
    ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let file = try ConfigurationFile(arguments)
    if arguments.has("fetch-schema") { try await FetchSchemaCommand.fetch(file) }
    return Generation.run(file, .code, isVerbose: arguments.has("verbose"))
  }
}
