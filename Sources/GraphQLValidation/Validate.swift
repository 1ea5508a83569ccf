public import GraphQLSchema
public import GraphQLSyntax

/// The result of a validation.
public struct ValidationResult: Sendable {
  /// The validated document, or `nil` if a problem prevents its use.
  public let document: ValidatedDocument?
  /// All problems, in the order of the text.
  public let diagnostics: [Diagnostic]
}

/// Validates the operations and fragments of a document against a schema.
///
/// ```swift
/// let schema = Schema.build([.sdl(Source(name: "schema.graphqls", text: sdl))]).schema
/// var document = Document(names: schema.names, sources: schema.document.sources)
/// var diagnostics = document.parse(Source(name: "Hero.graphql", text: operations))
/// let result = validate(document, against: schema)
/// diagnostics += result.diagnostics
/// print(DiagnosticFormat.text.render(diagnostics, in: document.sources))
/// ```
///
/// Spec: 5, "Validation".
/// - Parameters:
///   - document: The document, which can consist of several sources. It must continue the names of
///     the schema, as in the example.
///   - schema: The schema.
///   - configuration: The severities of the rules.
/// - Returns: All problems, and the validated document if it can be used. It can be used unless it
///   violates a rule that is an error, or that is not relaxable.
/// - Complexity: O(*n*), where *n* is the size of the document. For documents designed to be slow,
///   budgets end individual checks with a diagnostic.
public func validate(
  _ document: Document,
  against schema: Schema,
  configuration: ValidationConfiguration = ValidationConfiguration()
) -> ValidationResult {
  var traversal = DocumentTraversal(
    ValidationContext(
      document, against: schema,
      names: NameScope(
        of: document, against: schema, clientDirectives: configuration.clientDirectives),
      configuration.effects))
  traversal.context.caughtLevels = configuration.caughtLevels
  traversal.run()
  let isUnusable = traversal.context.isUnusable
  return ValidationResult(
    document: isUnusable
      ? nil
      : ValidatedDocument(
        document: document, schema: schema, types: traversal.types, facts: traversal.facts),
    diagnostics: DuplicatingFixIts.removed(
      from: traversal.context.diagnostics.sortedByLocation(), in: document))
}
