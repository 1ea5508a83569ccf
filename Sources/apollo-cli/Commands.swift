/// Every command, in the order of the overview.
enum Commands {
  static var all: [any Command.Type] {
    [
      InitCommand.self,
      ValidateCommand.self,
      FormatCommand.self,
      SchemaCommand.self,
      FetchSchemaCommand.self,
      GenerateCommand.self,
      GenerateOperationManifestCommand.self,
    ]
  }

  static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }
}
