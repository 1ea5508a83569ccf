import GraphQLSchema
import GraphQLSyntax

/// Input objects have at least one field, and their fields have input types.
///
/// Spec: 3.10, "Input Objects".
enum InputFields: WholeRule {
  static let name: Diagnostic.Rule = "InputFields"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for type in schema.definedTypes where schema[type].kind == .inputObject {
      if schema[type].inputFields.isEmpty,
        schema.sites(of: type).allSatisfy(\.inputFields.isEmpty)
      {
        context.report(
          Self.self, "Input Object type \(schema.name(of: type)) must define one or more fields.",
          at: schema.definitionSpans(of: type))
      }
      for field in schema[type].inputFields where !schema.isInput(schema[field].type) {
        context.report(
          Self.self,
          "The type of \(schema.coordinate(of: field)) must be Input Type "
            + "but got: \(schema.spelling(schema[field].type)).",
          at: schema.typeSpan(of: field))
      }
    }
  }
}
