import GraphQLSchema
import GraphQLSyntax

/// Type definitions have different names.
///
/// Spec: 3.3, "Schema".
enum UniqueTypeNames: WholeRule {
  static let name: Diagnostic.Rule = "UniqueTypeNames"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let existing = Set(definitions.types(in: definitions.base ?? []).map(\.name.symbol))
    var first: [Symbol: Name] = [:]
    for type in definitions.types where !type.isExtension {
      let name = type.name
      if existing.contains(name.symbol) {
        context.report(
          Self.self,
          "Type \"\(context.spelling(name))\" already exists in the schema. "
            + "It cannot also be defined in this type definition.",
          at: name.span)
      } else if let first = first[name.symbol] {
        context.report(
          Self.self, "There can be only one type named \"\(context.spelling(name))\".",
          at: first.span, notes: [Diagnostic.Note("defined again here", at: name.span)])
      } else {
        first[name.symbol] = name
      }
    }
  }
}
