import ApolloCodegenLib

/// The command `apollo-cli generate`: generates Swift from the schema and the operations of a
/// project.
enum GenerateCommand: Command {
  static let name = "generate"
  static let summary = "Generates Swift code from the schema and the operations."
  static let discussion = [
    "Files whose text is the same are not touched. Nothing is written when anything is wrong."
  ]
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration("fetch-schema", "f", "Download the schema first."),
      OptionDeclaration(
        "check", nil,
        "Write nothing. List the files that are out of date, and end with 1 if there are any."),
      OptionDeclaration(
        "dry-run", "n", "Write nothing. List the files that would be written and removed."),
      OptionDeclaration(
        "watch", "w",
        "Keep running, and generate again whenever an input or the configuration changes."),
      OptionDeclaration(
        "combine-into", nil, value: "FOLDER", of: .folder,
        "Write two files there and ignore 'output': for build plugins."),
      OptionDeclaration(
        "own-sources", nil, value: "FOLDER", of: .folder,
        "With --combine-into: the folder of your own SchemaConfiguration.swift and custom scalars."),
      OptionDeclaration(
        "explain", nil, value: "NAME",
        "Write nothing. Explain the models of this operation or fragment: what is added and merged, "
          + "and why a property is optional."),
      ConfigurationFile.ignoringVersions,
    ]
  static let examples = [
    CommandExample("Download the schema, then generate.", "generate --fetch-schema"),
    CommandExample("Generate whenever a file changes.", "generate --watch"),
    CommandExample("See why a property is optional.", "generate --explain HeroQuery"),
    CommandExample(
      "Make sure in continuous integration that generated code is committed.", "generate --check"),
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let mode = try mode(arguments)
    let file = try ConfigurationFile(arguments)
    try file.checkVersion(arguments)
    if let name = arguments.value("explain") { return try explain(name, file) }
    if arguments.has("fetch-schema") { try await FetchSchemaCommand.fetch(arguments, file) }
    if arguments.has("watch") {
      var mode = WatchMode(file, into: combinedOutput(arguments), arguments)
      return await mode.run()
    }
    return Generation.run(
      .code, of: file, into: combinedOutput(arguments), mode: mode,
      isVerbose: arguments.has("verbose"))
  }

  /// Prints the explanation of an operation or a fragment.
  private static func explain(
    _ name: String, _ file: ConfigurationFile
  ) throws(CommandFailure) -> ExitCode {
    let explanation: Explanation.Result
    do {
      explanation = try Generator(file.configuration, rootFolder: file.rootFolder)
        .explanation(of: name)
    } catch {
      return Generation.printFailure(error, file)
    }
    switch explanation {
    case .text(let text):
      Terminal.print(text)
      return .success
    case .unknown(let nearest):
      let hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
      throw CommandFailure("The project has no operation or fragment '\(name)'.\(hint)")
    }
  }

  private static func mode(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> Generation.Mode {
    let exclusive = ["check", "dry-run", "explain", "watch"].filter(arguments.has)
    guard exclusive.count < 2 else {
      throw CommandFailure(
        "--\(exclusive[0]) and --\(exclusive[1]) exclude each other. Leave out one of them.")
    }
    let writesNothing = exclusive.first.map { $0 != "watch" } ?? false
    guard !writesNothing || !arguments.has("fetch-schema") else {
      throw CommandFailure(
        "--fetch-schema writes the schema, and --\(exclusive[0]) writes nothing. "
          + "Run 'apollo-cli fetch-schema' first.")
    }
    return switch exclusive.first {
    case "check": .check
    case "dry-run": .dryRun
    default: .write
    }
  }

  private static func combinedOutput(_ arguments: ParsedArguments) -> CombinedOutput? {
    arguments.value("combine-into").map {
      CombinedOutput(folder: $0, ownSources: arguments.value("own-sources"))
    }
  }
}
