/// The commands that this build has.
enum Commands {
  /// Every command, in the order of the overview.
  static var all: [any Command.Type] {
    forProjects + servers + [RulesCommand.self] + editors
      + [CompletionsCommand.self, ManPageCommand.self]
  }

  /// The commands that generate and check code.
  private static var forProjects: [any Command.Type] {
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
    ]
  }

  // Half of the tool's modules are for these commands alone, and no plugin runs them.
  #if DeveloperCommands
    private static var servers: [any Command.Type] {
      [CacheCommand.self, MockCommand.self, RecordCommand.self]
    }
    private static var editors: [any Command.Type] { [LSPCommand.self] }

    /// The names of commands that this build lacks, because the package trait `DeveloperCommands`
    /// is off.
    static let omitted: [String] = []
  #else
    private static var servers: [any Command.Type] { [] }
    private static var editors: [any Command.Type] { [] }
    static let omitted = ["cache", "mock", "record", "lsp"]
  #endif

  static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }
}
