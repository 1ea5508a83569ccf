import GraphQLSchema
import GraphQLSyntax

/// A schema has one root type for each operation type.
///
/// Spec: 3.3.1, "Root Operation Types".
enum UniqueOperationTypes: WholeRule {
  static let name: Diagnostic.Rule = "UniqueOperationTypes"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let existing = definitions.base.map { existingKinds(in: $0, of: definitions, context) } ?? []
    var first: [OperationKind: RootOperationType] = [:]
    for definition in definitions.schemas(in: definitions.all) {
      for root in context.document[definition.rootOperationTypes] {
        if existing.contains(root.kind) {
          context.report(
            Self.self,
            "Type for \(root.kind) already defined in the schema. It cannot be redefined.",
            at: root.span)
        } else if let first = first[root.kind] {
          context.report(
            Self.self, "There can be only one \(root.kind) type in schema.",
            at: first.span, notes: [Diagnostic.Note("defined again here", at: root.span)])
        } else {
          first[root.kind] = root
        }
      }
    }
  }

  private static func existingKinds(
    in base: ArraySlice<Definition>, of definitions: SchemaDefinitions, _ context: ValidationContext
  ) -> Set<OperationKind> {
    let schemas = Array(definitions.schemas(in: base))
    var kinds = Set(schemas.flatMap { context.document[$0.rootOperationTypes].map(\.kind) })
    guard !schemas.contains(where: { !$0.isExtension }) else { return kinds }
    for type in definitions.types(in: base) where !type.isExtension {
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
