import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The inputs of `validate` and `lint`: those that the arguments name, or a project with its
/// configuration.
struct CheckInputs {
  /// The schema, or `nil` if none was named. Only syntax can be checked then.
  var schema: [SchemaInput]?
  var operations: [Source]
  var schemaOptions: SchemaOptions
  var validation: ValidationConfiguration
  var lint: LintConfiguration
  /// The project with the inputs, or `nil` if the arguments name them.
  var project: Project?

  /// The facts of a project that checks need besides its inputs.
  struct Project {
    var configuration: ApolloCodegenConfiguration
    var root: String
    var unread: UnreadFiles
  }

  /// The option that names a configuration.
  static let configuration = OptionDeclaration(
    "path", "p", value: "FILE", of: .file,
    default: "\(ConfigurationFile.defaultPath) or the one in a folder above, when nothing is named",
    "Check the project with this configuration.")

  /// The option that applies the rules of the specification as they are.
  static let specification = OptionDeclaration(
    "specification", nil,
    "Make every rule of the GraphQL specification an error, as servers do.")

  /// Reads the inputs.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - standard: The severities that the command has in place of those of a project. A
  ///     configuration and the arguments win over them.
  /// - Throws: ``CommandFailure`` if nothing is named, or if a file cannot be read.
  init(
    _ arguments: ParsedArguments, standard: RuleSeverities = RuleSeverities()
  ) throws(CommandFailure) {
    let severities = try SchemaArguments.severities(arguments)
    let isNamed = !arguments.values("schema").isEmpty || !arguments.operands.isEmpty
    if arguments.has("path") {
      guard !isNamed else {
        throw CommandFailure(
          "--path names a project; leave out --schema and operations, or leave out --path.")
      }
      self = try CheckInputs(project: ConfigurationFile(arguments), standard)
    } else if isNamed {
      self = try CheckInputs(named: arguments, standard)
    } else if ConfigurationFile.isAvailable(arguments) {
      self = try CheckInputs(project: ConfigurationFile(arguments), standard)
    } else {
      throw CommandFailure(
        "Nothing to check. Name a schema with --schema, and files with operations.")
    }
    if arguments.has("specification") {
      schemaOptions = SchemaOptions(parser: schemaOptions.parser)
      validation = ValidationConfiguration()
      project = nil
    }
    schemaOptions = severities.applied(to: schemaOptions)
    validation = severities.applied(to: validation)
    lint = severities.applied(to: lint)
    if let own = project?.configuration {
      project?.configuration = severities.applied(to: own)
    }
  }

  /// Reads the inputs of a command that inspects operations: those of the configuration, in place
  /// of which the arguments can name a schema, operations or both.
  init(inspecting arguments: ParsedArguments) throws(CommandFailure) {
    let paths = arguments.values("schema")
    guard paths.isEmpty || arguments.operands.isEmpty else {
      self = try CheckInputs(named: arguments, RuleSeverities())
      return
    }
    guard ConfigurationFile.isAvailable(arguments) else {
      throw CommandFailure(
        "Name a schema with --schema, and files with operations. There is no configuration here "
          + "or in a folder above that would name them ('\(ConfigurationFile.defaultPath)').")
    }
    self = try CheckInputs(project: ConfigurationFile(arguments), RuleSeverities())
    if !paths.isEmpty {
      schema = ProjectFiles.schemaInputs(of: try InputFiles.schemas.read(paths))
    }
    if !arguments.operands.isEmpty {
      operations = try InputFiles.operations.read(arguments.operands)
    }
    // Inspecting does not ask whether code can be generated.
    project = nil
  }

  private init(
    named arguments: ParsedArguments, _ standard: RuleSeverities
  ) throws(CommandFailure) {
    let paths = arguments.values("schema")
    try SchemaArguments.checkStandardInput(paths + arguments.operands)
    let sources = try InputFiles.schemas.read(paths)
    let isOfSpecification = arguments.has("specification")
    schema =
      paths.isEmpty
      ? nil
      : isOfSpecification
        ? sources.map { SchemaInput(detecting: $0) } : ProjectFiles.schemaInputs(of: sources)
    var files = InputFiles.operations
    files.excluded = Set(sources.map { InputFiles.file(at: $0.name) })
    operations = try files.read(arguments.operands)
    schemaOptions = ApolloCodegenConfiguration.standardSchemaOptions
    validation = standard.applied(to: ApolloCodegenConfiguration.standardValidation)
    lint = standard.applied(to: LintConfiguration())
  }

  /// Reads the inputs that a run of the generator would check.
  private init(
    project file: ConfigurationFile, _ standard: RuleSeverities
  ) throws(CommandFailure) {
    let (configuration, root) = (file.configuration, file.rootFolder)
    let own = RuleSeverities(configuration.ruleSeverities)
    schemaOptions = configuration.schemaOptions
    validation = own.applied(to: standard.applied(to: configuration.validation))
    validation.severities = validation.severities.filter { $0.key.isRelaxable }
    lint = own.applied(to: standard.applied(to: LintConfiguration()))
    do {
      let files = try ProjectFiles.read(configuration, root: root, Environment.fileSystem)
      schema = files.schemaInputs.map { $0.renamed(from: root) }
      operations = files.operations.map { $0.renamed(from: root) }
      project = Project(configuration: configuration, root: root, unread: files.unread)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

extension Source {
  /// Returns the source with a name relative to the current folder instead of `root`.
  func renamed(from root: String) -> Source {
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
