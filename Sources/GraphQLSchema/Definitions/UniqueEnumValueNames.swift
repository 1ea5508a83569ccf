import GraphQLSyntax

/// The values of an enum, including its extensions, have different names.
///
/// Spec: 3.9, "Enums".
enum UniqueEnumValueNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueEnumValueNames"

  static func check(_ context: inout DefinitionValidation) {
    var existing = MemberNames()
    for type in context.types(in: context.base ?? []) {
      for value in context.document[type.values] {
        existing.insert(value.name, of: type.name.symbol)
      }
    }
    var known = MemberNames()
    for type in context.types {
      for name in context.document[type.values].map(\.name) {
        let coordinate = "\(context.spelling(type.name)).\(context.spelling(name))"
        if existing.first(name, of: type.name.symbol) != nil {
          context.report(
            Self.self,
            "Enum value \"\(coordinate)\" already exists in the schema. "
              + "It cannot also be defined in this type extension.",
            at: [LabeledSpan(name.span, "defined again here")])
        } else if let first = known.insert(name, of: type.name.symbol) {
          context.report(
            Self.self, "Enum value \"\(coordinate)\" can only be defined once.",
            at: [
              LabeledSpan(first.span, "first defined here"),
              LabeledSpan(name.span, "defined again here"),
            ])
        }
      }
    }
  }
}
