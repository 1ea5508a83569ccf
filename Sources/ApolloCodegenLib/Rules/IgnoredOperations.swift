import GraphQLSyntax

/// Warns about operations and fragments in files that only the search paths for the schema match.
///
/// No code is generated for them, which is seldom meant.
enum IgnoredOperations {
  static let rule: Diagnostic.Rule = "IgnoredOperations"

  /// Returns a warning for each file, at its first operation or fragment.
  ///
  /// - Parameters:
  ///   - schema: The files of the schema.
  ///   - operations: The files that are read for operations, too.
  /// - Returns: The warnings, in the order of the files.
  static func diagnostics(_ schema: Document, besides operations: [Source]) -> [Diagnostic] {
    let names =
      schema.operations.map { $0.name?.span ?? SourceSpan(at: $0.span.start) }
      + schema.fragments.map(\.name.span)
    let places = Dictionary(grouping: names) { schema.sources.sourceIndex(at: $0.start) }
    let read = Set(operations.map(\.name))
    return places.sorted { $0.key < $1.key }.compactMap { index, spans in
      let file = schema.sources.sources[index].name
      guard !read.contains(file), let first = spans.min(by: { $0.start < $1.start }) else {
        return nil
      }
      let others = spans.count > 1 ? ", nor for \(spans.count - 1) more in the file" : ""
      return Diagnostic(
        rule: rule, severity: .warning,
        message: "No code is generated for this\(others), because the file is one of the schema. "
          + "Let 'operationSearchPaths' match it, or move it to a file that they match.", at: first)
    }
  }
}
