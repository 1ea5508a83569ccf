package import GraphQLSchema
package import GraphQLSyntax
package import GraphQLValidation

/// The schema and the operations of a project, read and checked.
package struct Project {
  var document: ValidatedDocument
  /// Warnings.
  var diagnostics: [Diagnostic]
  var sources: SourceMap { document.document.sources }

  static func check(
    _ files: ProjectFiles, _ configuration: ApolloCodegenConfiguration
  ) throws(GenerationError) -> Project {
    let (schema, warnings) = try checkSchema(files.schema, configuration)
    var document = Document(names: schema.names, sources: schema.document.sources)
    var diagnostics: [Diagnostic] = []
    for source in files.operations { diagnostics += document.parse(source) }
    guard diagnostics.isEmpty else { throw .invalidInput(diagnostics, document.sources) }
    diagnostics = ProjectRules.anonymousOperations(in: document)
    let result = validate(
      document, against: schema, configuration: validation(of: configuration))
    diagnostics += result.diagnostics + ProjectRules.ineffectiveDirectives(in: document)
    diagnostics += DeferRules.diagnostics(in: document)
    diagnostics += schemaOptions(of: configuration).suspicions(about: document.sources)
    guard let valid = result.document, !diagnostics.contains(where: { $0.severity == .error })
    else {
      throw .invalidInput(diagnostics, document.sources)
    }
    return Project(document: valid, diagnostics: warnings + diagnostics)
  }

  private static func checkSchema(
    _ sources: [Source], _ configuration: ApolloCodegenConfiguration
  ) throws(GenerationError) -> (Schema, warnings: [Diagnostic]) {
    let result = Schema.build(inputs(sources), options: schemaOptions(of: configuration))
    guard result.isUsable else {
      throw .invalidInput(result.diagnostics, result.schema.document.sources)
    }
    let problems = PolicyRules.diagnostics(result.schema)
    guard problems.isEmpty else { throw .invalidInput(problems, result.schema.document.sources) }
    return (result.schema, result.diagnostics)
  }
}

// MARK: - Severities

extension Project {
  /// How strict a project is with its schema: rules that published ones break are warnings, but for what
  /// the configuration says.
  package static func schemaOptions(
    of configuration: ApolloCodegenConfiguration
  ) -> SchemaOptions {
    RuleSeverities(configuration.ruleSeverities)
      .schemaOptions(default: SchemaOptions(severities: toleratedRules))
  }

  /// How strict a project is with its operations.
  package static func validation(
    of configuration: ApolloCodegenConfiguration
  ) -> ValidationConfiguration {
    // Fragments may be meant for other modules.
    let standard = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    var result = RuleSeverities(configuration.ruleSeverities).validation(default: standard)
    // A rule of the same name may be relaxed for schemas; for operations it cannot be.
    result.severities = result.severities.filter { $0.key.isRelaxable }
    return result
  }

  /// Rules that published schemas break, although servers and their operations work. Who generates
  /// code can seldom change the schema, so these are warnings here.
  private static let toleratedRules: [Diagnostic.Rule: Diagnostic.Severity] = Dictionary(
    uniqueKeysWithValues: [
      "DefaultValueCycles", "DefaultValues", "DeprecatedImplementations", "DirectiveArguments",
      "InterfaceImplementations", "KnownArgumentNamesOnDirectives", "KnownDirectives",
      "ProvidedRequiredArgumentsOnDirectives", "RequiredDeprecations", "ReservedNames",
      "UniqueDirectivesPerLocation", "UniqueFieldDefinitionNames",
      "ValuesOfCorrectTypeOnDirectives",
    ].map { (Diagnostic.Rule(rawValue: $0), .warning) })
}

// MARK: - Files

/// The files of a project, read and not yet looked into.
struct ProjectFiles {
  var schema: [Source]
  var operations: [Source]

  static func read(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> ProjectFiles {
    ProjectFiles(
      schema: try Project.readSchema(configuration, root: root),
      operations: try Project.readOperations(configuration, root: root))
  }
}

extension Project {
  /// The sources with the operations of a project.
  package static func readOperations(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> [Source] {
    let paths = try files(
      configuration.input.operationSearchPaths, root, "input.operationSearchPaths", "operations")
    var sources: [Source] = []
    for path in paths { sources.append(try source(path, root)) }
    return sources
  }

  /// What the schema of a project is built from: its files, and the directives that only the generator
  /// knows.
  package static func readSchemaInputs(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> [SchemaInput] {
    inputs(try readSchema(configuration, root: root))
  }

  private static func inputs(_ sources: [Source]) -> [SchemaInput] {
    sources.map(SchemaInput.init(detecting:)) + [.sdl(ClientDirectives.missing(in: sources))]
  }

  fileprivate static func readSchema(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> [Source] {
    let paths = try files(
      configuration.input.schemaSearchPaths, root, "input.schemaSearchPaths", "schema")
    let introspections = paths.filter { $0.hasSuffix(".json") }
    if introspections.count > 1 {
      throw .reading(
        "There are \(introspections.count) introspection files, which cannot be combined: "
          + "\(introspections.map { "'\(Path.display($0, from: root))'" }.joined(separator: ", ")). "
          + "Narrow 'input.schemaSearchPaths'.")
    }
    var sources: [Source] = []
    for path in paths { sources.append(try source(path, root)) }
    return sources
  }

  private static func files(
    _ patterns: [String], _ root: String, _ key: String, _ what: String
  ) throws(GenerationError) -> [String] {
    let found: [String]
    do {
      // Patterns may match the code that is generated for `Hero.graphql`, which is `Hero.graphql.swift`.
      found = try Glob(patterns, root: root).files().filter { !$0.hasSuffix(".swift") }
    } catch {
      throw .reading("\(error)")
    }
    guard !found.isEmpty else {
      let list = patterns.map { "'\($0)'" }.joined(separator: ", ")
      throw .reading(
        "No \(what) found: nothing in '\(root)' matches \(list). "
          + "Check '\(key)' of the configuration."
      )
    }
    return found
  }

  private static func source(_ path: String, _ root: String) throws(GenerationError) -> Source {
    do {
      return Source(name: Path.display(path, from: root), bytes: try Disk.read(path))
    } catch {
      throw .reading(error.description)
    }
  }
}
