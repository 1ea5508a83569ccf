import GraphQLSchema
import GraphQLSyntax

/// Operations do not select introspection fields other than `__typename`.
///
/// The rule is not a part of the specification. It is off unless configured.
enum NoSchemaIntrospection: Rule {
  static let name = ValidationRule.noSchemaIntrospection.diagnosticRule

  static func check(
    _ field: Field, of type: Schema.NamedType.ID, in context: inout ValidationContext
  ) {
    guard isIntrospection(type, context.schema), context.isChecked(Self.self) else {
      return
    }
    context.report(
      Self.self,
      "GraphQL introspection has been disabled, but the requested query contained the field "
        + "\"\(context.document.spelling(field.name))\".",
      at: field.span)
  }

  private static func isIntrospection(_ type: Schema.NamedType.ID, _ schema: Schema) -> Bool {
    schema[type].isBuiltIn && schema[type].kind != .scalar
      && schema.names.isReserved(schema[type].name)
  }
}
