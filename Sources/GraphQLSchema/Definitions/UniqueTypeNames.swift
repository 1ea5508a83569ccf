import GraphQLSyntax

/// Type definitions have different names.
///
/// Spec: 3.3, "Schema".
enum UniqueTypeNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueTypeNames"

  static func check(_ context: inout DefinitionValidation) {
    let existing = Set(context.types(in: context.base ?? []).map(\.name.symbol))
    var first: [Symbol: Name] = [:]
    for type in context.types where !type.isExtension {
      let name = type.name
      if existing.contains(name.symbol) {
        context.report(
          Self.self,
          "Type \"\(context.spelling(name))\" already exists in the schema. "
            + "It cannot also be defined in this type definition.",
          at: [LabeledSpan(name.span, "defined again here")])
      } else if let first = first[name.symbol] {
        context.report(
          Self.self, "There can be only one type named \"\(context.spelling(name))\".",
          at: [
            LabeledSpan(first.span, "first defined here"),
            LabeledSpan(name.span, "defined again here"),
          ])
      } else {
        first[name.symbol] = name
      }
    }
  }
}
