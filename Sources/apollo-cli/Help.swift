/// The output of `--help`.
enum Help {
  /// The width of the text. A terminal that is narrower breaks lines itself.
  private static let width = 80

  static func overview(on descriptor: Int32 = Terminal.standardOutput) -> String {
    let commands = Commands.all.map { ($0.name, $0.summary) }
    let options =
      [("-V, --version", "Print the version.")]
      + GlobalOptions.all.map { ($0.label, $0.fullHelp) }
    return """
      Checks GraphQL operations against a schema and generates Swift for them.

      \(heading("USAGE:", descriptor)) apollo-cli COMMAND [OPTIONS]

      \(heading("COMMANDS:", descriptor))
      \(table(commands))

      \(heading("OPTIONS:", descriptor))
      \(table(options))

      Run 'apollo-cli COMMAND --help' for the options and examples of a command, and
      'apollo-cli help rules' for the rules that schemas and operations are held to.
      Exit codes: 0 done, 1 the input has errors, 2 the command could not run.
      """
  }

  static func text(of command: any Command.Type, named path: String) -> String {
    let stdout = Terminal.standardOutput
    let isGroup = !command.subcommands.isEmpty
    let operands = isGroup ? " SUBCOMMAND" : command.operands.map { " \($0.usage)" } ?? ""
    var sections = [
      command.summary, "\(heading("USAGE:", stdout)) apollo-cli \(path)\(operands) [OPTIONS]",
    ]
    let discussion = command.discussion.map { wrapped($0, width).joined(separator: "\n") }
    sections.insert(contentsOf: discussion, at: 1)
    func add(_ title: String, _ text: String) {
      sections.append("\(heading(title, stdout))\n\(text)")
    }
    if isGroup { add("SUBCOMMANDS:", table(command.subcommands.map { ($0.name, $0.summary) })) }
    if !isGroup, let operands = command.operands {
      add("ARGUMENTS:", table([(operands.usage, operands.help)]))
    }
    add("OPTIONS:", table(command.allOptions.map { ($0.label, $0.fullHelp) }))
    if !command.examples.isEmpty {
      add(
        "EXAMPLES:",
        command.examples.map { "  # \($0.purpose)\n  apollo-cli \($0.line)" }
          .joined(separator: "\n\n"))
    }
    return sections.joined(separator: "\n\n")
  }

  private static func heading(_ text: String, _ descriptor: Int32) -> String {
    Terminal.painted(text, .heading, on: descriptor)
  }

  /// Returns two columns. A label that is too long has its text on the next lines.
  static func table(_ rows: [(label: String, text: String)]) -> String {
    let column = min(28, (rows.map { $0.label.count }.max() ?? 0) + 4)
    let indentation = String(repeating: " ", count: column)
    return rows.flatMap { row -> [String] in
      var lines = wrapped(row.text, width - column).map { indentation + $0 }
      let label = "  \(row.label)"
      guard label.count + 2 <= column else { return [label] + lines }
      let padding = String(repeating: " ", count: column - label.count)
      lines[0] = label + padding + lines[0].dropFirst(column)
      return lines
    }.joined(separator: "\n")
  }

  /// Returns the lines of `text`, broken between words.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
