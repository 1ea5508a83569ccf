import GraphQLSyntax

/// A schema has one root type for each operation type.
///
/// Spec: 3.3.1, "Root Operation Types".
enum UniqueOperationTypes: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueOperationTypes"

  static func check(_ context: inout DefinitionValidation) {
    let existing = context.base.map { existingKinds(in: $0, context) } ?? []
    var first: [OperationKind: RootOperationType] = [:]
    for definition in context.schemas(in: context.definitions) {
      for root in context.document[definition.rootOperationTypes] {
        if existing.contains(root.kind) {
          context.report(
            Self.self,
            "Type for \(root.kind) already defined in the schema. It cannot be redefined.",
            at: [LabeledSpan(root.span, "redefined here")])
        } else if let first = first[root.kind] {
          context.report(
            Self.self, "There can be only one \(root.kind) type in schema.",
            at: [
              LabeledSpan(first.span, "first defined here"),
              LabeledSpan(root.span, "defined again here"),
            ])
        } else {
          first[root.kind] = root
        }
      }
    }
  }

  private static func existingKinds(
    in base: ArraySlice<Definition>, _ context: DefinitionValidation
  ) -> Set<OperationKind> {
    let schemas = Array(context.schemas(in: base))
    var kinds = Set(schemas.flatMap { context.document[$0.rootOperationTypes].map(\.kind) })
    guard !schemas.contains(where: { !$0.isExtension }) else { return kinds }
    for type in context.types(in: base) where !type.isExtension {
      switch type.name.symbol {
      case .queryType: kinds.insert(.query)
      case .mutationType: kinds.insert(.mutation)
      case .subscriptionType: kinds.insert(.subscription)
      default: break
      }
    }
    return kinds
  }
}
