import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The schema and the operations of a project, read and checked.
struct Project {
  var document: ValidatedDocument
  /// Warnings.
  var diagnostics: [Diagnostic]
  var sources: SourceMap { document.document.sources }

  static func read(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> Project {
    let (schema, warnings) = try readSchema(configuration, root: root)
    let paths = try files(
      configuration.input.operationSearchPaths, root, "input.operationSearchPaths", "operations")
    var document = Document(names: schema.names, sources: schema.document.sources)
    var diagnostics: [Diagnostic] = []
    for path in paths { diagnostics += document.parse(try source(path, root)) }
    guard diagnostics.isEmpty else { throw .invalidInput(diagnostics, document.sources) }
    diagnostics = ProjectRules.anonymousOperations(in: document)
    // Fragments may be meant for other modules.
    let rules = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    let result = validate(document, against: schema, configuration: rules)
    diagnostics += result.diagnostics + ProjectRules.ineffectiveDirectives(in: document)
    guard let valid = result.document, !diagnostics.contains(where: { $0.severity == .error })
    else {
      throw .invalidInput(diagnostics, document.sources)
    }
    return Project(document: valid, diagnostics: warnings + diagnostics)
  }

  // MARK: - Schema

  private static func readSchema(
    _ configuration: ApolloCodegenConfiguration, root: String
  ) throws(GenerationError) -> (Schema, warnings: [Diagnostic]) {
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
    let inputs =
      sources.map(SchemaInput.init(detecting:)) + [.sdl(ClientDirectives.missing(in: sources))]
    let result = Schema.build(inputs, options: SchemaOptions(severities: toleratedRules))
    guard result.isUsable else {
      throw .invalidInput(result.diagnostics, result.schema.document.sources)
    }
    let problems = PolicyRules.diagnostics(result.schema)
    guard problems.isEmpty else { throw .invalidInput(problems, result.schema.document.sources) }
    return (result.schema, result.diagnostics)
  }

  /// Rules that published schemas break, although servers and their operations work. Who generates
  /// code can seldom change the schema, so these are warnings here.
  private static let toleratedRules: [Diagnostic.Rule: Diagnostic.Severity] = Dictionary(
    uniqueKeysWithValues: [
      "DefaultValueCycles", "DefaultValues", "DeprecatedImplementations", "DirectiveArguments",
      "InterfaceImplementations", "KnownArgumentNamesOnDirectives", "KnownDirectives",
      "ProvidedRequiredArgumentsOnDirectives", "RequiredDeprecations", "ReservedNames",
      "UniqueDirectivesPerLocation", "UniqueFieldDefinitionNames",
    ].map { (Diagnostic.Rule(rawValue: $0), .warning) })

  // MARK: - Files

  private static func files(
    _ patterns: [String], _ root: String, _ key: String, _ what: String
  ) throws(GenerationError) -> [String] {
    let found: [String]
    do {
      found = try Glob(patterns, root: root).files()
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
