public import GraphQLSchema
public import GraphQLSyntax

/// What validation found.
public struct ValidationResult: Sendable {
  /// The document, if it can be used.
  public let document: ValidatedDocument?
  /// All problems, in the order of the text.
  public let diagnostics: [Diagnostic]
}

/// Checks the operations and fragments of a document against a schema.
///
/// ```swift
/// var document = Document(names: schema.names)
/// let problems = document.parse(Source(name: "Hero.graphql", text: text))
/// let result = validate(document, against: schema)
/// guard let valid = result.document else { return show(problems + result.diagnostics) }
/// ```
///
/// Spec: 5, "Validation".
/// - Parameters:
///   - document: One or many sources. Its names must continue those of the schema:
///     `Document(names: schema.names)`.
///   - schema: The schema to check against.
///   - configuration: Which rules are checked, and how severe it is to break them.
/// - Returns: The validated document, unless a rule is broken that is an error or not relaxable,
///   and all problems.
/// - Complexity: Linear in the document and in what its operations reach, but for documents that
///   are made to be hard, whose check is given up with a diagnostic.
public func validate(
  _ document: Document,
  against schema: Schema,
  configuration: ValidationConfiguration = ValidationConfiguration()
) -> ValidationResult {
  var traversal = DocumentTraversal(
    ValidationContext(document: document, schema: schema, configuration: configuration))
  traversal.run()
  let isUnusable = traversal.context.isUnusable
  return ValidationResult(
    document: isUnusable
      ? nil
      : ValidatedDocument(
        document: document, schema: schema, types: traversal.types, facts: traversal.facts),
    diagnostics: traversal.context.diagnostics.sortedByLocation())
}
