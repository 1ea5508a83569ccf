import GraphQLSchema
import GraphQLSyntax

/// Every type that a document or a schema names is defined in the schema.
///
/// Spec: 3.3, "Schema"; 5.5.1.2, "Fragment Spread Type Existence"; 5.8.2, "Variables Are Input
/// Types".
enum KnownTypeNames: WholeRule {
  typealias Subject = SchemaDefinitions

  static let name = ValidationRule.knownTypeNames.diagnosticRule

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    // A base schema is taken as valid, but an element whose type is unknown would be lost silently.
    for definition in (definitions.base ?? []) + definitions.all {
      switch definition {
      case .type(let id): check(context.document[id], in: &context)
      case .directive(let id): check(context.document[id].arguments, in: &context)
      case .schema(let id):
        for root in context.document[context.document[id].rootOperationTypes] {
          check(root.type, in: &context)
        }
      case .operation, .fragment: break
      }
    }
  }

  private static func check(_ type: TypeDefinition, in context: inout ValidationContext) {
    for interface in context.document[type.interfaces] { check(interface, in: &context) }
    for member in context.document[type.members] { check(member, in: &context) }
    for field in context.document[type.fields] {
      check(field.arguments, in: &context)
      check(field.type.name, in: &context)
    }
    check(type.inputFields, in: &context)
  }

  private static func check(
    _ values: InputValueDefinition.List, in context: inout ValidationContext
  ) {
    for value in context.document[values] { check(value.type.name, in: &context) }
  }

  static func check(_ name: Name, in context: inout ValidationContext) {
    guard context.type(named: name.symbol) == nil,
      !context.names.ownDefinitions.types.contains(name.symbol)
    else { return }
    let spelling = context.spelling(name)
    let schema = context.schema
    let candidates = context.candidates(
      for: spelling, among: context.typeNames.lazy.map { schema.spelling($0) })
    context.report(
      Self.self, "Unknown type \"\(spelling)\".\(didYouMean(candidates))", at: name.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: name.span, to: candidates))
  }
}
