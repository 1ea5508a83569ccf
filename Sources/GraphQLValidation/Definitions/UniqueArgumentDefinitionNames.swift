import GraphQLSchema
import GraphQLSyntax

/// The arguments of a field or a directive have different names.
///
/// Spec: 3.6.1, "Field Arguments".
enum UniqueArgumentDefinitionNames: WholeRule {
  static let name: Diagnostic.Rule = "UniqueArgumentDefinitionNames"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    for type in definitions.types {
      for field in context.document[type.fields] where field.arguments.count > 1 {
        check(
          field.arguments, of: "\(context.spelling(type.name)).\(context.spelling(field.name))",
          &context)
      }
    }
    for directive in definitions.directives {
      check(directive.arguments, of: "@\(context.spelling(directive.name))", &context)
    }
  }

  private static func check(
    _ arguments: InputValueDefinition.List, of owner: String, _ context: inout ValidationContext
  ) {
    for group in repeatedNames(in: arguments, { context.document[$0].name }) {
      context.report(
        Self.self,
        "Argument \"\(owner)(\(context.document.spelling(group.name)):)\" "
          + "can only be defined once.",
        at: group.uses[0], notes: Diagnostic.Note.each(group.uses.dropFirst(), "defined here"))
    }
  }
}
