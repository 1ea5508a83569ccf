import GraphQLSyntax

/// An anonymous operation is the only operation of its document.
///
/// Spec: 5.2.3.1, "Lone Anonymous Operation".
enum LoneAnonymousOperation: Rule {
  static let name = ValidationRule.loneAnonymousOperation.diagnosticRule

  static func check(in context: inout ValidationContext) {
    guard context.document.operations.count > 1 else { return }
    for operation in context.document.operations where operation.name == nil {
      context.report(
        Self.self, "This anonymous operation must be the only defined operation.",
        at: operation.span)
    }
  }
}
