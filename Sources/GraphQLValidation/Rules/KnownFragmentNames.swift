import GraphQLSyntax

/// Every fragment that is spread is defined.
///
/// Spec: 5.5.2.1, "Fragment Spread Target Defined".
enum KnownFragmentNames: Rule {
  static let name = ValidationRule.knownFragmentNames.diagnosticRule

  static func check(
    _ spread: FragmentSpread, isKnown: Bool, in context: inout ValidationContext
  ) {
    guard !isKnown else { return }
    let name = context.document.spelling(spread.name)
    let document = context.document
    let candidates = context.candidates(
      for: name, among: document.fragments.lazy.map { document.spelling($0.name) })
    context.report(
      Self.self, "Unknown fragment \"\(name)\".", at: spread.name.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: spread.name.span, to: candidates))
  }
}
