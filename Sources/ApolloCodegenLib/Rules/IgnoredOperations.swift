import GraphQLSyntax

/// Warns about operations and fragments in files that only the search paths for the schema match,
/// or none.
///
/// No code is generated for them, which is seldom meant.
enum IgnoredOperations {
  static let rule: Diagnostic.Rule = "IgnoredOperations"

  /// Returns a warning about the files that no search path matches, or nothing.
  static func diagnostics(_ unread: UnreadFiles) -> [Diagnostic] {
    guard !unread.paths.isEmpty else { return [] }
    let (verb, them) = unread.paths.count == 1 ? ("is", "it") : ("are", "them")
    let pattern = unread.pattern.map { "Add '\($0)' to 'input.operationSearchPaths'" }
    return [
      Diagnostic(
        rule: rule, severity: .warning,
        message: "\(unread.list) \(verb) not read, because no search path matches \(them). "
          + "\(pattern ?? "Change 'input.operationSearchPaths'"), or rename \(them).", at: nil)
    ]
  }

  /// Returns a warning for each file, at its first operation or fragment.
  ///
  /// - Parameters:
  ///   - schema: The files of the schema.
  ///   - operations: The files that are read for operations, too.
  ///   - isProject: `true` if search paths say which files are read, and not a command line.
  /// - Returns: The warnings, in the order of the files.
  static func diagnostics(
    _ schema: Document, besides operations: [Source], isProject: Bool = true
  ) -> [Diagnostic] {
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
      let others =
        spans.count > 1 ? ", nor \(isProject ? "for " : "")\(spans.count - 1) more in the file" : ""
      return Diagnostic(
        rule: rule, severity: .warning,
        message: isProject
          ? "No code is generated for this\(others), because the file is one of the schema. "
            + "Let 'operationSearchPaths' match it, or move it to a file that they match."
          : "This is not checked\(others), because the file is one of the schema. "
            + "Move it to a file of operations.", at: first)
    }
  }
}
