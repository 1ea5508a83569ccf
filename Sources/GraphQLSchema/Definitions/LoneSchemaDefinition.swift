import GraphQLSyntax

/// A schema has at most one schema definition, and an extended schema gets no new one.
///
/// Spec: 3.3, "Schema".
enum LoneSchemaDefinition: DefinitionRule {
  static let name: Diagnostic.Rule = "LoneSchemaDefinition"

  static func check(_ context: inout DefinitionValidation) {
    let definitions = context.schemas(in: context.definitions).filter { !$0.isExtension }
    if context.base.map({ isComplete($0, context) }) ?? false {
      for definition in definitions {
        context.report(
          Self.self, "Cannot define a new schema within a schema extension.",
          at: [LabeledSpan(definition.span, "already defined elsewhere")])
      }
    } else {
      for definition in definitions.dropFirst() {
        context.report(
          Self.self, "Must provide only one schema definition.",
          at: [LabeledSpan(definition.span, "a second definition")])
      }
    }
  }

  /// Returns whether a base schema has a schema definition or a root operation type.
  private static func isComplete(
    _ base: ArraySlice<Definition>, _ context: DefinitionValidation
  ) -> Bool {
    let rootNames: Set<Symbol> = [.queryType, .mutationType, .subscriptionType]
    return context.schemas(in: base).contains { _ in true }
      || context.types(in: base).contains { rootNames.contains($0.name.symbol) }
  }
}
