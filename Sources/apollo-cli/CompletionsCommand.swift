/// The command `apollo-cli completions`: prints a script by which a shell completes command lines.
enum CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Prints a script that makes a shell complete commands and options."
  static let operands: OperandDeclaration? = OperandDeclaration(
    "SHELL", of: .oneOf(Shell.allCases.map(\.rawValue)), "The shell: bash, zsh or fish.")
  static let examples = [
    CommandExample("For bash, in ~/.bashrc.", "completions bash > ~/.apollo-cli.bash"),
    CommandExample(
      "For zsh, in a folder of $fpath.", "completions zsh > ~/.zsh/completions/_apollo-cli"),
    CommandExample(
      "For fish.", "completions fish > ~/.config/fish/completions/apollo-cli.fish"),
  ]

  private enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish
  }

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard arguments.operands.count == 1, let name = arguments.operands.first else {
      throw CommandFailure("Name one shell: \(names).")
    }
    switch Shell(rawValue: name) {
    case .bash: Terminal.print(BashCompletions.script(for: Commands.all))
    case .zsh: Terminal.print(ZshCompletions.script(for: Commands.all))
    case .fish: Terminal.print(FishCompletions.script(for: Commands.all))
    case nil: throw CommandFailure("'\(name)' is not a known shell. Use one of \(names).")
    }
    return .success
  }
}

/// A command or subcommand with the words that shells complete after its name.
struct CompletedCommand {
  /// The names that lead to the command, such as `schema diff`.
  var path: String
  var command: any Command.Type

  /// Returns `commands` and all their subcommands, in the order of the overview.
  static func all(_ commands: [any Command.Type], in path: String = "") -> [CompletedCommand] {
    commands.flatMap { command in
      let path = path.isEmpty ? command.name : "\(path) \(command.name)"
      return [CompletedCommand(path: path, command: command)] + all(command.subcommands, in: path)
    }
  }

  /// The spellings of all options.
  var options: [String] {
    command.allOptions.flatMap { ["--\($0.name)"] + ($0.letter.map { ["-\($0)"] } ?? []) }
  }

  var subcommands: [String] { command.subcommands.map { $0.name } }
}

extension String {
  /// The text as one word of a shell: in single quotes.
  var quotedForShells: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
