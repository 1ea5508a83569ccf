/// The output of `--help`.
enum Help {
  static var overview: String {
    let width = Commands.all.map { $0.name.count }.max() ?? 0
    let commands = Commands.all.map { "  \(pad($0.name, width))  \($0.summary)" }
    return """
      Checks GraphQL operations against a schema and generates Swift for them.

      USAGE: apollo-cli COMMAND [OPTIONS]

      COMMANDS:
      \(commands.joined(separator: "\n"))

      Run 'apollo-cli COMMAND --help' for the options of a command.
      'apollo-cli --version' prints the version.
      Exit codes: 0 done, 1 the input has errors, 2 the command could not run.
      """
  }

  static func text(of command: any Command.Type) -> String {
    let options = command.options + [OptionDeclaration("help", "h", "Show this help.")]
    let rows = options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? "    "
      return (letter + "--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help)
    }
    let width = rows.map { $0.0.count }.max() ?? 0
    let operands = command.operands.map { " \($0)" } ?? ""
    return """
      \(command.summary)

      USAGE: apollo-cli \(command.name) [OPTIONS]\(operands)

      OPTIONS:
      \(rows.map { "  \(pad($0.0, width))  \($0.1)" }.joined(separator: "\n"))
      """
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
