/// The completion script for bash.
///
/// The function finds the command in the words before the cursor. Then it completes the value of
/// the option in front of the cursor, or else options, subcommands and operands.
enum BashCompletions {
  static func script(for all: [any Command.Type]) -> String {
    let commands = CompletedCommand.all(all)
    return """
      # Completes command lines of apollo-cli. Made by 'apollo-cli completions bash'.
      _apollo_cli() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local command="" word
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$command $word" in
      \(commands.map { "      \(location(of: $0).quotedForShells)) command=\($0.path.quotedForShells) ;;" }
        .joined(separator: "\n"))
          esac
        done
        case "$command $previous" in
      \(commands.flatMap(values).joined(separator: "\n"))
        esac
        case "$command" in
          '') COMPREPLY=($(compgen -W \(words(of: all.map { $0.name } + ["help", "--help", "--version"])) -- "$current")) ;;
      \(commands.map(operands).joined(separator: "\n"))
        esac
      }
      complete -o filenames -F _apollo_cli apollo-cli
      """
  }

  /// Returns the command around a command, and its name.
  private static func location(of command: CompletedCommand) -> String {
    command.path.contains(" ") ? command.path : " \(command.path)"
  }

  private static func values(of command: CompletedCommand) -> [String] {
    command.command.allOptions.filter { $0.value != nil }.map { option in
      let spellings = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
      let patterns = spellings.map { "\(command.path) \($0)".quotedForShells }
      return "    \(patterns.joined(separator: "|"))) "
        + "COMPREPLY=(\(generation(of: option.kind))); return ;;"
    }
  }

  private static func operands(of command: CompletedCommand) -> String {
    let list = words(of: command.options)
    let rest = command.command.operands.map { " " + generation(of: $0.kind) } ?? ""
    return "    \(command.path.quotedForShells)) "
      + "COMPREPLY=($(compgen -W \(list) -- \"$current\")\(rest)) ;;"
  }

  private static func generation(of kind: ValueKind) -> String {
    switch kind {
    case .text: ""
    case .file: "$(compgen -f -- \"$current\")"
    case .folder: "$(compgen -d -- \"$current\")"
    case .oneOf(let values): "$(compgen -W \(words(of: values)) -- \"$current\")"
    }
  }

  private static func words(of list: [String]) -> String {
    list.joined(separator: " ").quotedForShells
  }
}
