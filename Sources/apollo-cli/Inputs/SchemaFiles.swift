import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The schema that the arguments of a command name, or that of the configuration.
///
/// The configuration is read when it is first needed, and only once, so that its problems are shown
/// once.
struct SchemaFiles {
  static let operands = OperandDeclaration(
    "[PATH…]",
    "Files, folders or patterns of the schema; those of the configuration without any.")

  static let options = [
    ConfigurationFile.pathOption, SchemaArguments.schema, SchemaArguments.severity,
  ]

  private let arguments: ParsedArguments
  /// The configuration, or the failure to read it, or `nil` if there is none.
  private lazy var project = Self.project(arguments)

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  private static func project(
    _ arguments: ParsedArguments
  ) -> Result<ConfigurationFile, CommandFailure>? {
    guard ConfigurationFile.isAvailable(arguments) else { return nil }
    do throws(CommandFailure) {
      return .success(try ConfigurationFile(arguments))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the configuration of a command that needs it.
  mutating func configurationFile() throws(CommandFailure) -> ConfigurationFile {
    switch project {
    case .success(let file)?: return file
    case .failure(let failure)?: throw failure
    // The error says how to make one.
    case nil: return try ConfigurationFile(arguments)
    }
  }

  /// Returns the configuration of a command that works without it, or `nil` if there is none that
  /// can be used.
  private mutating func configuration() -> ApolloCodegenConfiguration? {
    guard case .success(let file)? = project else { return nil }
    return file.configuration
  }
}

// MARK: - Schemas

extension SchemaFiles {
  /// Returns the schema, or `nil` after showing its errors.
  mutating func schema() throws(CommandFailure) -> Schema? {
    let files = try sources()
    return try schema(of: files)
  }

  /// Returns the schema of `sources`, or `nil` after showing its errors.
  mutating func schema(of sources: [Source]) throws(CommandFailure) -> Schema? {
    let options = try schemaOptions()
    let result = Schema.build(sources.map { SchemaInput(detecting: $0) }, options: options)
    Terminal.show(result.diagnostics, in: result.schema.document.sources)
    return result.isUsable ? result.schema : nil
  }

  /// Returns the files that the arguments name, or those of the configuration.
  mutating func sources() throws(CommandFailure) -> [Source] {
    let paths = arguments.values("schema") + arguments.operands
    try SchemaArguments.checkStandardInput(paths)
    guard paths.isEmpty else { return try InputFiles.schemas.read(paths) }
    return try ofProject()
  }

  /// Returns the files of the configuration.
  mutating func ofProject() throws(CommandFailure) -> [Source] {
    guard ConfigurationFile.isAvailable(arguments) else {
      throw CommandFailure(
        "Name the files of the schema. There is no configuration here or in a folder above "
          + "that would name them ('\(ConfigurationFile.defaultPath)').")
    }
    let file = try configurationFile()
    do {
      return try ProjectFiles.readSchema(
        file.configuration, root: file.rootFolder, Environment.fileSystem
      )
      .map { $0.renamed(from: file.rootFolder) }
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

// MARK: - Rules

extension SchemaFiles {
  /// Returns the severities and the syntax of the project, also for files that the arguments name.
  /// Severities of the arguments win.
  private mutating func schemaOptions() throws(CommandFailure) -> SchemaOptions {
    var options =
      configuration()?.schemaOptions ?? ApolloCodegenConfiguration.standardSchemaOptions
    // Schemas for the generator use directives that only the generator defines.
    options.severities["KnownDirectives"] = .off
    return try SchemaArguments.severities(arguments).applied(to: options)
  }

  /// Returns the syntax of the project for operations.
  mutating func syntax() -> ParserOptions {
    configuration()?.experimentalFeatures.parserOptions ?? ParserOptions()
  }

  /// Returns the severities of the project for operations. Severities of the arguments win.
  mutating func validation() throws(CommandFailure) -> ValidationConfiguration {
    let own = configuration()?.validation ?? ApolloCodegenConfiguration.standardValidation
    var result = try SchemaArguments.severities(arguments).applied(to: own)
    // A document that breaks one of the others cannot be used, and the reason has to be shown.
    result.severities = result.severities.filter { $0.key.isRelaxable }
    return result
  }
}
