#if DeveloperCommands
  import ApolloCodegenLib
  import Foundation
  import GraphQLFakeServer
  import GraphQLSchema
  import GraphQLSyntax
  import LocalHTTP

  /// The command `apollo-cli mock`: a fake server for a schema, over HTTP.
  enum MockCommand: Command {
    static let name = "mock"
    static let summary = "Runs a fake server whose data is made up from the schema."
    static let discussion = [
      "The server listens on this machine only, and accepts POST and GET. The same object has the "
        + "same values in every query, lists have pages, and mutations change the data until the "
        + "server ends. End it with Ctrl-C.",
      "Responses to operations with @defer and @stream come in parts, if the client accepts "
        + "'multipart/mixed'. Subscriptions send events as 'text/event-stream', as "
        + "'multipart/mixed;subscriptionSpec=1.0', or over a WebSocket (graphql-transport-ws).",
      "A file of --rules has values, errors and delays in milliseconds by path, and the values of "
        + "custom scalars: {\"values\": {\"hero.name\": \"Luke\"}, \"errors\": {\"hero.friends\": \"No.\"}, "
        + "\"delays\": {\"Film.director\": 500}, \"scalars\": {\"Date\": [\"2026-01-01\"]}}.",
    ]
    static let operands: OperandDeclaration? = SchemaFiles.operands
    static let options = [
      ConfigurationFile.pathOption, SchemaArguments.schema,
      OptionDeclaration(
        "port", nil, value: "PORT", default: "4000", "The port; 0 lets the system choose one."),
      OptionDeclaration(
        "seed", nil, value: "NUMBER", default: "1", "The number from which all values follow."),
      OptionDeclaration(
        "rules", nil, value: "FILE", of: .file, "A JSON file with values, errors and delays."),
      OptionDeclaration(
        "list-length", nil, value: "COUNT", default: "3",
        "The length of a list, and of a page whose length is not requested."),
      OptionDeclaration(
        "total", nil, value: "COUNT", default: "100",
        "The length of a list that is requested in pages."),
      OptionDeclaration(
        "nulls", nil, value: "PERCENT", default: "0", "The share of nullable fields that are null."),
      OptionDeclaration(
        "events", nil, value: "COUNT", default: "without end",
        "The number of events of a subscription."),
      OptionDeclaration(
        "interval", nil, value: "MILLISECONDS", default: "1000",
        "The time before each event of a subscription."),
    ]
    static let examples = [
      CommandExample("Serve the schema of the project.", "mock"),
      CommandExample(
        "Serve a schema, with the delays and errors of a file.",
        "mock schema.graphqls --port 8080 --rules slow.json"),
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let rules = try rules(arguments)
      let serverOptions = try serverOptions(arguments, rules)
      var files = SchemaFiles(arguments)
      let inputs = try files.sources().map { SchemaInput(detecting: $0) }
      let server: FakeServer
      do throws(FakeServerError) {
        server = try FakeServer(inputs, options: serverOptions)
      } catch {
        Terminal.error(error.description)
        return .inputErrors
      }
      rules?.apply(to: server)
      let port = try number("port", arguments, in: 0...65_535) ?? 4_000
      let local: LocalHTTPServer
      do throws(LocalServerError) {
        // Handlers run in tasks of their own, which do not inherit the style.
        let style = Terminal.style
        local = try LocalHTTPServer(port: UInt16(port)) { request, response in
          await Terminal.$style.withValue(style) {
            await MockExchange.run(request, response, server)
          }
        }
      } catch {
        throw CommandFailure("\(error)")
      }
      defer { local.stop() }
      Terminal.print("The fake server runs at \(local.address)/graphql. End it with Ctrl-C.")
      Terminal.flush()
      while true { try await Task.sleep(for: .seconds(3_600)) }
    }
  }

  // MARK: - Arguments

  extension MockCommand {
    private static func rules(_ arguments: ParsedArguments) throws(CommandFailure)
      -> FakeServerRules?
    {
      guard let path = arguments.value("rules") else { return nil }
      let bytes: [UInt8]
      do {
        bytes = try Environment.fileSystem.read(absolute(path), limit: InputFiles.greatestSize)
      } catch {
        throw CommandFailure("\(error)")
      }
      do throws(FakeServerRules.Problem) {
        return try FakeServerRules(bytes)
      } catch {
        throw CommandFailure("--rules \(path): \(error)")
      }
    }

    private static func serverOptions(
      _ arguments: ParsedArguments, _ rules: FakeServerRules?
    ) throws(CommandFailure) -> FakeServerOptions {
      let counts = 0...1_000_000
      let standard = FakeServerOptions()
      return FakeServerOptions(
        seed: UInt64(try number("seed", arguments, in: 0...Int.max) ?? 1),
        listLength: try number("list-length", arguments, in: counts) ?? standard.listLength,
        totalCount: try number("total", arguments, in: counts) ?? standard.totalCount,
        nullShare: Double(try number("nulls", arguments, in: 0...100) ?? 0) / 100,
        scalarValues: rules?.scalars ?? [:],
        eventCount: try number("events", arguments, in: counts),
        eventInterval: .milliseconds(try number("interval", arguments, in: 0...86_400_000) ?? 1_000)
      )
    }

    static func number(
      _ name: String, _ arguments: ParsedArguments, in range: ClosedRange<Int>
    ) throws(CommandFailure) -> Int? {
      guard let text = arguments.value(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw CommandFailure(
          "--\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'."
        )
      }
      return number
    }
  }
#endif
