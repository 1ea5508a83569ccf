import ApolloCodegenLib

/// The command `apollo-cli generate`: generates Swift from the schema and the operations of a
/// project.
enum GenerateCommand: Command {
  static let name = "generate"
  static let summary = "Generates Swift code from the schema and the operations."
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration("fetch-schema", "f", "Download the schema first."),
      OptionDeclaration(
        "watch", "w",
        "Keep running, and generate again whenever an input or the configuration changes."),
      OptionDeclaration(
        "combine-into", nil, value: "FOLDER",
        "Write two files there and ignore 'output': for build plugins."),
      OptionDeclaration(
        "own-sources", nil, value: "FOLDER",
        "With --combine-into: the folder of your own SchemaConfiguration.swift and custom scalars."),
      ConfigurationFile.ignoringVersions,
    ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let file = try ConfigurationFile(arguments)
    try file.checkVersion(arguments)
    if arguments.has("fetch-schema") { try await FetchSchemaCommand.fetch(file) }
    if arguments.has("watch") {
      var mode = WatchMode(file, arguments)
      return await mode.run()
    }
    return Generation.run(
      file, .code, into: combinedOutput(arguments), isVerbose: arguments.has("verbose"))
  }

  private static func combinedOutput(_ arguments: ParsedArguments) -> CombinedOutput? {
    arguments.value("combine-into").map {
      CombinedOutput(folder: $0, ownSources: arguments.value("own-sources"))
    }
  }
}
