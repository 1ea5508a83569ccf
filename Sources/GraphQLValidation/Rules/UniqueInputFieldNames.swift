import GraphQLSyntax

/// An input object value has each field at most once.
///
/// Spec: 5.6.3, "Input Object Field Uniqueness".
enum UniqueInputFieldNames: WholeRule {
  typealias Subject = SchemaDefinitions

  static let name = ValidationRule.uniqueInputFieldNames.diagnosticRule

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let document = context.document
    guard !document.objectFields.isEmpty else { return }
    // The arrays of the document contain nested values too, so no recursion is needed.
    for value in document.inputValueDefinitions { check(value.defaultValue, in: &context) }
    for argument in document.arguments { check(argument.value, in: &context) }
    for value in document.values { check(value, in: &context) }
    for field in document.objectFields { check(field.value, in: &context) }
  }

  private static func check(_ value: Value?, in context: inout ValidationContext) {
    if case .object(let fields) = value?.content { check(fields, in: &context) }
  }

  static func check(_ fields: ObjectField.List, in context: inout ValidationContext) {
    for group in repeatedNames(in: fields, { context.document[$0].name }) {
      for use in group.uses.dropFirst() {
        context.report(
          Self.self,
          "There can be only one input field named \"\(context.document.spelling(group.name))\".",
          at: group.uses[0], notes: [Diagnostic.Note("given again here", at: use)])
      }
    }
  }
}
