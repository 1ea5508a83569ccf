import GraphQLSchema
import GraphQLSyntax

/// Every type extension extends a defined type of the same kind, and every directive extension a
/// defined directive.
///
/// Spec: 3.4.3, "Type Extensions"; draft after September 2025, "Directive Extensions".
enum PossibleTypeExtensions: WholeRule {
  static let name: Diagnostic.Rule = "PossibleTypeExtensions"

  static func check(_ definitions: SchemaDefinitions, in context: inout ValidationContext) {
    let existing = lastDefinitions(definitions.types(in: definitions.base ?? []))
    let defined = lastDefinitions(definitions.types)
    let names = Array(defined.keys) + existing.keys
    for type in definitions.types where type.isExtension {
      if let definition = defined[type.name.symbol] {
        guard definition.kind != type.kind else { continue }
        reportKind(of: type, definedAt: definition.span, &context)
      } else if let definition = existing[type.name.symbol] {
        guard definition.kind != type.kind else { continue }
        reportKind(of: type, definedAt: nil, &context)
      } else {
        reportUndefined(type.name, "", among: names, "type", &context)
      }
    }
    checkDirectives(definitions, &context)
  }

  private static func checkDirectives(
    _ definitions: SchemaDefinitions, _ context: inout ValidationContext
  ) {
    let existing = definitions.directives(in: definitions.base ?? []).map(\.name.symbol)
    let names = Set(existing).union(definitions.directives.map(\.name.symbol))
    for directive in definitions.directiveExtensions where !names.contains(directive.name.symbol) {
      reportUndefined(
        directive.name, "@", among: names.sorted { $0.rawValue < $1.rawValue }, "directive",
        &context)
    }
  }

  private static func lastDefinitions(
    _ types: some Sequence<TypeDefinition>
  ) -> [Symbol: TypeDefinition] {
    Dictionary(types.filter { !$0.isExtension }.map { ($0.name.symbol, $0) }) { $1 }
  }

  private static func reportKind(
    of type: TypeDefinition, definedAt definition: SourceSpan?,
    _ context: inout ValidationContext
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
      at: definition ?? type.span,
      notes: definition == nil ? [] : [Diagnostic.Note("extended here", at: type.span)])
  }

  private static func reportUndefined(
    _ name: Name, _ prefix: String, among names: [Symbol], _ noun: String,
    _ context: inout ValidationContext
  ) {
    let spelling = context.spelling(name)
    let document = context.document
    let candidates = context.candidates(
      for: spelling, among: names.lazy.map { document.spelling($0) }
    ).map { prefix + $0 }
    context.report(
      Self.self,
      "Cannot extend \(noun) \"\(prefix)\(spelling)\" because it is not defined."
        + didYouMean(candidates),
      at: name.span)
  }
}
