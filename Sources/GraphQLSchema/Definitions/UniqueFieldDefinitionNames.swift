import GraphQLSyntax

/// The fields of a type, including its extensions, have different names.
///
/// Spec: 3.6, 3.7 and 3.10, "Type Validation".
enum UniqueFieldDefinitionNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueFieldDefinitionNames"

  static func check(_ context: inout DefinitionValidation) {
    var existing = MemberNames()
    for type in context.types(in: context.base ?? []) {
      for name in names(in: type, context) { existing.insert(name, of: type.name.symbol) }
    }
    var known = MemberNames()
    for type in context.types {
      for name in names(in: type, context) {
        let coordinate = "\(context.spelling(type.name)).\(context.spelling(name))"
        if existing.first(name, of: type.name.symbol) != nil {
          context.report(
            Self.self,
            "Field \"\(coordinate)\" already exists in the schema. "
              + "It cannot also be defined in this type extension.",
            at: [LabeledSpan(name.span, "defined again here")])
        } else if let first = known.insert(name, of: type.name.symbol) {
          context.report(
            Self.self, "Field \"\(coordinate)\" can only be defined once.",
            at: [
              LabeledSpan(first.span, "first defined here"),
              LabeledSpan(name.span, "defined again here"),
            ])
        }
      }
    }
  }

  private static func names(
    in type: TypeDefinition, _ context: DefinitionValidation
  ) -> [Name] {
    context.document[type.fields].map(\.name) + context.document[type.inputFields].map(\.name)
  }
}

/// The first definition of each member of each type.
struct MemberNames {
  private struct Key: Hashable {
    var owner: Symbol
    var name: Symbol
  }

  private var names: [Key: Name] = [:]

  /// Returns the first member of `owner` with the same name, or `nil` if there is none.
  func first(_ name: Name, of owner: Symbol) -> Name? {
    names[Key(owner: owner, name: name.symbol)]
  }

  /// Records `name`, or returns the first member with the same name if there is one.
  @discardableResult
  mutating func insert(_ name: Name, of owner: Symbol) -> Name? {
    let key = Key(owner: owner, name: name.symbol)
    if let first = names[key] { return first }
    names[key] = name
    return nil
  }
}
