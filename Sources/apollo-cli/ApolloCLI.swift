import ApolloCodegenLib

/// The command line tool.
///
/// 1. Find the command.
/// 2. Parse its options.
/// 3. Run it.
/// 4. Turn a failure into a message and an exit code.
@main
struct ApolloCLI {
  static func main() async {
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    Terminal.flush()
    exitProcess(code)
  }

  @MainActor static func run(_ arguments: [String]) async -> ExitCode {
    guard let name = arguments.first else {
      Terminal.error(Help.overview)
      return .couldNotRun
    }
    switch name {
    case "--help", "-h", "help":
      return help(for: arguments.dropFirst().first)
    case "--version":
      Terminal.print(generatorVersion)
      return .success
    default: break
    }
    guard let command = Commands.named(name) else {
      let hint = Spelling.nearest(to: name, in: Commands.all.map { $0.name })
      Terminal.error(
        "error: '\(name)' is not a command.\(hint.map { " Did you mean '\($0)'?" } ?? "") "
          + "Run 'apollo-cli --help' to see all commands.")
      return .couldNotRun
    }
    return await run(command, Array(arguments.dropFirst()))
  }

  private static func help(for name: String?) -> ExitCode {
    Terminal.print(name.flatMap(Commands.named).map(Help.text(of:)) ?? Help.overview)
    return .success
  }

  @MainActor private static func run(
    _ command: any Command.Type, _ arguments: [String]
  ) async -> ExitCode {
    do {
      let parsed = try ParsedArguments(
        arguments, options: command.options, operands: command.operands)
      if parsed.has("help") {
        Terminal.print(Help.text(of: command))
        return .success
      }
      return try await command.run(parsed)
    } catch let failure as CommandFailure {
      Terminal.error("error: \(failure.message)")
      return failure.code
    } catch {
      Terminal.error("error: \(error)")
      return .couldNotRun
    }
  }
}
