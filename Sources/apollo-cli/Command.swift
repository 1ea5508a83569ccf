/// One command of `apollo-cli`. Add a file to `Commands/` and a line to ``Commands/all``.
protocol Command {
  static var name: String { get }
  /// One line for the overview.
  static var summary: String { get }
  static var options: [OptionDeclaration] { get }
  /// What stands after the options in the usage line, such as `[FILE…]`; `nil` when nothing may.
  static var operands: String? { get }

  /// On the main thread: what a command does on others, `malloc` would take from a heap that grows by a page at a time.
  @MainActor static func run(_ arguments: ParsedArguments) async throws -> ExitCode
}

extension Command {
  static var operands: String? { nil }
}

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

/// How the process ends.
enum ExitCode: Int32 {
  case success = 0
  /// The input has errors: a schema, an operation, a configuration.
  case inputErrors = 1
  /// The command could not do its work: wrong arguments, files that cannot be read or written, no
  /// network.
  case couldNotRun = 2
}

/// Ends a command with a message.
struct CommandFailure: Error {
  var message: String
  var code: ExitCode

  init(_ message: String, code: ExitCode = .couldNotRun) {
    self.message = message
    self.code = code
  }
}
