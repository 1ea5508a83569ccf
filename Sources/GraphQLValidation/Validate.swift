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
  let traversal = traverse(document, schema, configuration)
  guard document.hasFragmentArguments, !traversal.context.isUnusable else {
    return result(of: traversal, after: [], schema)
  }
  return validateExpansion(of: document, schema, configuration, traversal.context.diagnostics)
}

private func traverse(
  _ document: Document, _ schema: Schema, _ configuration: ValidationConfiguration
) -> DocumentTraversal {
  var traversal = DocumentTraversal(
    ValidationContext(
      document, against: schema,
      names: NameScope(
        of: document, against: schema, clientDirectives: configuration.clientDirectives),
      configuration.effects))
  traversal.context.caughtLevels = configuration.caughtLevels
  traversal.run()
  return traversal
}

private func result(
  of traversal: DocumentTraversal, after former: [Diagnostic], _ schema: Schema
) -> ValidationResult {
  let document = traversal.context.document
  let known = Set(former)
  let diagnostics = former + traversal.context.diagnostics.filter { !known.contains($0) }
  return ValidationResult(
    document: traversal.context.isUnusable
      ? nil
      : ValidatedDocument(
        document: document, schema: schema, types: traversal.types, facts: traversal.facts),
    diagnostics: DuplicatingFixIts.removed(from: diagnostics.sortedByLocation(), in: document))
}

// MARK: - Fragment arguments

/// Validates what a document means whose fragment arguments have no errors themselves.
///
/// The validated document has the selections of fragments with variables in place of their spreads.
private func validateExpansion(
  of document: Document, _ schema: Schema, _ configuration: ValidationConfiguration,
  _ former: [Diagnostic]
) -> ValidationResult {
  let expansion = FragmentExpansion(of: document)
  guard expansion.problems.isEmpty else {
    let problems = expansion.problems.map {
      Diagnostic(rule: .fragmentArguments, message: $0.message, at: $0.span)
    }
    return ValidationResult(
      document: nil, diagnostics: (former + problems).uniqued().sortedByLocation())
  }
  var configuration = configuration
  for (copy, original) in expansion.originals {
    configuration.caughtLevels[copy] = configuration.caughtLevels[original]
  }
  return result(
    of: traverse(expansion.document, schema, configuration), after: former.uniqued(), schema)
}

extension Diagnostic.Rule {
  /// The rule that fragment arguments can be replaced by their values.
  fileprivate static let fragmentArguments: Diagnostic.Rule = "FragmentArguments"
}

extension [Diagnostic] {
  /// Returns the diagnostics without those that occur before.
  fileprivate func uniqued() -> [Diagnostic] {
    var known: Set<Diagnostic> = []
    return filter { known.insert($0).inserted }
  }
}
