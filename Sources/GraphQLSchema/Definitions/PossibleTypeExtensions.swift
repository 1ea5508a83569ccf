import GraphQLSyntax

/// Every type extension extends a defined type of the same kind.
///
/// Spec: 3.4.3, "Type Extensions".
enum PossibleTypeExtensions: DefinitionRule {
  static let name: Diagnostic.Rule = "PossibleTypeExtensions"

  static func check(_ context: inout DefinitionValidation) {
    let existing = lastDefinitions(in: context.base ?? [], context)
    let defined = lastDefinitions(in: context.definitions, context)
    let names = Array(defined.keys) + existing.keys
    for type in context.types where type.isExtension {
      if let definition = defined[type.name.symbol] {
        guard definition.kind != type.kind else { continue }
        reportKind(of: type, &context, at: [LabeledSpan(definition.span, "defined here")])
      } else if let definition = existing[type.name.symbol] {
        guard definition.kind != type.kind else { continue }
        reportKind(of: type, &context, at: [])
      } else {
        reportUndefined(type, among: names, &context)
      }
    }
  }

  private static func lastDefinitions(
    in definitions: ArraySlice<Definition>, _ context: DefinitionValidation
  ) -> [Symbol: TypeDefinition] {
    let types = context.types(in: definitions).filter { !$0.isExtension }
    return Dictionary(types.map { ($0.name.symbol, $0) }) { $1 }
  }

  private static func reportKind(
    of type: TypeDefinition, _ context: inout DefinitionValidation, at spans: [LabeledSpan]
  ) {
    let kind =
      switch type.kind {
      case .scalar: "scalar"
      case .object: "object"
      case .interface: "interface"
      case .union: "union"
      case .enum: "enum"
      case .inputObject: "input object"
      }
    context.report(
      Self.self, "Cannot extend non-\(kind) type \"\(context.spelling(type.name))\".",
      at: spans + [LabeledSpan(type.span, "extended here")])
  }

  private static func reportUndefined(
    _ type: TypeDefinition, among names: [Symbol], _ context: inout DefinitionValidation
  ) {
    let spelling = context.spelling(type.name)
    let document = context.document
    let candidates = context.suggestions.candidates(
      for: spelling, among: names.lazy.map { document.spelling($0) })
    context.report(
      Self.self,
      "Cannot extend type \"\(spelling)\" because it is not defined.\(didYouMean(candidates))",
      at: [LabeledSpan(type.name.span, "this type")])
  }
}
