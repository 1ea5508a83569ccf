/// The command `apollo-cli operations`: describes operations.
enum OperationsCommand: CommandGroup {
  static let name = "operations"
  static let summary = "Describes operations."

  static var subcommands: [any Command.Type] { [OperationsComplexity.self] }
}
