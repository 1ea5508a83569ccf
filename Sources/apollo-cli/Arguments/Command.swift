import ApolloCodegenLib

/// One command of `apollo-cli`, described once for its help, the shell completions and the man
/// page.
///
/// To add one, write a file in the folder `Commands` and add its type to ``Commands/all``, or to
/// the subcommands of another command.
protocol Command {
  static var name: String { get }
  /// One line for the overview.
  static var summary: String { get }
  /// Further paragraphs for the help, each one line. Empty if the summary says everything.
  static var discussion: [String] { get }
  static var options: [OptionDeclaration] { get }
  /// The arguments that are not options, or `nil` if there are none.
  static var operands: OperandDeclaration? { get }
  /// Command lines for the help, without `apollo-cli`.
  static var examples: [CommandExample] { get }
  /// The commands of which the first argument names one. A command that has any does nothing
  /// itself.
  static var subcommands: [any Command.Type] { get }

  /// Runs the command.
  ///
  /// It runs on the main thread: in other threads, `malloc` uses a heap that grows by single pages.
  @MainActor static func run(_ arguments: ParsedArguments) async throws -> ExitCode
}

extension Command {
  static var discussion: [String] { [] }
  static var options: [OptionDeclaration] { [] }
  static var operands: OperandDeclaration? { nil }
  static var examples: [CommandExample] { [] }
  static var subcommands: [any Command.Type] { [] }

  /// The options of the command, then those of every command.
  static var allOptions: [OptionDeclaration] { options + GlobalOptions.all }
}

/// A command that only groups others.
protocol CommandGroup: Command {}

extension CommandGroup {
  static var operands: OperandDeclaration? {
    OperandDeclaration(
      "SUBCOMMAND", of: .oneOf(subcommands.map { $0.name }), "The subcommand to run.")
  }

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let names = subcommands.map { $0.name }
    guard let unknown = arguments.operands.first else {
      throw CommandFailure(
        "'\(name)' needs a subcommand: \(names.joined(separator: ", ")). "
          + "Run 'apollo-cli \(name) --help' to see what they do.")
    }
    let hint = Spelling.nearest(to: unknown, in: names)
    throw CommandFailure(
      "'\(unknown)' is not a subcommand of '\(name)'. "
        + (hint.map { "Did you mean '\($0)'?" } ?? "Use one of \(names.joined(separator: ", ")).")
    )
  }
}

/// A command line in the help of a command.
struct CommandExample {
  /// The purpose of the command line, as a sentence.
  var purpose: String
  /// The command line without `apollo-cli`.
  var line: String

  init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
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
  /// The message, one sentence or more. Empty if it has been shown already.
  var message: String
  var code: ExitCode

  init(_ message: String, code: ExitCode = .couldNotRun) {
    self.message = message
    self.code = code
  }

  /// A failure whose messages are on the terminal already.
  static func shown(_ code: ExitCode) -> CommandFailure { CommandFailure("", code: code) }
}
