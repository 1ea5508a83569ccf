import GraphQLSchema
import GraphQLSyntax

/// The fields of `@oneOf` input objects are nullable and have no default values.
///
/// Spec: 3.10.1, "OneOf Input Objects".
enum OneOfInputObjects: WholeRule {
  static let name: Diagnostic.Rule = "OneOfInputObjects"

  static func check(_ schema: Schema, in context: inout ValidationContext) {
    for type in schema.definedTypes where schema[type].isOneOf {
      for id in schema[type].inputFields {
        let field = schema[id]
        if field.type.isNonNull {
          context.report(
            Self.self, "OneOf input field \(schema.coordinate(of: id)) must be nullable.",
            at: schema.typeSpan(of: id))
        }
        if field.hasDefaultValue {
          context.report(
            Self.self,
            "OneOf input field \(schema.coordinate(of: id)) cannot have a default value.",
            at: schema.span(of: id))
        }
      }
    }
  }
}
