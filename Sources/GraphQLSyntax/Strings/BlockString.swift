/// Decodes and prints block strings: `"""…"""`.
///
/// Spec: 2.9.4, "String Value", "Block Strings".
package enum BlockString {
  /// Returns the value of the raw text between the quotes, `BlockStringValue(rawValue)`.
  static func value(ofRaw raw: ArraySlice<UInt8>) -> String {
    String(decoding: bytes(ofRaw: raw), as: UTF8.self)
  }

  /// Returns the value of the raw text between the quotes, in UTF-8.
  static func bytes(ofRaw raw: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    raw.withUnsafeBufferPointer { appendValue(ofRaw: $0, to: &result) }
    return result
  }

  /// Appends the value of the raw text between the quotes, in UTF-8.
  ///
  /// 1. Find the common indentation of all lines but the first, ignoring blank lines, and the first
  ///    and the last line that are not blank.
  /// 2. Append the lines between these without the indentation, joined with line feeds, and with
  ///    each `\"""` replaced by `"""`.
  static func appendValue(ofRaw raw: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var filled: ClosedRange<Int>?
    var indent = Int.max
    var lines = TextLines(raw)
    var number = 0
    while let line = lines.next() {
      let width = raw.indentation(of: line)
      if width < line.count {
        filled = (filled?.lowerBound ?? number)...number
        if number > 0 { indent = min(indent, width) }
      }
      number += 1
    }
    guard let filled else { return }
    lines = TextLines(raw)
    number = 0
    while number <= filled.upperBound, let line = lines.next() {
      defer { number += 1 }
      guard number >= filled.lowerBound else { continue }
      if number > filled.lowerBound { output.append(UInt8(ascii: "\n")) }
      let text = number == 0 ? line : line.dropFirst(indent)
      append(UnsafeBufferPointer(rebasing: raw[text]), to: &output)
    }
  }

  /// Appends `line` with each `\"""` replaced by `"""`.
  private static func append(_ line: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var start = 0
    var index = line.nextSpecial(from: 0)
    while index < line.count {
      if line[index] == UInt8(ascii: "\\"), line.hasTripleQuote(at: index + 1) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: line[start..<index]))
        // The quotes are text, whatever follows.
        start = index + 1
        index += 3
      }
      index = line.nextSpecial(from: index + 1)
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: line[start...]))
  }
}

/// The lines of a text, which end with line feeds, carriage returns, and pairs of both.
private struct TextLines: IteratorProtocol {
  let text: UnsafeBufferPointer<UInt8>
  /// The start of the next line, or `nil` after the last one.
  private var position: Int? = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  mutating func next() -> Range<Int>? {
    guard let start = position else { return nil }
    let end = text.nextLineTerminator(from: start)
    if end == text.count {
      position = nil
    } else {
      let isPair =
        text[end] == UInt8(ascii: "\r") && end + 1 < text.count
        && text[end + 1] == UInt8(ascii: "\n")
      position = end + (isPair ? 2 : 1)
    }
    return start..<end
  }
}

// MARK: - Printing

extension BlockString {
  /// Returns `value` as a block string, in UTF-8 and in the layout of the reference
  /// implementation.
  ///
  /// - Parameters:
  ///   - value: The value of the literal.
  ///   - minimizes: Whether to add line breaks only where the value requires them.
  /// - Returns: The literal, including its quotes.
  static func printed(_ value: [UInt8], minimizes: Bool = false) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(value.count + 8)
    value.withUnsafeBufferPointer { append($0, minimizes: minimizes, to: &result) }
    return result
  }

  /// Appends `value` as a block string, in UTF-8.
  ///
  /// - Parameters:
  ///   - value: The value of the literal.
  ///   - minimizes: Whether to add line breaks only where the value requires them.
  ///   - indentation: The number of blanks before each line but the first.
  ///   - output: The text to append to.
  package static func append(
    _ value: UnsafeBufferPointer<UInt8>, minimizes: Bool = false, indentation: Int = 0,
    to output: inout [UInt8]
  ) {
    func breakLine() {
      output.append(UInt8(ascii: "\n"))
      for _ in 0..<indentation { output.append(UInt8(ascii: " ")) }
    }
    let layout = Layout(value, minimizes: minimizes)
    output.append(text: "\"\"\"")
    if layout.startsOnOwnLine { breakLine() }
    var start = 0
    var index = value.nextSpecial(from: 0)
    while index < value.count {
      switch value[index] {
      case UInt8(ascii: "\n"):
        output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<index]))
        breakLine()
        start = index + 1
      case UInt8(ascii: "\"") where value.hasTripleQuote(at: index):
        output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<index]))
        output.append(UInt8(ascii: "\\"))
        start = index
        index += 2
      default: break
      }
      index = value.nextSpecial(from: index + 1)
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: value[start...]))
    if layout.endsOnOwnLine { breakLine() }
    output.append(text: "\"\"\"")
  }

  /// The line breaks after the opening quotes and before the closing quotes.
  private struct Layout {
    var startsOnOwnLine: Bool
    var endsOnOwnLine: Bool

    init(_ value: UnsafeBufferPointer<UInt8>, minimizes: Bool) {
      var isSingleLine = true
      // Otherwise, reading would remove the indentation of the other lines.
      var areOthersIndented = true
      var index = value.nextLineTerminator(from: 0)
      while index < value.count {
        isSingleLine = false
        let next = index + 1 < value.count ? value[index + 1] : UInt8(ascii: " ")
        if !next.isWhiteSpace && !next.isLineTerminator { areOthersIndented = false }
        index = value.nextLineTerminator(from: index + 1)
      }
      let needsStart = !isSingleLine && areOthersIndented
      let endsInTripleQuote = value.endsInTripleQuote
      // Otherwise, reading would count the last character as a part of the closing quotes.
      let needsEnd =
        value.last == UInt8(ascii: "\"") && !endsInTripleQuote
        || value.last == UInt8(ascii: "\\")
      let isLong = value.hasMoreUTF16Units(than: 70)
      let isMultiline =
        !minimizes
        && (!isSingleLine || isLong || needsEnd || needsStart || endsInTripleQuote)
      let mustStartWithValue = isSingleLine && value.first?.isWhiteSpace ?? false
      startsOnOwnLine = isMultiline && !mustStartWithValue || needsStart
      endsOnOwnLine = isMultiline || needsEnd
    }
  }

  /// Returns whether a block string can represent `value`, in UTF-8, and is legible.
  package static func canRepresent(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if value.isEmpty { return true }
    if value.nextControl(from: 0) == value.count {
      return value.indentation(of: value.indices) < value.count
    }
    var lineCount = 1
    var isFirstBlank = true
    // The state of the current line, then that of all lines.
    var isBlank = true
    var isAtStart = true
    var areAllIndented = true
    for byte in value {
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

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number of bytes of white space at the start of `line`.
  fileprivate func indentation(of line: Range<Int>) -> Int {
    var index = line.lowerBound
    while index < line.upperBound, self[index].isWhiteSpace { index += 1 }
    return index - line.lowerBound
  }

  /// Returns the index of the first line terminator from `start` on, or `count` without one.
  fileprivate func nextLineTerminator(from start: Int) -> Int {
    var index = nextSpecial(from: start)
    while index < count, !self[index].isLineTerminator { index = nextSpecial(from: index + 1) }
    return index
  }

  /// Returns the index of the first control character from `start` on, or `count` without one.
  fileprivate func nextControl(from start: Int) -> Int {
    var index = nextSpecial(from: start)
    while index < count, self[index] >= 0x20 { index = nextSpecial(from: index + 1) }
    return index
  }

  /// Returns whether the text has more than `limit` units of UTF-16.
  fileprivate func hasMoreUTF16Units(than limit: Int) -> Bool {
    guard count > limit else { return false }
    var length = 0
    for byte in self {
      length += byte.utf16Length
      if length > limit { return true }
    }
    return false
  }

  fileprivate func hasTripleQuote(at index: Int) -> Bool {
    index + 3 <= count && self[index] == UInt8(ascii: "\"")
      && self[index + 1] == UInt8(ascii: "\"") && self[index + 2] == UInt8(ascii: "\"")
  }

  /// A Boolean value that indicates whether the text ends with a triple quote, counted from the
  /// left.
  fileprivate var endsInTripleQuote: Bool {
    var start = count
    while start > 0, self[start - 1] == UInt8(ascii: "\"") { start -= 1 }
    return start < count && (count - start) % 3 == 0
  }
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  @inlinable @inline(__always)
  package mutating func append(text: StaticString) {
    // The pointer is safe: it is used only inside the closure of `withUTF8Buffer`.
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
