import GraphQLSchema
import GraphQLSyntax

/// Directive definitions have different names.
///
/// Spec: 3.3, "Schema".
enum UniqueDirectiveNames: WholeRule {
  static let name: Diagnostic.Rule = "UniqueDirectiveNames"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let existing = Set(definitions.directives(in: definitions.base ?? []).map(\.name.symbol))
    var first: [Symbol: Name] = [:]
    for directive in definitions.directives {
      let name = directive.name
      if existing.contains(name.symbol) {
        context.report(
          Self.self,
          "Directive \"@\(context.spelling(name))\" already exists in the schema. "
            + "It cannot be redefined.",
          at: name.span)
      } else if let first = first[name.symbol] {
        context.report(
          Self.self, "There can be only one directive named \"@\(context.spelling(name))\".",
          at: first.span, notes: [Diagnostic.Note("defined again here", at: name.span)])
      } else {
        first[name.symbol] = name
      }
    }
  }
}
