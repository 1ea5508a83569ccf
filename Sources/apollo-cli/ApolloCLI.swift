import ApolloCodegenLib

/// The command line tool.
///
/// 1. Find the command, or the subcommand.
/// 2. Parse its options.
/// 3. Run it.
/// 4. Turn a failure into a message and an exit code. Lost output is a failure, too.
@main
struct ApolloCLI {
  static func main() async {
    var code = await run(Array(CommandLine.arguments.dropFirst()))
    if let failure = Terminal.outputFailure {
      Terminal.failure(failure.message)
      code = failure.code
    }
    Terminal.flush()
    exitProcess(code)
  }

  @MainActor static func run(_ arguments: [String]) async -> ExitCode {
    let (leading, arguments) = leadingOptions(arguments)
    guard let name = arguments.first else {
      Terminal.error(Help.overview(on: Terminal.standardError))
      return .couldNotRun
    }
    switch name {
    case "--help", "-h", "help":
      return help(for: arguments.dropFirst().filter { !$0.hasPrefix("-") })
    case "--version", "-V":
      Terminal.print(generatorVersion)
      return .success
    default: break
    }
    guard let call = CommandCall(arguments) else {
      if Commands.omitted.contains(name) {
        Terminal.failure(
          "This build of apollo-cli has no command '\(name)', because the package trait "
            + "'DeveloperCommands' is off. Add it to the traits of the dependency on apollo-swift.")
        return .couldNotRun
      }
      let hint = Spelling.nearest(to: name, in: Commands.all.map { $0.name })
      Terminal.failure(
        "'\(name)' is not a command.\(hint.map { " Did you mean '\($0)'?" } ?? "") "
          + "Run 'apollo-cli --help' to see all commands.")
      return .couldNotRun
    }
    return await run(call, leading)
  }

  /// Separates the options of every command that are in front of a command or subcommand.
  fileprivate static func leadingOptions(
    _ arguments: [String]
  ) -> (options: [String], rest: [String]) {
    var rest = arguments[...]
    var options: [String] = []
    while let first = rest.first {
      if ["--quiet", "-q"].contains(first) || first.hasPrefix("--color=") {
        options.append(first)
        rest = rest.dropFirst()
      } else if first == "--color" {
        options += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return (options, Array(rest))
  }

  private static func help(for names: [String]) -> ExitCode {
    if names == ["rules"] {
      Terminal.print(RulesCommand.list)
      return .success
    }
    guard !names.isEmpty else {
      Terminal.print(Help.overview())
      return .success
    }
    guard let call = CommandCall(names), call.arguments.isEmpty else {
      Terminal.failure(
        "'\(names.joined(separator: " "))' is not a command. "
          + "Run 'apollo-cli --help' to see all commands.")
      return .couldNotRun
    }
    Terminal.print(Help.text(of: call.command, named: call.path))
    return .success
  }

  @MainActor private static func run(_ call: CommandCall, _ leading: [String]) async -> ExitCode {
    do {
      let parsed = try ParsedArguments(
        leading + call.arguments, of: call.command, named: call.path)
      let style = Terminal.Style(
        color: try parsed.choice("color", ColorChoice.self) ?? .auto, isQuiet: parsed.has("quiet"))
      return try await Terminal.$style.withValue(style) {
        if parsed.has("help") {
          Terminal.print(Help.text(of: call.command, named: call.path))
          return .success
        }
        do {
          return try await call.command.run(parsed)
        } catch let failure as CommandFailure {
          if !failure.message.isEmpty { Terminal.failure(failure.message) }
          return failure.code
        }
      }
    } catch let failure as CommandFailure {
      Terminal.failure(failure.message)
      return failure.code
    } catch {
      Terminal.failure("\(error)")
      return .couldNotRun
    }
  }
}

/// A command that the arguments name, and the arguments after its name.
struct CommandCall {
  var command: any Command.Type
  /// The names that lead to the command, such as `schema diff`.
  var path: String
  var arguments: [String]

  /// Finds the command; `nil` if the first argument names none. Options of every command can be in
  /// front of a subcommand.
  init?(_ arguments: [String]) {
    guard let name = arguments.first, var command = Commands.named(name) else { return nil }
    var rest = Array(arguments.dropFirst())
    var path = name
    while true {
      let (leading, following) = ApolloCLI.leadingOptions(rest)
      guard let name = following.first,
        let next = command.subcommands.first(where: { $0.name == name })
      else { break }
      command = next
      path += " \(name)"
      rest = leading + following.dropFirst()
    }
    self.command = command
    self.path = path
    self.arguments = rest
  }
}
