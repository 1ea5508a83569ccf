import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The inputs of `validate`: those that the arguments name, or a project with its configuration.
struct CheckInputs {
  /// The schema, or `nil` if none was named. Only syntax can be checked then.
  var schema: [SchemaInput]?
  var operations: [Source]
  var schemaOptions: SchemaOptions
  var validation: ValidationConfiguration

  /// The option that names a configuration.
  static let configuration = OptionDeclaration(
    "path", "p", value: "FILE",
    "Check the project with this configuration. "
      + "Default when nothing is named: \(ConfigurationFile.defaultPath)")

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let severities = try SchemaArguments.severities(arguments)
    let isNamed = !arguments.values("schema").isEmpty || !arguments.operands.isEmpty
    if arguments.has("path") {
      guard !isNamed else {
        throw CommandFailure(
          "--path names a project; leave out --schema and operations, or leave out --path.")
      }
      self = try CheckInputs(project: ConfigurationFile(arguments))
    } else if isNamed {
      self = try CheckInputs(named: arguments)
    } else if Environment.fileSystem.kind(of: absolute(ConfigurationFile.defaultPath)) != nil {
      self = try CheckInputs(project: ConfigurationFile(arguments))
    } else {
      throw CommandFailure(
        "Nothing to check. Name a schema with --schema, and files with operations.")
    }
    schemaOptions = severities.applied(to: schemaOptions)
    validation = severities.applied(to: validation)
  }

  private init(named arguments: ParsedArguments) throws(CommandFailure) {
    let paths = arguments.values("schema")
    try SchemaArguments.checkStandardInput(paths + arguments.operands)
    let sources = try InputFiles.schemas.read(paths)
    schema = paths.isEmpty ? nil : sources.map { SchemaInput(detecting: $0) }
    var files = InputFiles.operations
    files.excluded = Set(sources.map { absolute($0.name) })
    operations = try files.read(arguments.operands)
    schemaOptions = SchemaOptions()
    validation = ValidationConfiguration()
  }

  /// Reads the inputs that a run of the generator would check.
  private init(project file: ConfigurationFile) throws(CommandFailure) {
    let (configuration, root) = (file.configuration, file.rootFolder)
    schemaOptions = configuration.schemaOptions
    validation = configuration.validation
    do {
      let files = try ProjectFiles.read(configuration, root: root, Environment.fileSystem)
      schema = files.schemaInputs.map { $0.renamed(from: root) }
      operations = files.operations.map { $0.renamed(from: root) }
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

extension Source {
  /// Returns the source with a name relative to the current folder instead of `root`.
  fileprivate func renamed(from root: String) -> Source {
    var source = self
    source.name = Path.display(Path.join(root, name), from: Environment.currentDirectory)
    return source
  }
}

extension SchemaInput {
  fileprivate func renamed(from root: String) -> SchemaInput {
    switch self {
    case .sdl(let source): .sdl(source.renamed(from: root))
    case .introspection(let source): .introspection(source.renamed(from: root))
    }
  }
}
