import ApolloCodegenLib
import Foundation
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The command `apollo-cli run`: sends an operation to a server and prints the response.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Sends an operation to the server and prints its response."
  static let discussion =
    [
      "The server and its headers are those of the configuration ('schemaDownload'), unless "
        + "--endpoint names another one. The operation is checked against the project's schema "
        + "first, and fragments can be in other files of the project.",
      "A subscription prints each event as a line of JSON when it arrives, over HTTP as server-sent "
        + "events or as multipart. End it with Ctrl-C.",
    ] + CacheUse.discussion + ["Ends with 1 if the response has errors."]
  static let operands: OperandDeclaration? = OperandDeclaration(
    "OPERATION", "The file with the operation; '-' is standard input.")
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration(
        "operation", nil, value: "NAME", "The operation, if the file has more than one."),
      OptionDeclaration(
        "variables", nil, value: "JSON",
        "The variables as a JSON object, or @FILE for those in a file."),
      OptionDeclaration(
        "endpoint", "e", value: "URL",
        "The server to ask. No configuration is needed with it."),
      OptionDeclaration(
        "header", nil, value: "'NAME: VALUE'",
        "A header to send, besides those of the configuration. May be repeated."),
      OptionDeclaration(
        "compact", nil, "Print the response as the server has written it, on one line."),
    ] + CacheUse.options
  static let examples =
    [
      CommandExample(
        "Send a query with a variable.",
        #"run GraphQL/HeroName.graphql --variables '{"episode": "EMPIRE"}'"#),
      CommandExample(
        "Ask another server, without a configuration.",
        "run query.graphql --endpoint https://example.org/graphql --header 'Authorization: Bearer ${TOKEN}'"
      ),
    ] + cacheExamples

  private static var cacheExamples: [CommandExample] {
    #if DeveloperCommands
      [
        CommandExample(
          "Answer from a cache, and ask the server only for what is missing.",
          "run GraphQL/HeroName.graphql --cache apollo.sqlite")
      ]
    #else
      []
    #endif
  }

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    guard let path = arguments.operands.first, arguments.operands.count == 1 else {
      throw CommandFailure("Name one file with an operation: apollo-cli run OPERATION.")
    }
    let needsFile = !arguments.has("endpoint") || ConfigurationFile.isAvailable(arguments)
    let file =
      needsFile
      ? try ConfigurationFile(arguments, alternative: "name a server with --endpoint") : nil
    #if DeveloperCommands
      let cacheUse = try CacheUse(arguments)
    #endif
    let variables = try variables(arguments)
    guard let operation = try RunOperation(at: path, named: arguments.value("operation"), in: file)
    else { return .inputErrors }
    let isCompact = arguments.has("compact")
    #if DeveloperCommands
      if let cacheUse {
        let run = try CachedRun(cacheUse, operation, variables: variables, in: file)
        if operation.kind == .subscription {
          let (request, http) = try self.request(run.operation, run.variables, arguments, file)
          return try await subscribe(request, http) { _ = await run.write($0) }
        }
        return try await run.run(isCompact: isCompact) {
          let (request, http) = try self.request(run.operation, run.variables, arguments, file)
          return try await response(to: request, http)
        }
      }
    #endif
    let (request, http) = try self.request(operation, variables, arguments, file)
    if operation.kind == .subscription { return try await subscribe(request, http) { _ in } }
    return try await response(to: request, http).show(isCompact: isCompact)
  }

  /// Returns the request for an operation to the server of the configuration or the arguments.
  private static func request(
    _ operation: RunOperation, _ variables: String?, _ arguments: ParsedArguments,
    _ file: ConfigurationFile?
  ) throws(CommandFailure) -> (SchemaRequest, SchemaHTTP) {
    let settings = try FetchSchemaCommand.settings(arguments, file)
    guard case .introspection(let server) = settings.method else {
      throw CommandFailure(
        "The configuration names a registry and no server. Name the server with --endpoint.")
    }
    return (
      operation.request(to: server.endpointURL, variables: variables, settings),
      SchemaHTTP(source: arguments.has("endpoint") ? .option : .configuration)
    )
  }

  /// Returns the variables as the text of a JSON object, or `nil` if there are none.
  private static func variables(_ arguments: ParsedArguments) throws(CommandFailure) -> String? {
    guard let value = arguments.value("variables") else { return nil }
    var bytes = Array(value.utf8)
    if value.hasPrefix("@") {
      let path = absolute(String(value.dropFirst()))
      do {
        bytes = try Environment.fileSystem.read(path, limit: InputFiles.greatestSize)
      } catch {
        throw CommandFailure("\(error)")
      }
    }
    let kind: String?
    do {
      let root = try IndexedJSON(bytes).root
      kind = root.kind == .object ? nil : root.kindName
    } catch {
      let (line, column) = error.position(in: bytes)
      throw CommandFailure("--variables is no JSON (\(line):\(column)): \(error.message)")
    }
    if let kind { throw CommandFailure("--variables needs a JSON object, not \(kind).") }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Responses

  /// Sends a request, and returns the response.
  @MainActor private static func response(
    to request: SchemaRequest, _ http: SchemaHTTP
  ) async throws -> RunResponse {
    let response = try await http.send(request)
    return try self.response(response.body, status: response.status, to: request)
  }

  private static func response(
    _ body: [UInt8], status: Int, to request: SchemaRequest
  ) throws(CommandFailure) -> RunResponse {
    if let response = RunResponse(body) { return response }
    throw CommandFailure(
      "The server at '\(request.redactedURL)' responded with status \(status) and with something "
        + "other than a GraphQL response. Check the address, and the headers that it needs "
        + "(--header).")
  }

  /// Prints each event of a subscription until it ends, and passes it on.
  @MainActor private static func subscribe(
    _ request: SchemaRequest, _ http: SchemaHTTP, _ receive: @MainActor (RunResponse) async -> Void
  ) async throws -> ExitCode {
    var hasBegun = false
    do {
      return try await events(request, http, &hasBegun, receive)
    } catch let error as URLError {
      throw CommandFailure(
        hasBegun
          ? http.message(forInterruption: error, request) : http.message(for: error, request))
    }
  }

  /// Sets `hasBegun` when the response has begun.
  @MainActor private static func events(
    _ request: SchemaRequest, _ http: SchemaHTTP, _ hasBegun: inout Bool,
    _ receive: @MainActor (RunResponse) async -> Void
  ) async throws -> ExitCode {
    var events = EventParser(contentType: nil)
    var (status, code) = (200, ExitCode.success)
    var rest: [UInt8] = []
    for try await part in try http.stream(request) {
      switch part {
      case .head(let head, let contentType, _):
        hasBegun = true
        status = head
        events = EventParser(contentType: contentType)
      case .bytes(let bytes):
        guard events.hasEvents else {
          rest += bytes
          continue
        }
        for event in events.append(bytes) {
          let event = try response(event, status: status, to: request)
          await receive(event)
          if event.show(isCompact: true) != .success { code = .inputErrors }
          Terminal.flush()
        }
        if events.isAtEnd { return code }
      }
    }
    guard events.hasEvents else {
      let response = try response(rest, status: status, to: request)
      await receive(response)
      return response.show(isCompact: false)
    }
    guard events.isAtEnd else {
      throw CommandFailure(
        "The server at '\(request.redactedURL)' ended the response without ending the "
          + "subscription. Check its log, and what is in front of it.")
    }
    return code
  }
}
