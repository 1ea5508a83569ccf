import GraphQLSchema
import GraphQLSyntax

/// Arguments that are non-null and have no default are given.
///
/// Spec: 5.4.3, "Required Arguments".
enum ProvidedRequiredArguments {
  static func check(
    _ field: Field, _ definitions: NodeList<Schema.InputValue>,
    in context: inout ValidationContext
  ) {
    var given = NameLookup()
    for definition in definitions where isMissing(definition, in: field.arguments, &given, context)
    {
      let name = context.document.spelling(field.name)
      report("Field \"\(name)\"", definition, at: field.span, &context)
    }
  }

  static func check(
    _ directive: Directive, _ definitions: NodeList<Schema.InputValue>,
    in context: inout ValidationContext
  ) {
    var given = NameLookup()
    for definition in definitions
    where isMissing(definition, in: directive.arguments, &given, context) {
      let name = context.document.spelling(directive.name)
      report("Directive \"@\(name)\"", definition, at: directive.span, &context)
    }
  }

  private static func isMissing(
    _ definition: Schema.InputValue.ID, in arguments: Argument.List, _ given: inout NameLookup,
    _ context: ValidationContext
  ) -> Bool {
    let definition = context.schema[definition]
    guard definition.isRequired, !context.isFull else { return false }
    return !given.contains(definition.name, in: arguments) { context.document[$0].name.symbol }
  }

  private static func report(
    _ subject: String, _ definition: Schema.InputValue.ID, at span: SourceSpan,
    _ context: inout ValidationContext
  ) {
    let definition = context.schema[definition]
    context.report(
      .providedRequiredArguments,
      "\(subject) argument \"\(context.schema.spelling(definition.name))\" of type "
        + "\"\(context.schema.spelling(definition.type))\" is required, but it was not provided.",
      at: span)
  }
}
