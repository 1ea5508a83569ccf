/// Decodes and prints block strings: `"""…"""`.
///
/// Spec: 2.9.4, "String Value", "Block Strings".
package enum BlockString {
  /// Returns the value of the raw text between the quotes, `BlockStringValue(rawValue)`.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    String(decoding: bytes(ofRaw: raw), as: UTF8.self)
  }

  /// Returns the value of the raw text between the quotes, in UTF-8.
  ///
  /// 1. Split the text into lines.
  /// 2. Find the common indentation of all lines but the first, ignoring blank lines.
  /// 3. Remove it, and remove blank lines at both ends.
  /// 4. Join the lines with line feeds, and replace each `\"""` with `"""`.
  static func bytes(ofRaw raw: ArraySlice<UInt8>) -> [UInt8] {
    var lines = dedent(lines(of: raw))[...]
    var result: [UInt8] = []
    guard let first = lines.popFirst() else { return result }
    result.reserveCapacity(raw.count)
    let hasEscapes = raw.contains(UInt8(ascii: "\\"))
    append(first, unescaping: hasEscapes, to: &result)
    for line in lines {
      result.append(UInt8(ascii: "\n"))
      append(line, unescaping: hasEscapes, to: &result)
    }
    return result
  }

  /// Returns the lines without their common indentation, in which the first line does not count,
  /// and without blank lines at both ends.
  static func dedent(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return [] }
    var indent = Int.max
    for line in lines.dropFirst() {
      let width = line.indentation
      if width < line.count { indent = min(indent, width) }
    }
    var result = Array(lines[first...last])
    for index in result.indices where first + index > 0 {
      result[index] = result[index].dropFirst(indent)
    }
    return result
  }

  /// Appends `line` with each `\"""` replaced by `"""`.
  private static func append(
    _ line: ArraySlice<UInt8>, unescaping: Bool, to result: inout [UInt8]
  ) {
    guard unescaping else { return result.append(contentsOf: line) }
    var rest = line
    while let index = rest.firstIndex(of: UInt8(ascii: "\\")) {
      result.append(contentsOf: rest[..<index])
      let isEscape = rest[(index + 1)...].startsWithTripleQuote
      if !isEscape { result.append(UInt8(ascii: "\\")) }
      rest = rest[(index + 1)...]
    }
    result.append(contentsOf: rest)
  }

  /// Splits `text` at line feeds, carriage returns, and pairs of both.
  private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      guard byte.isLineTerminator else { continue }
      lines.append(text[start..<(index - 1)])
      if byte == UInt8(ascii: "\r"), index < text.endIndex, text[index] == UInt8(ascii: "\n") {
        index += 1
      }
      start = index
    }
    lines.append(text[start...])
    return lines
  }
}

// MARK: - Printing

extension BlockString {
  /// Returns `value` as a block string, in the layout of the reference implementation.
  ///
  /// - Parameters:
  ///   - value: The value of the literal.
  ///   - minimizes: Whether to add line breaks only where the value requires them.
  /// - Returns: The literal, including its quotes.
  package static func print(_ value: String, minimizes: Bool = false) -> String {
    String(decoding: printed(Array(value.utf8), minimizes: minimizes), as: UTF8.self)
  }

  /// Returns `value` as a block string, in UTF-8.
  package static func printed(_ value: [UInt8], minimizes: Bool = false) -> [UInt8] {
    let layout = Layout(value, minimizes: minimizes)
    var result: [UInt8] = []
    result.reserveCapacity(value.count + 8)
    result.append(contentsOf: tripleQuote)
    if layout.startsOnOwnLine { result.append(UInt8(ascii: "\n")) }
    appendEscaped(value[...], to: &result)
    if layout.endsOnOwnLine { result.append(UInt8(ascii: "\n")) }
    result.append(contentsOf: tripleQuote)
    return result
  }

  private static let tripleQuote = Array("\"\"\"".utf8)

  /// Appends `text` with each `"""` replaced by `\"""`.
  private static func appendEscaped(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var rest = text
    while let index = rest.firstIndex(of: UInt8(ascii: "\"")) {
      result.append(contentsOf: rest[..<index])
      rest = rest[index...]
      if rest.startsWithTripleQuote {
        result.append(UInt8(ascii: "\\"))
        result.append(contentsOf: tripleQuote)
        rest = rest.dropFirst(3)
      } else {
        result.append(UInt8(ascii: "\""))
        rest = rest.dropFirst()
      }
    }
    result.append(contentsOf: rest)
  }

  /// The line breaks after the opening quotes and before the closing quotes.
  private struct Layout {
    var startsOnOwnLine: Bool
    var endsOnOwnLine: Bool

    init(_ value: [UInt8], minimizes: Bool) {
      var isSingleLine = true
      // Otherwise, reading would remove the indentation of the other lines.
      var areOthersIndented = true
      for (index, byte) in value.enumerated() where byte.isLineTerminator {
        isSingleLine = false
        let next = index + 1 < value.count ? value[index + 1] : UInt8(ascii: " ")
        if !next.isWhiteSpace && !next.isLineTerminator { areOthersIndented = false }
      }
      let needsStart = !isSingleLine && areOthersIndented
      let endsInTripleQuote = value.endsInTripleQuote
      // Otherwise, reading would count the last character as a part of the closing quotes.
      let needsEnd =
        value.last == UInt8(ascii: "\"") && !endsInTripleQuote
        || value.last == UInt8(ascii: "\\")
      let isLong = value.count > 70 && value.reduce(0) { $0 + $1.utf16Length } > 70
      let isMultiline =
        !minimizes
        && (!isSingleLine || isLong || needsEnd || needsStart || endsInTripleQuote)
      let mustStartWithValue = isSingleLine && value.first?.isWhiteSpace ?? false
      startsOnOwnLine = isMultiline && !mustStartWithValue || needsStart
      endsOnOwnLine = isMultiline || needsEnd
    }
  }

  /// Returns whether a block string can represent `value` and is legible.
  package static func canRepresent(_ value: String) -> Bool {
    if value.isEmpty { return true }
    var lineCount = 1
    var isFirstBlank = true
    // The state of the current line, then that of all lines.
    var isBlank = true
    var isAtStart = true
    var areAllIndented = true
    for byte in value.utf8 {
      if byte.isUnprintableInBlock { return false }
      if byte == UInt8(ascii: "\n") {
        if lineCount == 1 { isFirstBlank = isBlank }
        lineCount += 1
        (isBlank, isAtStart) = (true, true)
      } else {
        if isAtStart && !byte.isWhiteSpace { areAllIndented = false }
        isAtStart = false
        if !byte.isWhiteSpace { isBlank = false }
      }
    }
    if lineCount > 1 && isFirstBlank || isBlank { return false }
    return lineCount == 1 || !areAllIndented
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is WhiteSpace of the specification: a tab or a
  /// space.
  fileprivate var isWhiteSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// A Boolean value that indicates whether the byte cannot be printed in a block string.
  ///
  /// These are the control characters that the reference implementation does not print, and the
  /// carriage return, which would be read as a line feed.
  fileprivate var isUnprintableInBlock: Bool {
    self <= 0x0F && self != UInt8(ascii: "\t") && self != UInt8(ascii: "\n")
  }
}

extension ArraySlice<UInt8> {
  /// The number of bytes of white space at the start.
  fileprivate var indentation: Int {
    var index = startIndex
    while index < endIndex, self[index].isWhiteSpace { index += 1 }
    return index - startIndex
  }

  fileprivate var isBlank: Bool { indentation == count }

  fileprivate var startsWithTripleQuote: Bool {
    count >= 3 && self[startIndex] == UInt8(ascii: "\"")
      && self[startIndex + 1] == UInt8(ascii: "\"") && self[startIndex + 2] == UInt8(ascii: "\"")
  }
}

extension [UInt8] {
  /// A Boolean value that indicates whether the text ends with a triple quote, counted from the
  /// left.
  fileprivate var endsInTripleQuote: Bool {
    let quotes = reversed().prefix { $0 == UInt8(ascii: "\"") }.count
    return quotes > 0 && quotes % 3 == 0
  }
}
