/// The completion script for bash.
///
/// The function finds the command in the words before the cursor. Then it completes the value of
/// the option in front of the cursor, or else options, subcommands and operands.
///
/// Bash treats completions as paths, with quotes for spaces and a slash behind a folder. `compopt`
/// turns that off for other words, such as the command `schema` beside a folder of that name. The
/// bash of macOS lacks `compopt`, and ignores the call.
enum BashCompletions {
  static func script(for all: [any Command.Type]) -> String {
    let commands = CompletedCommand.all(all)
    return """
      # Completes command lines of apollo-cli. Made by 'apollo-cli completions bash'.
      _apollo_cli_paths() {
        local path
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
      }
      _apollo_cli() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local command="" word
        COMPREPLY=()
        # The equals sign of '--option=value' is a word of its own.
        if [[ $current == = ]]; then
          current=""
        elif [[ $previous == = ]]; then
          previous="${COMP_WORDS[COMP_CWORD-2]}"
        fi
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
          '') \(completion(of: all.map { $0.name } + ["help", "--help", "--version"])) ;;
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
        + "\(completion(of: option.kind).map { "\($0); " } ?? "")return ;;"
    }
  }

  private static func operands(of command: CompletedCommand) -> String {
    let pattern = "    \(command.path.quotedForShells)) "
    if case .oneOf(let values)? = command.command.operands?.kind {
      return "\(pattern)\(completion(of: command.options + values)) ;;"
    }
    let rest = command.command.operands.flatMap { completion(of: $0.kind) }.map { "; \($0)" }
    return "\(pattern)\(replies(command.options))\(rest ?? "") ;;"
  }

  /// Returns the statements that complete a value, or `nil` for any text.
  private static func completion(of kind: ValueKind) -> String? {
    switch kind {
    case .text: nil
    case .file: "_apollo_cli_paths -f"
    case .folder: "_apollo_cli_paths -d"
    case .oneOf(let values): completion(of: values)
    }
  }

  /// Returns the statements that complete words that are no paths.
  private static func completion(of words: [String]) -> String {
    "compopt +o filenames 2>/dev/null; \(replies(words))"
  }

  private static func replies(_ words: [String]) -> String {
    let list = words.joined(separator: " ").quotedForShells
    return "COMPREPLY=($(compgen -W \(list) -- \"$current\"))"
  }
}
