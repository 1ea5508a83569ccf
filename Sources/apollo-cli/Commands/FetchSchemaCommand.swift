import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax

/// The command `apollo-cli fetch-schema`: downloads the schema of the configuration.
enum FetchSchemaCommand: Command {
  static let name = "fetch-schema"
  static let summary = "Downloads the schema from a server or a registry."
  static let options = ConfigurationFile.options

  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    try await fetch(try ConfigurationFile(arguments))
    return .success
  }

  static func fetch(_ file: ConfigurationFile) async throws {
    guard let settings = file.configuration.schemaDownload else {
      throw CommandFailure(
        "The configuration has no 'schemaDownload'. Add it to say where the schema comes from.",
        code: .inputErrors)
    }
    let document = try await SchemaDownload(settings, send: SchemaHTTP.send).fetch()
    let path = Path.join(file.rootFolder, settings.outputPath)
    try Environment.fileSystem.replace(path, try bytes(of: document, file.configuration, settings))
    Terminal.print("Wrote the schema to '\(path)'.")
  }

  /// Returns the text to write. The schema is built first, so that an unusable one is not written.
  private static func bytes(
    of document: SchemaDownload.Document, _ configuration: ApolloCodegenConfiguration,
    _ settings: ApolloCodegenConfiguration.SchemaDownload
  ) throws -> [UInt8] {
    switch document {
    case .sdl(let text):
      _ = try schema(.sdl(Source(name: "schema.graphqls", text: text)), configuration)
      return Array(text.utf8)
    case .introspection(let bytes):
      let schema = try schema(
        .introspection(Source(name: "introspection", bytes: bytes)), configuration)
      if case .introspection(let method) = settings.method, method.outputFormat == .json {
        return bytes
      }
      return Array("\(schema.printed())\n".utf8)
    }
  }

  private static func schema(
    _ input: SchemaInput, _ configuration: ApolloCodegenConfiguration
  ) throws -> Schema {
    let result = Schema.build([input], options: configuration.schemaOptions)
    guard result.isUsable else {
      let problems = DiagnosticFormat.xcode.render(
        result.diagnostics.filter { $0.severity == .error }, in: result.schema.document.sources)
      throw CommandFailure(
        "The server's schema is not valid, so nothing was written.\n\(problems)",
        code: .inputErrors)
    }
    return result.schema
  }
}
