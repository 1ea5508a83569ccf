/// The completion script for fish.
enum FishCompletions {
  static func script(for commands: [any Command.Type]) -> String {
    var lines = [
      "# Completes command lines of apollo-cli. Made by 'apollo-cli completions fish'.",
      "complete -c apollo-cli -f",
    ]
    for command in commands {
      lines.append(
        "complete -c apollo-cli -n __fish_use_subcommand -a \(command.name) "
          + "-d \(quoted(command.summary))")
    }
    for command in CompletedCommand.all(commands) { lines += self.lines(of: command) }
    return lines.joined(separator: "\n")
  }

  private static func lines(of command: CompletedCommand) -> [String] {
    let names = command.path.split(separator: " ")
    var condition = names.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    guard command.subcommands.isEmpty else {
      condition +=
        "; and not __fish_seen_subcommand_from \(command.subcommands.joined(separator: " "))"
      return command.command.subcommands.map {
        "complete -c apollo-cli -n \(quoted(condition)) -a \($0.name) -d \(quoted($0.summary))"
      }
    }
    let start = "complete -c apollo-cli -n \(quoted(condition))"
    var lines = command.command.allOptions.map { option in
      let letter = option.letter.map { " -s \($0)" } ?? ""
      let value = option.value == nil ? "" : value(of: option.kind)
      return "\(start) -l \(option.name)\(letter)\(value) -d \(quoted(option.help))"
    }
    switch command.command.operands?.kind {
    case .file, .folder: lines.append("\(start) -F")
    case .oneOf(let values):
      lines.append("\(start) -a \(quoted(values.joined(separator: " ")))")
    case .text, nil: break
    }
    return lines
  }

  private static func value(of kind: ValueKind) -> String {
    switch kind {
    case .text: " -x"
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .oneOf(let values): " -x -a \(quoted(values.joined(separator: " ")))"
    }
  }

  /// Returns the text in single quotes, in which fish knows two escapes.
  private static func quoted(_ text: String) -> String {
    let escaped = text.reduce(into: "") { result, character in
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return "'\(escaped)'"
  }
}
