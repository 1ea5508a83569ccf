import GraphQLSchema
import GraphQLSyntax

/// Every type that a document names is defined in the schema.
///
/// Spec: 5.5.1.2, "Fragment Spread Type Existence"; 5.8.2, "Variables Are Input Types".
enum KnownTypeNames {
  static func check(_ name: Name, in context: inout ValidationContext) {
    guard context.type(named: name.symbol) == nil,
      !context.ownDefinitions.types.contains(name.symbol)
    else { return }
    let spelling = context.document.spelling(name)
    let schema = context.schema
    let candidates = context.candidates(
      for: spelling, among: context.typeNames.lazy.map { schema.spelling($0) })
    context.report(
      .knownTypeNames, "Unknown type \"\(spelling)\".\(didYouMean(candidates))", at: name.span,
      fixIts: Diagnostic.FixIt.correctSpelling(of: name.span, to: candidates))
  }
}
