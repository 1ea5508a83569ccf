import GraphQLSchema
import GraphQLSyntax

/// Enums have at least one value.
///
/// Spec: 3.9, "Enums".
enum EnumValues: WholeRule {
  static let name: Diagnostic.Rule = "EnumValues"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for type in schema.definedTypes
    where schema[type].kind == .enum && schema[type].enumValues.isEmpty {
      context.report(
        Self.self, "Enum type \(schema.name(of: type)) must define one or more values.",
        at: schema.definitionSpans(of: type))
    }
  }
}
