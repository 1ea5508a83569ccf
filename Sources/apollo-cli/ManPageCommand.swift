import ApolloCodegenLib

/// The command `apollo-cli man-page`: prints the manual of all commands for `man`.
enum ManPageCommand: Command {
  static let name = "man-page"
  static let summary = "Prints the manual of all commands for 'man'."
  static let examples = [
    CommandExample(
      "Install it for yourself.", "man-page > ~/.local/share/man/man1/apollo-cli.1")
  ]

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    Terminal.print(text)
    return .success
  }

  private static var text: String {
    var lines = [
      #".TH APOLLO\-CLI 1 "" "apollo-cli \#(generatorVersion)" "Apollo Swift""#,
      ".SH NAME", #"apollo\-cli \- checks GraphQL operations and generates Swift for them"#,
      ".SH SYNOPSIS", #".B apollo\-cli"#, ".I COMMAND", "[OPTIONS]",
      ".SH OPTIONS OF EVERY COMMAND",
    ]
    lines += GlobalOptions.all.flatMap(item)
    lines.append(".SH COMMANDS")
    for command in CompletedCommand.all(Commands.all) { lines += section(of: command) }
    lines += [
      ".SH EXIT STATUS", ".TP", "0", "The command is done.", ".TP", "1", "The input has errors.",
      ".TP", "2", "The command could not run.",
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "If set, output is not colored.",
      ".TP", ".B APOLLO_CLI_PROGRESS", "If 'never', no progress is shown.",
      ".TP", ".B XDG_CACHE_HOME",
      "The folder in which 'generate' keeps the record of earlier runs.",
    ]
    return lines.joined(separator: "\n")
  }

  private static func section(of command: CompletedCommand) -> [String] {
    var lines = [".SS \(escaped(command.path))", escaped(command.command.summary)]
    for paragraph in command.command.discussion { lines += [".PP", escaped(paragraph)] }
    if let operands = command.command.operands {
      lines += [".TP", ".I \(escaped(operands.usage))", escaped(operands.help)]
    }
    lines += command.command.options.flatMap(item)
    for example in command.command.examples {
      lines += [
        ".PP", escaped(example.purpose), ".PP", ".RS 4", ".nf",
        escaped("apollo-cli \(example.line)"), ".fi", ".RE",
      ]
    }
    return lines
  }

  private static func item(_ option: OptionDeclaration) -> [String] {
    let label = option.label.trimmingPrefix { $0 == " " }
    return [".TP", ".B \(escaped(String(label)))", escaped(option.fullHelp)]
  }

  /// Returns the text without characters that `man` interprets.
  private static func escaped(_ text: String) -> String {
    let text = text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      default: result.append(character)
      }
    }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
  }
}
