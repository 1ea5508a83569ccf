#if DeveloperCommands
  import CacheInspection
  import CacheLocations

  /// The command `apollo-cli cache serve`.
  enum CacheServe: Command {
    static let name = "serve"
    static let summary = "Shows the cache on a local page, which follows its changes."
    static let discussion = [
      "Prints the address of the page. It is served to programs of this machine only, and its "
        + "address has a random token, without which nothing is shown. End it with Ctrl-C.",
      CacheOperand.discussion,
    ]
    static let operands: OperandDeclaration? = OperandDeclaration("CACHE", "The cache.")
    static let options = [
      OptionDeclaration(
        "port", nil, value: "NUMBER", default: "a free one", "The port of the page.")
    ]

    static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
      let cache = try CacheOperand.only(arguments, for: Self.self)
      let port = try arguments.number("port") ?? 0
      guard let port = UInt16(exactly: port) else {
        throw CommandFailure("--port needs a number up to 65535, not '\(port)'.")
      }
      return try await CacheOperand.failing {
        let inspector = try await CacheInspector(cache)
        defer { inspector.close() }
        let server = try CachePageServer(inspector, port: port)
        Terminal.note("The page shows the cache until you press Ctrl-C:")
        Terminal.print(server.address)
        Terminal.flush()
        await server.serveUntilInterrupted()
        return .success
      }
    }
  }
#endif
