import GraphQLSyntax

/// `textDocument/codeAction`: the fix-its of the problems in a range.
enum CodeActions {
  /// Returns the actions of the kinds that the client asks for, which are all if it names none.
  static func actions(
    _ request: FeatureRequest, in range: TextRange, of kinds: [String]?
  ) -> JSONOutput {
    guard kinds?.contains(where: { $0.isEmpty || $0 == "quickfix" }) ?? true else {
      return .array([])
    }
    let wanted = request.buffer.bytes(of: range, request.encoding)
    var texts = FileTexts(request.workspace)
    // Several projects can have the file.
    let problems = request.workspace.problems[request.path] ?? []
    let actions = problems.filter {
      let bytes = $0.problem.part.bytes
      return bytes.lowerBound <= wanted.upperBound && wanted.lowerBound <= bytes.upperBound
    }.flatMap { problem, project in
      problem.fixIts.enumerated().map { index, fixIt in
        JSONOutput.object([
          ("title", .string(capitalized(fixIt.message))),
          ("kind", .string("quickfix")),
          (
            "diagnostics",
            .array([Diagnostics.item(problem, project, &texts)].compactMap { $0 })
          ),
          ("isPreferred", .boolean(index == 0)),
          (
            "edit", edits(of: fixIt, project, &texts).workspaceEdit(request.workspace)
          ),
        ])
      }
    }
    return .array(actions)
  }

  private static func edits(
    of fixIt: Problem.FixIt, _ project: Project, _ texts: inout FileTexts
  ) -> [FileEdit] {
    fixIt.edits.compactMap { edit in
      texts.location(of: edit.part, in: project).map {
        FileEdit(location: $0, replacement: edit.replacement)
      }
    }
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
