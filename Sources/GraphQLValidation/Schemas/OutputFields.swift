import GraphQLSchema
import GraphQLSyntax

/// Objects and interfaces have at least one field. Fields have output types, and arguments input
/// types.
///
/// Spec: 3.6 and 3.7, "Type Validation".
enum OutputFields: WholeRule {
  static let name: Diagnostic.Rule = "OutputFields"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for type in schema.definedTypes {
      let kind = schema[type].kind
      guard kind == .object || kind == .interface else { continue }
      if schema[type].fields.isEmpty, schema.sites(of: type).allSatisfy(\.fields.isEmpty) {
        context.report(
          Self.self, "Type \(schema.name(of: type)) must define one or more fields.",
          at: schema.definitionSpans(of: type))
      }
      for field in schema[type].fields { check(field, schema, &context) }
    }
  }

  private static func check(
    _ id: Schema.Field.ID, _ schema: Schema, _ context: inout ValidationContext
  ) {
    let field = schema[id]
    if !schema[field.type.namedType].kind.isOutput {
      context.report(
        Self.self,
        "The type of \(schema.coordinate(of: id)) must be Output Type "
          + "but got: \(schema.spelling(field.type)).",
        at: schema.typeSpan(of: id))
    }
    for argument in field.arguments where !schema.isInput(schema[argument].type) {
      context.report(
        Self.self,
        "The type of \(schema.coordinate(of: argument)) must be Input Type "
          + "but got: \(schema.spelling(schema[argument].type)).",
        at: schema.typeSpan(of: argument))
    }
  }
}
