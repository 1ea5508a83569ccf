/// Every command, in the order of the overview.
enum Commands {
  static var all: [any Command.Type] {
    [
      InitCommand.self,
      FetchSchemaCommand.self,
      GenerateCommand.self,
      GenerateOperationManifestCommand.self,
      MigrateCommand.self,
      ValidateCommand.self,
      LintCommand.self,
      FormatCommand.self,
      SchemaCommand.self,
      OperationsCommand.self,
      RulesCommand.self,
      CompletionsCommand.self,
      ManPageCommand.self,
    ]
  }

  static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }

  /// Every command and subcommand with the names that lead to it, in the order of the overview.
  static var allWithPaths: [(path: [String], command: any Command.Type)] {
    func paths(
      _ commands: [any Command.Type], _ prefix: [String]
    ) -> [(path: [String], command: any Command.Type)] {
      commands.flatMap { command in
        [(prefix + [command.name], command)] + paths(command.subcommands, prefix + [command.name])
      }
    }
    return paths(all, [])
  }
}
