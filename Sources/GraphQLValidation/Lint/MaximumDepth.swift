import GraphQLSyntax

/// Operations have a limited number of fields inside of each other.
///
/// Servers often reject deeper operations, and each level can multiply the size of the response.
enum MaximumDepth: WholeRule {
  static let name = LintRule.maximumDepth.diagnosticRule

  static func check(_ document: StyledDocument, in context: inout ValidationContext) {
    let (limit, document) = (document.maximumDepth, document.valid)
    let metrics = document.metrics(listLength: 1)
    for (operation, metrics) in zip(document.document.operations, metrics)
    where metrics.depth > limit {
      let name = operation.name.map { " \"\(document.document.spelling($0))\"" } ?? ""
      context.report(
        Self.self,
        "The operation\(name) has \(metrics.depth) fields inside of each other, and \(limit) are "
          + "allowed. Split it, or select less.",
        at: operation.name?.span ?? SourceSpan(at: operation.span.start))
    }
  }
}
