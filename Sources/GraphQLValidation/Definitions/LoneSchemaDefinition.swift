import GraphQLSchema
import GraphQLSyntax

/// A schema has at most one schema definition, and an extended schema gets no new one.
///
/// Spec: 3.3, "Schema".
enum LoneSchemaDefinition: WholeRule {
  static let name: Diagnostic.Rule = "LoneSchemaDefinition"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let schemas = definitions.schemas(in: definitions.all).filter { !$0.isExtension }
    if definitions.base.map({ isComplete($0, definitions) }) ?? false {
      for definition in schemas {
        context.report(
          Self.self, "Cannot define a new schema within a schema extension.",
          at: definition.span)
      }
    } else {
      for definition in schemas.dropFirst() {
        context.report(
          Self.self, "Must provide only one schema definition.",
          at: definition.span)
      }
    }
  }

  /// Returns whether a base schema has a schema definition or a root operation type.
  private static func isComplete(
    _ base: ArraySlice<Definition>, _ definitions: SchemaDefinitions
  ) -> Bool {
    let rootNames: Set<Symbol> = [.queryType, .mutationType, .subscriptionType]
    return definitions.schemas(in: base).contains { _ in true }
      || definitions.types(in: base).contains { rootNames.contains($0.name.symbol) }
  }
}
