/// A position in a text as the Language Server Protocol counts: lines, and code units of a line,
/// both from zero.
struct TextPosition: Hashable, Comparable, Sendable {
  var line: Int
  var character: Int

  static func < (first: TextPosition, second: TextPosition) -> Bool {
    (first.line, first.character) < (second.line, second.character)
  }
}

/// A part of a text, from one position up to another.
struct TextRange: Hashable, Sendable {
  var start: TextPosition
  var end: TextPosition
}

/// The code units that positions count.
enum PositionEncoding: String, Hashable, Sendable {
  case utf8 = "utf-8"
  /// The encoding that every client and server has.
  case utf16 = "utf-16"
}
