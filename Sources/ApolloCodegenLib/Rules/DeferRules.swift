import ApolloIR
import GraphQLSyntax

/// Rules for `@defer` beyond the specification: an inline fragment needs a label, after which its
/// struct is named.
enum DeferRules {
  static func diagnostics(in document: Document) -> [Diagnostic] {
    document.inlineFragments.compactMap { fragment in
      document[fragment.directives].first {
        document.spelling($0.name) == ServerDirective.deferred
      }.flatMap { problem(with: $0, in: document) }
    }
  }

  private static func problem(
    with directive: GraphQLSyntax.Directive, in document: Document
  ) -> Diagnostic? {
    for argument in document[directive.arguments] where document.spelling(argument.name) == "label"
    {
      guard case .string(let literal) = argument.value.content else { break }
      let label = document.string(literal)
      if isName(label) { return nil }
      return Diagnostic(
        rule: "DeferredLabels",
        message: "The label '\(label)' cannot become a name. Use letters, digits and underscores.",
        at: directive.span)
    }
    return Diagnostic(
      rule: "DeferredLabels",
      message: "A deferred inline fragment needs a label, which its struct is named after: "
        + "'@defer(label: \"details\")'.",
      at: directive.span)
  }

  private static func isName(_ label: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return label.utf8.first.map { letters.contains($0 | 0x20) } ?? false
      && label.utf8.allSatisfy {
        letters.contains($0 | 0x20) || digits.contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}
