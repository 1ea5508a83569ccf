import GraphQLSchema
import GraphQLSyntax

/// Type conditions of fragments name objects, interfaces or unions.
///
/// Spec: 5.5.1.3, "Fragments on Object, Interface or Union Types".
enum FragmentsOnCompositeTypes: Rule {
  static let name = ValidationRule.fragmentsOnCompositeTypes.diagnosticRule

  static func check(_ fragment: FragmentDefinition, in context: inout ValidationContext) {
    check(fragment.typeCondition, fragment.name, &context)
  }

  static func check(_ fragment: InlineFragment, in context: inout ValidationContext) {
    if let condition = fragment.typeCondition { check(condition, nil, &context) }
  }

  private static func check(
    _ condition: Name, _ fragment: Name?, _ context: inout ValidationContext
  ) {
    guard let type = context.schema.type(named: condition.symbol),
      !context.schema[type].kind.isComposite
    else { return }
    let subject = fragment.map { "Fragment \"\(context.document.spelling($0))\"" } ?? "Fragment"
    context.report(
      Self.self,
      "\(subject) cannot condition on non composite type \"\(context.schema.name(of: type))\".",
      at: condition.span)
  }
}
