import GraphQLSyntax

/// Every referenced type is defined.
///
/// Spec: 3.3, "Schema".
enum KnownTypeNames: DefinitionRule {
  static let name: Diagnostic.Rule = "KnownTypeNames"

  static func check(_ context: inout DefinitionValidation) {
    // A base schema is taken as valid, but an element whose type is unknown would be lost silently.
    for definition in (context.base ?? []) + context.definitions {
      switch definition {
      case .type(let id): check(context.document[id], &context)
      case .directive(let id): check(context.document[id].arguments, &context)
      case .schema(let id):
        for root in context.document[context.document[id].rootOperationTypes] {
          check(root.type, &context)
        }
      case .operation, .fragment: break
      }
    }
  }

  private static func check(_ type: TypeDefinition, _ context: inout DefinitionValidation) {
    for interface in context.document[type.interfaces] { check(interface, &context) }
    for member in context.document[type.members] { check(member, &context) }
    for field in context.document[type.fields] {
      check(field.arguments, &context)
      check(field.type.name, &context)
    }
    check(type.inputFields, &context)
  }

  private static func check(
    _ values: InputValueDefinition.List, _ context: inout DefinitionValidation
  ) {
    for value in context.document[values] { check(value.type.name, &context) }
  }

  private static func check(_ name: Name, _ context: inout DefinitionValidation) {
    guard context.schema.type(named: name.symbol) == nil else { return }
    let schema = context.schema
    let spelling = context.spelling(name)
    let candidates = context.suggestions.candidates(
      for: spelling, among: schema.types.lazy.map { schema.spelling($0.name) })
    context.report(
      Self.self, "Unknown type \"\(spelling)\".\(didYouMean(candidates))",
      at: [LabeledSpan(name.span, "this type")])
  }
}
