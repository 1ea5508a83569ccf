import GraphQLSchema
import GraphQLSyntax

/// Required arguments and input fields are not deprecated, because clients could not stop using
/// them.
///
/// Spec: 3.13.3, "@deprecated".
enum RequiredDeprecations: WholeRule {
  static let name: Diagnostic.Rule = "RequiredDeprecations"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for id in schema.definedInputValues where schema[id].isDeprecated && schema[id].isRequired {
      let value = schema[id]
      let kind = if case .inputObject = value.owner { "input field" } else { "argument" }
      context.report(
        Self.self, "Required \(kind) \(schema.coordinate(of: id)) cannot be deprecated.",
        at: schema.deprecationSpan(in: schema.directives(of: id)),
        notes: [Diagnostic.Note("required by this type", at: schema.typeSpan(of: id))])
    }
  }
}
