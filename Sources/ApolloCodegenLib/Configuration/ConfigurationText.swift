package import GraphQLSyntax

/// The text of a configuration, in which problems have a line and a column.
package struct ConfigurationText: Sendable {
  /// The rule of the diagnostics.
  package static let rule: Diagnostic.Rule = "Configuration"

  /// The sources that the spans of the diagnostics refer to.
  package let sources: SourceMap
  /// The text as JSON, or `nil` if it is none.
  private let root: IndexedJSON.Value?

  /// Creates the text of the file `name`.
  package init(_ text: String, name: String) {
    var sources = SourceMap()
    _ = sources.append(Source(name: name, text: text))
    self.sources = sources
    // The error is reported elsewhere (`notJSON`). Without a tree, problems have no places.
    root = (try? IndexedJSON(Array(text.utf8), style: .written))?.root
  }

  /// Returns a diagnostic for each problem, in the order of the text.
  package func diagnostics(
    for problems: [ConfigurationProblem], severity: Diagnostic.Severity = .error
  ) -> [Diagnostic] {
    problems.map { problem in
      if case .notJSON(let line, let column, let message) = problem.fact {
        return Diagnostic(
          rule: Self.rule, severity: severity, message: message,
          at: SourceSpan(at: offset(line: line, column: column)))
      }
      let place = problem.path.isEmpty ? "" : "\(problem.path): "
      return Diagnostic(
        rule: Self.rule, severity: severity, message: place + problem.message,
        at: span(of: problem))
    }.sortedByLocation()
  }

  private func offset(line: Int, column: Int) -> UInt32 {
    let bytes = sources.sources[0].bytes
    var start = bytes.startIndex
    for _ in 1..<max(1, line) {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
    }
    var remaining = column
    let offset = bytes[start...].firstIndex { byte in
      if byte & 0xC0 != 0x80 { remaining -= 1 }
      return remaining == 0
    }
    return UInt32(offset ?? bytes.endIndex)
  }
}

// MARK: - Positions

extension ConfigurationText {
  /// Names of keys in older configurations, which have the problems of the present ones.
  private static let olderKeys = [
    "schemaNamespace": "schemaName", "schemaDownload": "schemaDownloadConfiguration",
    "schemaSearchPaths": "schemaPath",
  ]

  /// Returns the span of the value that a problem is about, or of its key. A value that is missing
  /// has the span of the object around it.
  private func span(of problem: ConfigurationProblem) -> SourceSpan? {
    guard let root else { return nil }
    var found: (key: IndexedJSON.Value, value: IndexedJSON.Value)?
    var value = root
    var rest = problem.path[...]
    while !rest.isEmpty, let next = step(into: value, &rest) {
      found = next
      value = next.value
    }
    guard let found else {
      return SourceSpan(start: UInt32(root.offset), end: UInt32(root.offset + 1))
    }
    let isScalar = found.value.kind != .object && found.value.kind != .array
    var isAboutValue = [.invalidValue, .wrongType, .conflict].contains(problem.code)
    if case .unknownRule = problem.fact { isAboutValue = false }
    let place = rest.isEmpty && isAboutValue && isScalar ? found.value : found.key
    return SourceSpan(
      start: UInt32(place.source.startIndex), end: UInt32(place.source.endIndex))
  }

  /// Returns the member or item at the beginning of `path`, and removes it from there; `nil` if
  /// there is none.
  private func step(
    into value: IndexedJSON.Value, _ path: inout Substring
  ) -> (key: IndexedJSON.Value, value: IndexedJSON.Value)? {
    if path.hasPrefix("["), let end = path.firstIndex(of: "]"),
      let index = Int(path[path.index(after: path.startIndex)..<end]),
      let items = value.items, items.indices.contains(index)
    {
      path = path[path.index(after: end)...]
      if path.first == "." { path.removeFirst() }
      return (items[index], items[index])
    }
    // Names of types and operations can contain dots, so the longest key wins.
    let candidates = (value.members ?? []).compactMap {
      member -> (IndexedJSON.Value, IndexedJSON.Value, Int)? in
      guard let key = member.key.string else { return nil }
      let length = Self.length(of: key, atStartOf: path)
      return length.map { (member.key, member.value, $0) }
    }
    guard let best = candidates.max(by: { $0.2 < $1.2 }) else { return nil }
    path = path.dropFirst(best.2)
    if path.first == "." { path.removeFirst() }
    return (best.0, best.1)
  }

  /// Returns the number of characters of the path that name `key`, or `nil` if they do not.
  private static func length(of key: String, atStartOf path: Substring) -> Int? {
    let names = [key] + olderKeys.filter { $0.value == key }.map(\.key)
    let name = names.first { name in
      guard path.hasPrefix(name) else { return false }
      return path.dropFirst(name.count).first.map { $0 == "." || $0 == "[" } ?? true
    }
    return name?.count
  }
}
