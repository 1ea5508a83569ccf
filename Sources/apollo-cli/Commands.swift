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
      RunCommand.self,
      CacheCommand.self,
      MockCommand.self,
      RecordCommand.self,
      RulesCommand.self,
      LSPCommand.self,
      CompletionsCommand.self,
      ManPageCommand.self,
    ]
  }

  static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }
}
