/// Strings in triple quotation marks.
///
/// Spec: 2.9.4, "String Value", "Block Strings".
package enum BlockString {
  /// What the text between the quotes means: `BlockStringValue(rawValue)`.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    let lines = dedent(lines(of: unescape(raw)))
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// The lines without the indentation that all but the first have in common, and without the blank
  /// ones at both ends.
  static func dedent(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return [] }
    let indent = lines.dropFirst().filter { !$0.isBlank }.map(\.indentation).min() ?? 0
    return lines[first...last].enumerated().map { offset, line in
      first + offset == 0 ? line : line.dropFirst(indent)
    }
  }

  /// `raw` with `"""` for `\"""`.
  private static func unescape(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    replaceAll(Array("\\\"\"\"".utf8), with: Array("\"\"\"".utf8), in: raw)
  }

  /// Replaces `pattern` from left to right.
  fileprivate static func replaceAll(
    _ pattern: [UInt8], with replacement: [UInt8], in text: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    guard text.contains(pattern[0]) else { return text }
    var result: ArraySlice<UInt8> = []
    var rest = text
    while let index = rest.firstIndex(of: pattern[0]) {
      result += rest[..<index]
      rest = rest[index...]
      let matches = rest.starts(with: pattern)
      result += matches ? replacement[...] : rest.prefix(1)
      rest = rest.dropFirst(matches ? pattern.count : 1)
    }
    return result + rest
  }

  /// Splits at line feeds, carriage returns, and both together.
  private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = text
    while let end = rest.firstIndex(where: \.isLineTerminator) {
      lines.append(rest[..<end])
      let isPair = rest[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
      rest = rest[(isPair ? end + 2 : end + 1)...]
    }
    lines.append(rest)
    return lines
  }
}

// MARK: - Printing

extension BlockString {
  /// `value` between triple quotes, laid out as the reference lays it out.
  ///
  /// - Parameters:
  ///   - value: What the literal means.
  ///   - minimizes: Whether line breaks are added only where the meaning needs them.
  /// - Returns: The literal, with its quotes.
  package static func print(_ value: String, minimizes: Bool = false) -> String {
    let bytes = Array(value.utf8)
    let escaped = replaceAll(Array("\"\"\"".utf8), with: Array("\\\"\"\"".utf8), in: bytes[...])
    let lines = lines(of: escaped)
    let layout = Layout(bytes, escaped: escaped, lines: lines, minimizes: minimizes)
    let start = layout.startsOnOwnLine ? "\n" : ""
    let end = layout.endsOnOwnLine ? "\n" : ""
    return "\"\"\"" + start + String(decoding: escaped, as: UTF8.self) + end + "\"\"\""
  }

  /// Where the quotes stand.
  private struct Layout {
    var startsOnOwnLine: Bool
    var endsOnOwnLine: Bool

    init(
      _ value: [UInt8], escaped: ArraySlice<UInt8>, lines: [ArraySlice<UInt8>], minimizes: Bool
    ) {
      let isSingleLine = lines.count == 1
      // Else the indentation of the other lines would be taken for a part of the layout.
      let needsStart =
        !isSingleLine && lines.dropFirst().allSatisfy { $0.first?.isWhiteSpace ?? true }
      let endsInTripleQuote = escaped.suffix(4).elementsEqual("\\\"\"\"".utf8)
      // Else the last character would be taken for a part of the closing quotes.
      let needsEnd =
        value.last == UInt8(ascii: "\"") && !endsInTripleQuote
        || value.last == UInt8(ascii: "\\")
      let isLong = value.count > 70 && String(decoding: value, as: UTF8.self).utf16.count > 70
      let isMultiline =
        !minimizes
        && (!isSingleLine || isLong || needsEnd || needsStart || endsInTripleQuote)
      let mustStartWithValue = isSingleLine && value.first?.isWhiteSpace ?? false
      startsOnOwnLine = isMultiline && !mustStartWithValue || needsStart
      endsOnOwnLine = isMultiline || needsEnd
    }
  }

  /// Whether a block string can mean `value`, and stays legible.
  package static func canRepresent(_ value: String) -> Bool {
    if value.isEmpty { return true }
    if value.utf8.contains(where: \.isUnprintableInBlock) { return false }
    let lines = value.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isBlank = lines.map { $0.allSatisfy(\.isWhiteSpace) }
    if lines.count > 1 && isBlank[0] || isBlank[lines.count - 1] { return false }
    guard lines.count > 1 else { return true }
    return !zip(lines, isBlank).allSatisfy { $1 || $0.first?.isWhiteSpace ?? false }
  }
}

extension UInt8 {
  /// WhiteSpace of the specification: horizontal tab or space.
  fileprivate var isWhiteSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Controls that the reference does not print in block strings, and carriage returns, which would
  /// become line feeds.
  fileprivate var isUnprintableInBlock: Bool {
    self <= 0x0F && self != UInt8(ascii: "\t") && self != UInt8(ascii: "\n")
  }
}

extension ArraySlice<UInt8> {
  /// How much white space it starts with.
  fileprivate var indentation: Int { prefix(while: \.isWhiteSpace).count }

  fileprivate var isBlank: Bool { allSatisfy(\.isWhiteSpace) }
}
