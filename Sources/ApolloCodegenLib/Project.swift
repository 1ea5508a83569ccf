package import GraphQLSchema
import GraphQLSyntax
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
    let (schema, warnings) = try checkSchema(files, configuration)
    var document = Document(names: schema.names, sources: schema.document.sources)
    var diagnostics: [Diagnostic] = []
    for source in files.operations { diagnostics += document.parse(source) }
    guard diagnostics.isEmpty else { throw .invalidInput(diagnostics, document.sources) }
    diagnostics = ProjectRules.anonymousOperations(in: document)
    let result = validate(
      document, against: schema, configuration: validation(of: configuration))
    diagnostics += result.diagnostics + ProjectRules.ineffectiveDirectives(in: document)
    diagnostics += DeferRules.diagnostics(in: document) + ImportRules.diagnostics(in: document)
    diagnostics += schemaOptions(of: configuration).misleadingText(in: document.sources)
    guard let valid = result.document, !diagnostics.contains(where: { $0.severity == .error })
    else {
      throw .invalidInput(diagnostics, document.sources)
    }
    return Project(document: valid, diagnostics: warnings + diagnostics)
  }

  private static func checkSchema(
    _ files: ProjectFiles, _ configuration: ApolloCodegenConfiguration
  ) throws(GenerationError) -> (Schema, warnings: [Diagnostic]) {
    let result = Schema.build(files.schemaInputs, options: schemaOptions(of: configuration))
    guard result.isUsable else {
      throw .invalidInput(result.diagnostics, result.schema.document.sources)
    }
    let problems = PolicyRules.diagnostics(result.schema)
    guard !problems.contains(where: { $0.severity == .error }) else {
      throw .invalidInput(problems, result.schema.document.sources)
    }
    return (result.schema, result.diagnostics + problems)
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
    var standard = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    // Using a deprecated field warns in Swift; what a document sends has no declaration that could.
    if configuration.options.warningsOnDeprecatedUsage == .include {
      standard.severities[.noDeprecatedInputs] = .warning
    }
    var result = RuleSeverities(configuration.ruleSeverities).validation(default: standard)
    // A rule of the same name may be relaxed for schemas; for operations it cannot be.
    result.severities = result.severities.filter { $0.key.isRelaxable }
    return result
  }

  /// Rules that published schemas break, although servers and their operations work. Who generates
  /// code can seldom change the schema, so these are warnings here.
  private static let toleratedRules: [Diagnostic.Rule: RuleSeverity] = Dictionary(
    uniqueKeysWithValues: [
      "DefaultValueCycles", "DefaultValues", "DeprecatedImplementations", "DirectiveArguments",
      "InterfaceImplementations", "KnownArgumentNamesOnDirectives", "KnownDirectives",
      "ProvidedRequiredArgumentsOnDirectives", "RequiredDeprecations", "ReservedNames",
      "UniqueDirectivesPerLocation", "UniqueFieldDefinitionNames",
      "ValuesOfCorrectTypeOnDirectives",
    ].map { (Diagnostic.Rule(rawValue: $0), .warning) })
}
