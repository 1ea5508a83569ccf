import GraphQLSyntax

/// Only the introspection system uses names that begin with two underscores.
///
/// Spec: 2.1.9, "Reserved Names".
enum ReservedNames: SchemaRule {
  static let name: Diagnostic.Rule = "ReservedNames"

  static func check(_ context: inout SchemaValidation) {
    let schema = context.schema
    for id in schema.definedDirectives { check(schema[id].name, at: schema.span(of: id), &context) }
    for id in schema.definedTypes {
      check(schema[id].name, at: schema.document[schema[id].definition].span, &context)
    }
    for id in schema.definedFields { check(schema[id].name, at: schema.span(of: id), &context) }
    for id in schema.definedInputValues {
      check(schema[id].name, at: schema.span(of: id), &context)
    }
    for id in schema.definedEnumValues { check(schema[id].name, at: schema.span(of: id), &context) }
  }

  private static func check(
    _ symbol: Symbol, at span: SourceSpan?, _ context: inout SchemaValidation
  ) {
    guard context.schema.names.isReserved(symbol) else { return }
    context.report(
      Self.self,
      "Name \"\(context.schema.names[symbol])\" must not begin with \"__\", "
        + "which is reserved by GraphQL introspection.",
      at: [LabeledSpan(span, "this name")])
  }
}
