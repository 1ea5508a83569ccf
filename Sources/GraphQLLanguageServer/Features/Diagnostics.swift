import GraphQLSyntax

/// `textDocument/publishDiagnostics` and `textDocument/diagnostic`: the problems of a file.
enum Diagnostics {
  /// Returns the problems of a file as an array of `Diagnostic`.
  static func items(
    _ problems: [(problem: Problem, project: Project)], _ texts: inout FileTexts
  ) -> [JSONOutput] {
    problems.compactMap { item($0.problem, $0.project, &texts) }
  }

  static func item(
    _ problem: Problem, _ project: Project, _ texts: inout FileTexts
  ) -> JSONOutput? {
    guard let location = texts.location(of: problem.part, in: project) else { return nil }
    var members: [(String, JSONOutput)] = [
      ("range", location.range.json),
      ("severity", .number(problem.severity == .error ? 1 : 2)),
      ("code", .string(problem.rule.rawValue)),
      ("source", .string("apollo")),
      ("message", .string(problem.message)),
    ]
    if let tag = tag(of: problem.rule) { members.append(("tags", .array([.number(tag)]))) }
    let related = problem.notes.compactMap { note in
      texts.location(of: note.part, in: project).map {
        JSONOutput.object([("location", $0.json), ("message", .string(note.message))])
      }
    }
    if !related.isEmpty { members.append(("relatedInformation", .array(related))) }
    return .object(members)
  }

  /// Returns the tag of the problems that editors show by the look of the text: `Unnecessary` and
  /// `Deprecated`.
  private static func tag(of rule: Diagnostic.Rule) -> Int? {
    switch rule {
    case "NoUnusedVariables", "NoUnusedFragments": 1
    case "NoDeprecated", "NoDeprecatedInputs": 2
    default: nil
    }
  }
}
