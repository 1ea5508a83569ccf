extension Glob {
  /// Returns the patterns that a pattern with alternatives in braces means, in order: two for
  /// `*.{graphql,gql}`.
  ///
  /// Braces may be nested. Braces without a comma, and braces that are not closed, are part of a
  /// name.
  package static func alternatives(of pattern: String) -> [String] {
    var start = pattern.startIndex
    while let open = pattern[start...].firstIndex(of: "{") {
      if let braces = Braces(in: pattern, at: open) {
        let head = pattern[..<open]
        return braces.alternatives.flatMap { alternatives(of: "\(head)\($0)\(braces.tail)") }
      }
      start = pattern.index(after: open)
    }
    return [pattern]
  }

  /// The alternatives of `{a,b}` inside of a pattern, and the text that follows.
  private struct Braces {
    private(set) var alternatives: [Substring] = []
    let tail: Substring

    init?(in pattern: String, at open: String.Index) {
      var depth = 0
      var start = pattern.index(after: open)
      for index in pattern[open...].indices {
        switch pattern[index] {
        case "{": depth += 1
        case "}": depth -= 1
        case ",": break
        default: continue
        }
        guard depth == 0 || (depth == 1 && pattern[index] == ",") else { continue }
        alternatives.append(pattern[start..<index])
        start = pattern.index(after: index)
        if depth == 0 { break }
      }
      guard depth == 0, alternatives.count > 1 else { return nil }
      tail = pattern[start...]
    }
  }
}
