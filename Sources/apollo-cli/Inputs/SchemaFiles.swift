import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The schema that the arguments of a command name, or that of the configuration.
enum SchemaFiles {
  static let operands = OperandDeclaration(
    "[PATH…]",
    "Files, folders or patterns of the schema; those of the configuration without any.")

  static let options = [
    ConfigurationFile.pathOption, SchemaArguments.schema, SchemaArguments.severity,
  ]

  /// Returns the schema, or `nil` after showing its errors.
  static func schema(_ arguments: ParsedArguments) throws(CommandFailure) -> Schema? {
    try schema(of: sources(arguments), arguments)
  }

  /// Returns the schema of `sources`, or `nil` after showing its errors.
  static func schema(
    of sources: [Source], _ arguments: ParsedArguments
  ) throws(CommandFailure) -> Schema? {
    var standard = SchemaOptions(parser: syntax(arguments))
    // Schemas for the generator use directives that only the generator defines.
    standard.severities["KnownDirectives"] = .off
    let options = try SchemaArguments.severities(arguments).applied(to: standard)
    let result = Schema.build(sources.map { SchemaInput(detecting: $0) }, options: options)
    Terminal.show(result.diagnostics, in: result.schema.document.sources)
    return result.isUsable ? result.schema : nil
  }

  /// Returns the syntax of the project, also for files that the arguments name.
  static func syntax(_ arguments: ParsedArguments) -> ParserOptions {
    guard ConfigurationFile.isAvailable(arguments),
      // A command that needs the configuration reports its errors. The others work without it.
      let file = try? ConfigurationFile(arguments)
    else { return ParserOptions() }
    return file.configuration.experimentalFeatures.parserOptions
  }

  /// Returns the files that the arguments name, or those of the configuration.
  static func sources(_ arguments: ParsedArguments) throws(CommandFailure) -> [Source] {
    let paths = arguments.values("schema") + arguments.operands
    try SchemaArguments.checkStandardInput(paths)
    guard paths.isEmpty else { return try InputFiles.schemas.read(paths) }
    return try ofProject(arguments)
  }

  /// Returns the files of the configuration.
  static func ofProject(_ arguments: ParsedArguments) throws(CommandFailure) -> [Source] {
    guard ConfigurationFile.isAvailable(arguments) else {
      throw CommandFailure(
        "Name the files of the schema. There is no configuration here or in a folder above "
          + "that would name them ('\(ConfigurationFile.defaultPath)').")
    }
    let file = try ConfigurationFile(arguments)
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
