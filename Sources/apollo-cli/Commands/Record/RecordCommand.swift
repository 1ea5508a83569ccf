#if DeveloperCommands
  import ApolloCodegenLib
  import ApolloRecording
  import Foundation
  import LocalHTTP

  /// The command `apollo-cli record`: a proxy that records what a program and its server say.
  enum RecordCommand: Command {
    static let name = "record"
    static let summary = "Records the requests of a program and the responses of its server."
    static let discussion = [
      "The program sends its requests to this machine, and the command passes them on to the server "
        + "of --endpoint, or to that of the configuration. What both say is written to FILE as JSON "
        + "Lines, which 'ReplayTransport' of ApolloTestSupport plays back in tests.",
      "The values of headers, variables and fields whose names suggest secrets are left out. Read "
        + "the file before you publish it: it has the data of the server. End with Ctrl-C.",
    ]
    static let operands: OperandDeclaration? = OperandDeclaration(
      "FILE", "The file to write. An older one is replaced.")
    static let options =
      ConfigurationFile.options + [
        OptionDeclaration(
          "port", nil, value: "PORT", default: "4000", "The port; 0 lets the system choose one."),
        OptionDeclaration(
          "endpoint", "e", value: "URL", "The server. No configuration is needed with it."),
        OptionDeclaration(
          "header", nil, value: "'NAME: VALUE'",
          "A header to send besides those of the program. May be repeated."),
        OptionDeclaration(
          "redact", nil, value: "NAME",
          "A further variable or field whose values are left out. May be repeated."),
        OptionDeclaration(
          "keep", nil, value: "NAME",
          "A variable or field whose values are recorded although its name suggests a secret. "
            + "May be repeated."),
        OptionDeclaration("redact-variables", nil, "Leave out the values of all variables."),
      ]
    static let examples = [
      CommandExample(
        "Record the session of a program that sends to http://127.0.0.1:4000/graphql.",
        "record session.jsonl --endpoint https://example.org/graphql")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      guard let path = arguments.operands.first, arguments.operands.count == 1 else {
        throw CommandFailure("Name one file to write: apollo-cli record FILE.")
      }
      let needsFile = !arguments.has("endpoint") || ConfigurationFile.isAvailable(arguments)
      let file =
        needsFile
        ? try ConfigurationFile(arguments, alternative: "name a server with --endpoint") : nil
      let settings = try FetchSchemaCommand.settings(arguments, file)
      guard case .introspection(let server) = settings.method else {
        throw CommandFailure(
          "The configuration names a registry and no server. Name the server with --endpoint.")
      }
      guard SchemaHTTP.isAddress(server.endpointURL) else {
        throw CommandFailure("The address of the server is no address. Use http://… or https://….")
      }
      for header in settings.headers { try SchemaHTTP.check(header) }
      let log: RecordingLog
      do {
        log = try RecordingLog(
          file: URL(fileURLWithPath: absolute(path)),
          redaction: RecordingRedaction(
            secretNames: Set(arguments.values("redact")), exceptions: Set(arguments.values("keep")),
            redactsAllVariables: arguments.has("redact-variables")),
          clock: ContinuousClock()
        ) { error in
          // The program that is recorded goes on: it needs the server and not the file.
          Terminal.failure(
            "The recording in '\(path)' ends here, and requests are only passed on: "
              + error.localizedDescription)
        }
      } catch {
        throw CommandFailure("Cannot write '\(path)': \(error.localizedDescription)")
      }
      let proxy = RecordingProxy(server.endpointURL, headers: settings.headers, log)
      let port = try MockCommand.number("port", arguments, in: 0...65_535) ?? 4_000
      let local: LocalHTTPServer
      do throws(LocalServerError) {
        // Handlers run in tasks of their own, which do not inherit the style.
        let style = Terminal.style
        // The server decides how large an upload may be.
        var limits = RequestParser.Limits()
        limits.bodyByteCount = 1 << 30
        local = try LocalHTTPServer(port: UInt16(port), limits: limits) { request, response in
          await Terminal.$style.withValue(style) { await proxy.pass(request, response) }
        }
      } catch {
        throw CommandFailure("\(error)")
      }
      defer { local.stop() }
      Terminal.print(
        "Recording to '\(path)': send requests to \(local.address)/graphql. End with Ctrl-C.")
      Terminal.flush()
      while true { try await Task.sleep(for: .seconds(3_600)) }
    }
  }
#endif
