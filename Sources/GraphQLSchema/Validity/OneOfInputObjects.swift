import GraphQLSyntax

/// The fields of `@oneOf` input objects are nullable and have no default values.
///
/// Spec: 3.10.1, "OneOf Input Objects".
enum OneOfInputObjects: SchemaRule {
  static let name: Diagnostic.Rule = "OneOfInputObjects"

  static func check(_ context: inout SchemaValidation) {
    let schema = context.schema
    for type in schema.definedTypes where schema[type].isOneOf {
      for id in schema[type].inputFields {
        let field = schema[id]
        if field.type.isNonNull {
          context.report(
            Self.self, "OneOf input field \(schema.coordinate(of: id)) must be nullable.",
            at: [LabeledSpan(schema.typeSpan(of: id), "this type")])
        }
        if field.hasDefaultValue {
          context.report(
            Self.self,
            "OneOf input field \(schema.coordinate(of: id)) cannot have a default value.",
            at: [LabeledSpan(schema.span(of: id), "this field")])
        }
      }
    }
  }
}
