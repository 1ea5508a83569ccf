import GraphQLSchema
import GraphQLSyntax

/// Fields, directives and spreads have all required arguments.
///
/// Spec: 5.4.3, "Required Arguments".
enum ProvidedRequiredArguments: Rule {
  static let name = ValidationRule.providedRequiredArguments.diagnosticRule

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
    as rule: any Rule.Type = Self.self, in context: inout ValidationContext
  ) {
    var given = NameLookup()
    for definition in definitions
    where isMissing(definition, in: directive.arguments, &given, context) {
      let name = context.document.spelling(directive.name)
      report("Directive \"@\(name)\"", definition, at: directive.span, as: rule, &context)
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
    as rule: any Rule.Type = Self.self, _ context: inout ValidationContext
  ) {
    let definition = context.schema[definition]
    let name = context.schema.spelling(definition.name)
    report(
      subject, name, context.schema.spelling(definition.type), at: span, as: rule, &context)
  }

  /// Reports that `directive`, which the document itself defines, lacks an argument.
  static func report(
    _ argument: InputValueDefinition, missingIn directive: Directive,
    in context: inout ValidationContext
  ) {
    let document = context.document
    report(
      "Directive \"@\(document.spelling(directive.name))\"", document.spelling(argument.name),
      document.description(of: argument.type), at: directive.span, &context)
  }

  /// Reports that `spread` lacks the value of a variable of the fragment.
  static func report(
    _ variable: VariableDefinition, missingIn spread: FragmentSpread,
    in context: inout ValidationContext
  ) {
    let document = context.document
    report(
      "Fragment \"\(document.spelling(spread.name))\"", document.spelling(variable.name),
      document.description(of: variable.type), at: spread.span, &context)
  }

  private static func report(
    _ subject: String, _ argument: String, _ type: String, at span: SourceSpan,
    as rule: any Rule.Type = Self.self, _ context: inout ValidationContext
  ) {
    context.report(
      rule,
      "\(subject) argument \"\(argument)\" of type \"\(type)\" is required, but it was not provided.",
      at: span)
  }
}
