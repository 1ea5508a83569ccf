import GraphQLSchema
import GraphQLSyntax

/// Fields, directives and spreads have only arguments that are defined.
///
/// Spec: 5.4.1, "Argument Names".
enum KnownArgumentNames: Rule {
  static let name = ValidationRule.knownArgumentNames.diagnosticRule

  /// Reports `argument`, which `definitions` do not contain.
  static func report(
    _ argument: Argument, of owner: ArgumentOwner,
    _ definitions: NodeList<Schema.InputValue>, as rule: any Rule.Type = Self.self,
    in context: inout ValidationContext
  ) {
    let schema = context.schema
    report(
      argument, of: owner, among: schema[definitions].lazy.map { schema.spelling($0.name) },
      as: rule, in: &context)
  }

  /// Reports `argument`, whose name is not among `known`.
  static func report(
    _ argument: Argument, of owner: ArgumentOwner, among known: some Sequence<String>,
    as rule: any Rule.Type = Self.self, in context: inout ValidationContext
  ) {
    let name = context.document.spelling(argument.name)
    let candidates = context.candidates(for: name, among: known)
    context.report(
      rule,
      "Unknown argument \"\(name)\" on "
        + "\(description(of: owner, context)).\(didYouMean(candidates))",
      at: argument.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: argument.name.span, to: candidates))
  }

  private static func description(
    of owner: ArgumentOwner, _ context: ValidationContext
  ) -> String {
    switch owner {
    case .field(let field, let parent):
      let name = context.schema.spelling(context.schema[field].name)
      return "field \"\(context.schema.name(of: parent)).\(name)\""
    case .directive(let name): return "directive \"@\(context.document.spelling(name))\""
    case .fragment(let name): return "fragment \"\(context.document.spelling(name))\""
    }
  }
}
