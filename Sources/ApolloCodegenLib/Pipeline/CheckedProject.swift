import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The schema and the operations of a project, which have no errors.
struct CheckedProject {
  let document: ValidatedDocument
  /// The files of the schema and of the operations.
  var sources: SourceMap { document.document.sources }

  private init(_ document: ValidatedDocument) { self.document = document }

  /// Checks the files of a project.
  ///
  /// 1. The schema is built and validated.
  /// 2. The cache policies of its types are checked.
  /// 3. The operations are parsed.
  /// 4. They are validated against the schema, and held to the rules of generated code, both as
  ///    they are written and with the selections of fragments with variables in place of the
  ///    spreads.
  ///
  /// Errors of the schema end the check, except that syntax errors of the operations are reported
  /// with them. A definition with a syntax error does not hide the errors of the others.
  static func check(
    _ files: ProjectFiles, _ configuration: ApolloCodegenConfiguration,
    _ diagnostics: inout DiagnosticCollector
  ) throws(GenerationError) -> CheckedProject {
    let options = configuration.schemaOptions
    let built = Schema.build(files.schemaInputs, options: options)
    let schema = built.schema
    var document = Document(names: schema.names, sources: schema.document.sources)
    let syntaxErrors = document.parse(files.operations, options: options.parser)
    guard built.isUsable else {
      throw GenerationError(.input(built.diagnostics + syntaxErrors, document.sources))
    }
    try diagnostics.add(built.diagnostics, in: document.sources)
    try diagnostics.add(
      ProjectRemarks.diagnostics(schema, operations: files.operations, files.unread))

    let isComplete = syntaxErrors.isEmpty
    let result = validate(
      document, against: schema,
      configuration: ProjectRemarks.configuration(
        isComplete
          ? configuration.validation : configuration.validation.forIncompleteDocument,
        for: document, against: schema))
    let found =
      ProjectRemarks.diagnostics(around: result, in: document, against: schema)
      + options.misleadingText(in: document.sources)
    try diagnostics.add(
      isComplete
        ? found + (result.document.map { lint($0, configuration: configuration.lint) } ?? [])
        : (syntaxErrors + found).sortedByLocation())
    guard let valid = result.document else {
      preconditionFailure("Validation reports an error for every document that it refuses.")
    }
    return CheckedProject(valid)
  }
}
