import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The command `apollo-cli fetch-schema`: downloads the schema of a server or a registry.
enum FetchSchemaCommand: Command {
  typealias Settings = ApolloCodegenConfiguration.SchemaDownload

  static let name = "fetch-schema"
  static let summary = "Downloads the schema from a server or a registry."
  static let discussion = [
    "Without --endpoint, the configuration says where the schema comes from ('schemaDownload'). "
      + "Headers, addresses and keys can refer to variables of the environment: ${TOKEN}.",
    "A schema with errors is not written.",
  ]
  static let options =
    ConfigurationFile.options + [
      OptionDeclaration(
        "endpoint", "e", value: "URL",
        "The GraphQL server to ask. No configuration is needed with it."),
      OptionDeclaration(
        "header", nil, value: "'NAME: VALUE'",
        "A header to send, besides those of the configuration. May be repeated."),
      OptionDeclaration(
        "type-depth", nil, value: "N",
        default: "9, and 3 if the server refuses that",
        "The number of nested 'ofType' of the query, from 1 to 9, for a server that limits the "
          + "depth of queries."),
      OptionDeclaration(
        "output", "o", value: "FILE", of: .file,
        default: "that of the configuration, else \(defaultOutput)",
        "The file to write, SDL or, if it ends in .json, JSON; '-' is standard output."),
    ]
  static let examples = [
    CommandExample("Download the schema of the configuration.", "fetch-schema"),
    CommandExample(
      "Download a schema without a configuration.",
      "fetch-schema --endpoint https://example.org/graphql --header 'Authorization: Bearer ${TOKEN}'"
    ),
  ]

  private static let defaultOutput = "schema.graphqls"

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let needsFile = !arguments.has("endpoint") || ConfigurationFile.isAvailable(arguments)
    let file =
      needsFile
      ? try ConfigurationFile(arguments, alternative: "name a server with --endpoint") : nil
    try await fetch(arguments, file)
    return .success
  }

  /// Downloads the schema that the arguments or the configuration name.
  static func fetch(_ arguments: ParsedArguments, _ file: ConfigurationFile?) async throws {
    let settings = try settings(arguments, file)
    let source: SchemaHTTP.AddressSource
    switch settings.method {
    case .introspection: source = arguments.has("endpoint") ? .option : .configuration
    case .apolloRegistry: source = .registry
    }
    let document: SchemaDownload.Document
    let progress = ProgressLine()
    progress.show("Downloading the schema…")
    defer { progress.clear() }
    do {
      document = try await SchemaDownload(settings, send: SchemaHTTP(source: source).send)
        .fetch { Terminal.warning($0) }
    } catch let error as SchemaDownloadError {
      throw CommandFailure(error.descriptionForCommandLine(isConfigured: source != .option))
    }
    progress.clear()
    let bytes = try bytes(of: document, file?.configuration, settings)
    guard settings.outputPath != "-" else {
      return Terminal.write(String(decoding: bytes, as: UTF8.self))
    }
    try Environment.fileSystem.save(settings.outputPath, bytes)
    Terminal.status("Wrote the schema to '\(settings.outputPath)'.")
  }

  // MARK: - Settings

  /// Returns the settings of the configuration with those of the arguments in their place, and with
  /// an absolute path. The command `run` uses them as well.
  static func settings(
    _ arguments: ParsedArguments, _ file: ConfigurationFile?
  ) throws(CommandFailure) -> Settings {
    var settings: Settings
    if let configured = file?.configuration.schemaDownload {
      settings = configured
    } else {
      settings = try empty(arguments)
    }
    if file?.configuration.schemaDownload != nil {
      settings.outputPath = Path.join(file?.rootFolder ?? "", settings.outputPath)
    }
    if let endpoint = arguments.value("endpoint") {
      var introspection = Settings.Introspection(endpointURL: endpoint)
      if !isOrigin(of: endpoint, sharedBy: settings) { dropHeaders(of: &settings, for: endpoint) }
      if case .introspection(let configured) = settings.method {
        introspection = configured
        introspection.endpointURL = endpoint
      }
      settings.method = .introspection(introspection)
    }
    if let text = arguments.value("type-depth") {
      guard let depth = Int(text), Settings.Introspection.typeDepths.contains(depth) else {
        throw CommandFailure("--type-depth needs a number from 1 to 9, not '\(text)'.")
      }
      if case .introspection(var introspection) = settings.method {
        introspection.typeDepth = depth
        settings.method = .introspection(introspection)
      }
    }
    for header in arguments.values("header") {
      guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else {
        throw CommandFailure("--header needs 'NAME: VALUE', not '\(header)'.")
      }
      let name = String(header[..<colon])
      settings.headers.removeAll { $0.key.lowercased() == name.lowercased() }
      let value = String(header[header.index(after: colon)...].drop { $0 == " " })
      settings.headers.append(.init(key: name, value: value))
    }
    if let output = arguments.value("output") {
      settings.outputPath = output == "-" ? output : absolute(output)
      if case .introspection(var introspection) = settings.method {
        introspection.outputFormat = output.hasSuffix(".json") ? .json : .sdl
        settings.method = .introspection(introspection)
      }
    }
    do throws(UnsetVariable) {
      return try settings.replacingVariables(Environment.variable)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Returns `true` if the settings are for the server of an address.
  private static func isOrigin(of endpoint: String, sharedBy settings: Settings) -> Bool {
    var addresses = settings
    addresses.headers = []
    // Without its variables, the address of the configuration is unknown.
    guard let known = try? addresses.replacingVariables(Environment.variable),
      case .introspection(let introspection) = known.method
    else { return false }
    return SchemaHTTP.origin(of: endpoint) == SchemaHTTP.origin(of: introspection.endpointURL)
  }

  /// Removes the headers of the configuration, which can be credentials of another server.
  private static func dropHeaders(of settings: inout Settings, for endpoint: String) {
    guard !settings.headers.isEmpty else { return }
    let names = settings.headers.map { "'\($0.key)'" }.joined(separator: ", ")
    settings.headers = []
    Terminal.warning(
      "The headers of the configuration (\(names)) are for another server, so they are not sent to "
        + "'\(SchemaHTTP.origin(of: endpoint) ?? endpoint)'. Give those that it needs with --header."
    )
  }

  /// Returns settings for a server that the arguments name.
  private static func empty(_ arguments: ParsedArguments) throws(CommandFailure) -> Settings {
    guard let endpoint = arguments.value("endpoint") else {
      throw CommandFailure(
        "The configuration has no 'schemaDownload'. Add it to say where the schema comes from, "
          + "or name a server with --endpoint.",
        code: .inputErrors)
    }
    return Settings(
      method: .introspection(.init(endpointURL: endpoint)), outputPath: absolute(defaultOutput))
  }

  // MARK: - Output

  /// Returns the text to write. The schema is built first, so that an unusable one is not written.
  private static func bytes(
    of document: SchemaDownload.Document, _ configuration: ApolloCodegenConfiguration?,
    _ settings: Settings
  ) throws -> [UInt8] {
    let options = configuration?.schemaOptions ?? ApolloCodegenConfiguration.standardSchemaOptions
    let format: Settings.OutputFormat =
      switch settings.method {
      case .introspection(let introspection): introspection.outputFormat
      // The configuration of a registry has no format, so that the name of the file decides.
      case .apolloRegistry: settings.outputPath.hasSuffix(".json") ? .json : .sdl
      }
    return document.contents(try schema(document.input, options), as: format)
  }

  private static func schema(
    _ input: SchemaInput, _ options: SchemaOptions
  ) throws -> Schema {
    let result = Schema.build([input], options: options)
    guard result.isUsable else {
      let problems = DiagnosticFormat.text.render(
        result.diagnostics.filter { $0.severity == .error }, in: result.schema.document.sources)
      throw CommandFailure(
        "The server's schema is not valid, so nothing was written.\n\(problems)",
        code: .inputErrors)
    }
    return result.schema
  }
}
