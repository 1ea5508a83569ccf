import GraphQLSyntax

/// An input object value has each field at most once.
///
/// Spec: 5.6.3, "Input Object Field Uniqueness".
enum UniqueInputFieldNames: DefinitionRule {
  static let name: Diagnostic.Rule = "UniqueInputFieldNames"

  static func check(_ context: inout DefinitionValidation) {
    let document = context.document
    guard !document.objectFields.isEmpty else { return }
    // The arrays of the document contain nested values too, so no recursion is needed.
    for value in document.inputValueDefinitions { check(value.defaultValue, &context) }
    for argument in document.arguments { check(argument.value, &context) }
    for value in document.values { check(value, &context) }
    for field in document.objectFields { check(field.value, &context) }
  }

  private static func check(_ value: Value?, _ context: inout DefinitionValidation) {
    guard case .object(let fields) = value?.content, fields.count > 1 else { return }
    var first: [Symbol: Name] = [:]
    for field in context.document[fields] {
      guard let earlier = first[field.name.symbol] else {
        first[field.name.symbol] = field.name
        continue
      }
      context.report(
        Self.self,
        "There can be only one input field named \"\(context.spelling(field.name))\".",
        at: [
          LabeledSpan(earlier.span, "first given here"),
          LabeledSpan(field.name.span, "given again here"),
        ])
    }
  }
}
