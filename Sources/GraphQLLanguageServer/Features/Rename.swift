import GraphQLSchema
import GraphQLSyntax

/// `textDocument/prepareRename` and `textDocument/rename`: aliases, fragments, operations and
/// variables get other names. The names of a schema are those of its server.
enum Rename {
  /// Returns the name under the cursor, or `null` if it cannot be changed.
  static func prepare(_ request: FeatureRequest, at position: TextPosition) -> JSONOutput {
    let text = request.text
    guard let occurrence = text.occurrence(at: request.offset(of: position)),
      let name = name(of: occurrence.meaning)
    else { return .null }
    return .object([
      ("range", request.range(text.bytes(of: nameSpan(of: occurrence))).json),
      ("placeholder", .string(name)),
    ])
  }

  static func rename(
    _ request: FeatureRequest, at position: TextPosition, to newName: String
  ) throws(RequestError) -> JSONOutput {
    let newName = newName.hasPrefix("$") ? String(newName.dropFirst()) : newName
    guard isName(newName) else {
      throw RequestError(
        .requestFailed,
        "'\(newName)' is not a name. Use letters, digits and underscores, and begin with no digit.")
    }
    var texts = FileTexts(request.workspace)
    var edits: [FileEdit] = []
    var isFound = false
    for (request, found) in References.inAllProjects(request, at: position) {
      guard let oldName = name(of: found.meaning) else { continue }
      isFound = true
      if newName != oldName, let obstacle = obstacle(to: newName, from: oldName, found, request) {
        throw RequestError(.requestFailed, obstacle)
      }
      edits += found.occurrences.compactMap { occurrence in
        texts.location(
          of: FilePart(nameSpan(of: occurrence), in: found.sources), in: request.project
        ).map { FileEdit(location: $0, replacement: newName) }
      }
    }
    guard isFound else {
      throw RequestError(
        .requestFailed, "Aliases, fragments, operations and variables can be renamed.")
    }
    // Several projects can have a file.
    var known: Set<FileLocation> = []
    return edits.filter { known.insert($0.location).inserted }.workspaceEdit(request.workspace)
  }

  /// Returns the name of an element that can be renamed.
  private static func name(of meaning: Meaning) -> String? {
    switch meaning {
    case .fragment(let name), .operation(let name), .variable(let name), .alias(let name, _),
      .fragmentVariable(let name, _):
      name
    case .type, .field, .inputValue, .enumValue, .directive: nil
    }
  }

  /// Returns the span of an occurrence without the `$` of a variable.
  private static func nameSpan(of occurrence: Occurrence) -> SourceSpan {
    switch occurrence.meaning {
    case .variable(let name), .fragmentVariable(let name, _):
      SourceSpan(
        start: occurrence.span.end - UInt32(name.utf8.count), end: occurrence.span.end)
    default: occurrence.span
    }
  }

  /// Returns the reason for which the name cannot be given, or `nil`.
  private static func obstacle(
    to newName: String, from oldName: String, _ found: References.Found, _ request: FeatureRequest
  ) -> String? {
    let whole = found.whole
    if case .alias = found.meaning {
      guard let span = found.occurrences.first?.span else { return nil }
      return whole.responseNames(besideAliasAt: span).contains(newName)
        ? "The selection has a field '\(newName)' already." : nil
    }
    var broken: [String] = []
    switch found.meaning {
    case .variable: broken = request.project.brokenFiles(with: oldName, isVariable: true)
    case .fragmentVariable:
      for isVariable in [true, false] {
        broken += request.project.brokenFiles(with: oldName, isVariable: isVariable)
      }
    default: broken = request.project.brokenFiles(with: oldName, isVariable: false)
    }
    if let broken = broken.first {
      return "'\(broken)' has a syntax error, and '\(oldName)' in it. Correct it first."
    }
    switch found.meaning {
    case .fragment:
      if newName == "on" { return "A fragment cannot have the name 'on'." }
      let names = whole.document.fragments.map { whole.document.spelling($0.name) }
      return names.contains(newName) ? "There is a fragment '\(newName)' already." : nil
    case .operation:
      let names = whole.document.operations.compactMap { $0.name.map(whole.document.spelling) }
      return names.contains(newName) ? "There is an operation '\(newName)' already." : nil
    case .variable:
      return found.scope?.has(newName) == true
        ? "There is a variable '$\(newName)' already." : nil
    case .fragmentVariable(_, let fragment):
      return whole.variables(in: fragment).contains(newName)
        ? "The fragment '\(fragment)' has a variable '$\(newName)' already." : nil
    default: return nil
    }
  }

  /// Spec: 2.1.9, "Names".
  private static func isName(_ text: String) -> Bool {
    let isStart = { (byte: UInt8) in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard let first = text.utf8.first, isStart(first) else { return false }
    return text.utf8.allSatisfy {
      isStart($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
  }
}
