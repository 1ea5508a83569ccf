import GraphQLSchema
import GraphQLSyntax

/// Only the introspection system uses names that begin with two underscores.
///
/// Spec: 2.1.9, "Reserved Names".
enum ReservedNames: WholeRule {
  static let name: Diagnostic.Rule = "ReservedNames"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    let names = schema.names
    for id in schema.definedDirectives where names.isReserved(schema[id].name) {
      report(schema[id].name, at: schema.span(of: id), &context)
    }
    for id in schema.definedTypes where names.isReserved(schema[id].name) {
      report(schema[id].name, at: schema.document[schema[id].definition].span, &context)
    }
    for id in schema.definedFields where names.isReserved(schema[id].name) {
      report(schema[id].name, at: schema.span(of: id), &context)
    }
    for id in schema.definedInputValues where names.isReserved(schema[id].name) {
      report(schema[id].name, at: schema.span(of: id), &context)
    }
    for id in schema.definedEnumValues where names.isReserved(schema[id].name) {
      report(schema[id].name, at: schema.span(of: id), &context)
    }
  }

  private static func report(
    _ symbol: Symbol, at span: SourceSpan?, _ context: inout ValidationContext
  ) {
    context.report(
      Self.self,
      "Name \"\(context.schema.names[symbol])\" must not begin with \"__\", "
        + "which is reserved by GraphQL introspection.",
      at: span)
  }
}
