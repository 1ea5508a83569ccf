import GraphQLSchema
import GraphQLSyntax

/// A fragment is spread only where an object can have its type.
///
/// Spec: 5.5.2.3, "Fragment Spread Is Possible".
enum PossibleFragmentSpreads: Rule {
  static let name = ValidationRule.possibleFragmentSpreads.diagnosticRule

  static func check(
    _ spread: FragmentSpread, of fragment: FragmentDefinition.ID,
    in parent: Schema.NamedType.ID, in context: inout ValidationContext
  ) {
    let condition = context.document[fragment].typeCondition
    guard let type = context.schema.type(named: condition.symbol).flatMap({ context.composite($0) })
    else { return }
    guard !context.schema.doTypesOverlap(type, parent) else { return }
    report(
      "Fragment \"\(context.document.spelling(spread.name))\"", type, parent, spread.span, &context)
  }

  static func check(
    _ fragment: InlineFragment, of type: Schema.NamedType.ID,
    in parent: Schema.NamedType.ID, in context: inout ValidationContext
  ) {
    guard !context.schema.doTypesOverlap(type, parent) else { return }
    report("Fragment", type, parent, fragment.span, &context)
  }

  private static func report(
    _ subject: String, _ type: Schema.NamedType.ID, _ parent: Schema.NamedType.ID,
    _ span: SourceSpan, _ context: inout ValidationContext
  ) {
    context.report(
      Self.self,
      "\(subject) cannot be spread here as objects of type \"\(context.schema.name(of: parent))\" "
        + "can never be of type \"\(context.schema.name(of: type))\".",
      at: span)
  }
}
