import GraphQLSyntax

/// Every variable that an operation defines is used by it or by a fragment that it uses.
///
/// Spec: 5.8.4, "All Variables Used".
enum NoUnusedVariables {
  /// Reports the variables of `operation` that are not used.
  static func report(
    _ unused: [VariableDefinition.ID], of operation: OperationDefinition,
    in context: inout ValidationContext
  ) {
    guard !unused.isEmpty else { return }
    let document = context.document
    let name = operation.name.map { " in operation \"\(document.spelling($0))\"" } ?? ""
    // Found out once, as it takes time.
    let removalOfAll =
      unused.count == operation.variables.count
      ? Self.removalOfAll(operation.variables, document) : nil
    for id in unused {
      let variable = document[id]
      context.report(
        .noUnusedVariables,
        "Variable \"$\(document.spelling(variable.name))\" is never used\(name).",
        at: variable.span,
        fixIts: removalOfAll ?? [removal(of: id, in: operation, document)])
    }
  }

  /// Removes one variable, and the white space and commas up to the next one.
  private static func removal(
    of id: VariableDefinition.ID, in operation: OperationDefinition, _ document: Document
  ) -> Diagnostic.FixIt {
    var span = document[id].span
    if id.index + 1 < operation.variables.endIndex {
      span.end = document.variableDefinitions[id.index + 1].span.start
    } else if id.index > operation.variables.startIndex {
      span.start = document.variableDefinitions[id.index - 1].span.end
    }
    return Diagnostic.FixIt("remove the variable", replacing: span, with: "")
  }

  /// Removes all variables with the parentheses, unless there is a comment in between.
  private static func removalOfAll(
    _ variables: VariableDefinition.List, _ document: Document
  ) -> [Diagnostic.FixIt] {
    guard let first = variables.first, let last = variables.last else { return [] }
    let all = document[first].span.through(document[last].span)
    let source = document.sources.span(ofSourceAt: document.sources.sourceIndex(at: all.start))
    let before = document.sources.bytes(of: SourceSpan(start: source.start, end: all.start))
    let after = document.sources.bytes(of: SourceSpan(start: all.end, end: source.end))
    let blanksBefore = before.reversed().prefix { $0.isBlank }.count
    let blanksAfter = after.prefix { $0.isBlank }.count
    guard before.dropLast(blanksBefore).last == UInt8(ascii: "("),
      after.dropFirst(blanksAfter).first == UInt8(ascii: ")")
    else { return [] }
    let span = SourceSpan(
      start: all.start - UInt32(blanksBefore + 1), end: all.end + UInt32(blanksAfter + 1))
    return [Diagnostic.FixIt("remove the variables", replacing: span, with: "")]
  }
}

extension UInt8 {
  /// Whether it is white space or a comma.
  fileprivate var isBlank: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: ","):
      true
    default: false
    }
  }
}
