#if DeveloperCommands
  import ApolloCodegenLib
  import GraphQLLanguageServer

  /// The command `apollo-cli lsp`: a language server on standard input and output.
  enum LSPCommand: Command {
    static let name = "lsp"
    static let summary = "Runs a language server for editors, on standard input and output."
    static let discussion = [
      "Editors start it. It reports what 'validate' reports while you type, completes "
        + "names, shows types, finds definitions and references, renames and formats. "
        + "Projects are those with an '\(ConfigurationFile.defaultPath.dropFirst(2))' in or above "
        + "the folders of the editor; without one, '**/*.graphqls' is the schema and '**/*.graphql' "
        + "the operations."
    ]
    static let options = [
      OptionDeclaration(
        "stdio", nil, "Use standard input and output; accepted because clients pass it.")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      var server = LanguageServer(
        version: generatorVersion, fileSystem: Environment.fileSystem)
      while server.exitCode == nil {
        let bytes = try Terminal.nextInput()
        if bytes.isEmpty { server.receiveEnd() } else { server.receive(bytes) }
        repeat {
          Terminal.write(bytes: server.run())
        } while server.hasWork && !Terminal.hasInput
      }
      return server.exitCode == 0 ? .success : .inputErrors
    }
  }
#endif
