/// The completion script for zsh.
enum ZshCompletions {
  static func script(for all: [any Command.Type]) -> String {
    let commands = CompletedCommand.all(all)
    let groups = commands.filter { !$0.subcommands.isEmpty }
    return """
      #compdef apollo-cli
      # Completes command lines of apollo-cli. Made by 'apollo-cli completions zsh'.
      _apollo-cli() {
        local -a commands
        if (( CURRENT == 2 )); then
          commands=(
      \(descriptions(of: all))
          )
          _describe 'command' commands
          return
        fi
        local command="$words[2]"
        shift words
        (( CURRENT-- ))
        case "$command" in
      \(groups.map(subcommands).joined(separator: "\n"))
        esac
        case "$command" in
      \(commands.filter { $0.subcommands.isEmpty }.map(arguments).joined(separator: "\n"))
        esac
      }
      _apollo-cli "$@"
      """
  }

  private static func descriptions(of commands: [any Command.Type]) -> String {
    commands.map { "      \("\($0.name):\($0.summary)".quotedForShells)" }.joined(separator: "\n")
  }

  private static func subcommands(of group: CompletedCommand) -> String {
    """
        \(group.path))
          if (( CURRENT == 2 )); then
            commands=(
    \(descriptions(of: group.command.subcommands))
            )
            _describe 'subcommand' commands
            return
          fi
          command="$command $words[2]"
          shift words
          (( CURRENT-- )) ;;
    """
  }

  private static func arguments(of command: CompletedCommand) -> String {
    let options = command.command.allOptions.map { option in
      let help = escaped(option.help)
      let value = option.value.map { ":\(escaped($0)):\(action(of: option.kind))" } ?? ""
      let long = "--\(option.name)"
      guard let letter = option.letter else { return "*\(long)[\(help)]\(value)".quotedForShells }
      let short = "-\(letter)"
      return "'*'{\(short),\(long)}" + "[\(help)]\(value)".quotedForShells
    }
    let operands = command.command.operands.map {
      ["*:\(escaped($0.usage)):\(action(of: $0.kind))".quotedForShells]
    }
    let lines = (options + (operands ?? [])).map { "        \($0)" }
    return "    \(command.path.quotedForShells)) _arguments \\\n"
      + lines.joined(separator: " \\\n") + " ;;"
  }

  private static func action(of kind: ValueKind) -> String {
    switch kind {
    case .text: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .oneOf(let values): "(\(values.joined(separator: " ")))"
    }
  }

  /// Returns the text without the meaning that brackets, colons and backslashes have.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "[]:\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
