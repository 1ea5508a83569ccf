/// One command of `apollo-cli`.
///
/// To add one, write a file in the folder `Commands` and add its type to ``Commands/all``.
protocol Command {
  static var name: String { get }
  /// One line for the overview.
  static var summary: String { get }
  static var options: [OptionDeclaration] { get }
  /// The operands in the usage line, such as `[FILE…]`, or `nil` if there are none.
  static var operands: String? { get }

  /// Runs the command.
  ///
  /// It runs on the main thread: in other threads, `malloc` uses a heap that grows by single pages.
  @MainActor static func run(_ arguments: ParsedArguments) async throws -> ExitCode
}

extension Command {
  static var operands: String? { nil }
}

/// The exit status of the process.
enum ExitCode: Int32 {
  case success = 0
  /// The input has errors: a schema, an operation, a configuration.
  case inputErrors = 1
  /// The command could not do its work: wrong arguments, files that cannot be read or written, no
  /// network.
  case couldNotRun = 2
}

/// A failure that ends a command with a message.
struct CommandFailure: Error {
  var message: String
  var code: ExitCode

  init(_ message: String, code: ExitCode = .couldNotRun) {
    self.message = message
    self.code = code
  }
}
