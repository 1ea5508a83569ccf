import ApolloCodegenLib
import GraphQLSyntax

extension Terminal {
  /// Writes diagnostics with the lines that they are about to a stream, in colors if it has any.
  static func show(
    _ diagnostics: [Diagnostic], in sources: SourceMap, as format: DiagnosticFormat = .text,
    to descriptor: Int32 = standardError
  ) {
    let text = format.render(
      diagnostics, in: sources, isColored: isColored(descriptor), summaries: RuleCatalog.summaries)
    if !text.isEmpty { write(text, to: descriptor) }
  }

  /// Returns a number with a noun, such as `1 error` and `2 errors`.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
