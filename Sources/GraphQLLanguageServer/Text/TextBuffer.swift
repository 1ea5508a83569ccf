/// The text of a file, with its lines, which edits change in place.
///
/// A line ends with a line feed, a carriage return, or both, as in GraphQL.
struct TextBuffer: Hashable, Sendable {
  /// The text in UTF-8.
  private(set) var bytes: [UInt8]
  /// The offset of the first byte of each line.
  private(set) var lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lineStarts = [0]
    appendLineStarts(from: 0, through: bytes.count)
  }

  init(_ bytes: ArraySlice<UInt8>) { self.init(Array(bytes)) }

  /// Replaces the bytes of `range`, and finds the lines again only around them.
  ///
  /// 1. Keep the starts of the lines before the one in front of the change. A carriage return at
  ///    its end may become the first half of a line terminator.
  /// 2. Look for the line terminators of the changed part, up to the end of its last line.
  /// 3. Shift the starts of the lines after it.
  mutating func replace(_ range: Range<Int>, with text: String) {
    let first = max(0, line(containing: range.lowerBound) - 1)
    let rest = lineStarts[lineStarts.partitioningIndex { $0 > range.upperBound }...]
    let shift = text.utf8.count - range.count
    let shifted = rest.map { $0 + shift }
    bytes.replaceSubrange(range, with: text.utf8)
    lineStarts.removeSubrange((first + 1)...)
    appendLineStarts(from: lineStarts[first], through: (shifted.first ?? bytes.count + 1) - 1)
    lineStarts += shifted
  }

  /// Appends the starts of lines that are in `from + 1 ... through`.
  private mutating func appendLineStarts(from: Int, through last: Int) {
    var index = from
    while index < min(last, bytes.count) {
      let byte = bytes[index]
      index += 1
      guard byte == 0xA || byte == 0xD else { continue }
      if byte == 0xD, index < bytes.count, bytes[index] == 0xA { continue }
      lineStarts.append(index)
    }
  }

  /// Returns the index of the line that contains the byte at `offset`.
  private func line(containing offset: Int) -> Int {
    lineStarts.partitioningIndex { $0 > offset } - 1
  }
}

// MARK: - Positions

extension TextBuffer {
  /// Returns the offset of `position`. A position behind the end of its line is the end of the
  /// line, and one behind the last line the end of the text.
  func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    var offset = lineStarts[position.line]
    var rest = position.character
    while rest > 0, offset < bytes.count, bytes[offset] != 0xA, bytes[offset] != 0xD {
      let length = length(ofCharacterAt: offset)
      let units = encoding == .utf8 ? length : Self.units(ofCharacterFrom: bytes[offset], encoding)
      // A position inside of a character is the one before it.
      guard units <= rest else { break }
      rest -= units
      offset += length
    }
    return offset
  }

  /// Returns the position of the byte at `offset`.
  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let line = line(containing: offset)
    return TextPosition(line: line, character: units(in: lineStarts[line]..<offset, encoding))
  }

  /// Returns the number of code units of a part of a line.
  func units(in part: Range<Int>, _ encoding: PositionEncoding) -> Int {
    guard encoding != .utf8 else { return part.count }
    return bytes[part].reduce(0) {
      $1 & 0xC0 == 0x80 ? $0 : $0 + Self.units(ofCharacterFrom: $1, encoding)
    }
  }

  func range(of bytes: Range<Int>, _ encoding: PositionEncoding) -> TextRange {
    TextRange(
      start: position(of: bytes.lowerBound, encoding),
      end: position(of: bytes.upperBound, encoding))
  }

  func bytes(of range: TextRange, _ encoding: PositionEncoding) -> Range<Int> {
    let (start, end) = (offset(of: range.start, encoding), offset(of: range.end, encoding))
    return min(start, end)..<max(start, end)
  }

  /// Returns the number of bytes of the character at `offset`. An ill-formed one ends where another
  /// begins, so that none contains the end of its line.
  private func length(ofCharacterAt offset: Int) -> Int {
    let longest = min(Self.length(ofCharacterFrom: bytes[offset]), bytes.count - offset)
    return 1 + bytes[offset + 1..<offset + longest].prefix { $0 & 0xC0 == 0x80 }.count
  }

  /// Returns the number of bytes of a well-formed character, by its first byte.
  private static func length(ofCharacterFrom byte: UInt8) -> Int {
    switch byte {
    case 0xF0...0xF7: 4
    case 0xE0...0xEF: 3
    case 0xC0...0xDF: 2
    default: 1
    }
  }

  private static func units(ofCharacterFrom byte: UInt8, _ encoding: PositionEncoding) -> Int {
    encoding == .utf8 ? length(ofCharacterFrom: byte) : byte >= 0xF0 ? 2 : 1
  }
}

/// The positions in a text of offsets that mostly ascend, each counted from the one before it: a
/// text of one long line would be counted from its start for each of them.
struct PositionCounter {
  private let buffer: TextBuffer
  private let encoding: PositionEncoding
  private var last = (offset: 0, position: TextPosition(line: 0, character: 0))

  init(_ buffer: TextBuffer, _ encoding: PositionEncoding) {
    self.buffer = buffer
    self.encoding = encoding
  }

  /// Returns the position of the byte at `offset`.
  mutating func position(of offset: Int) -> TextPosition {
    let offset = min(max(0, offset), buffer.bytes.count)
    let line = last.position.line
    let end = line + 1 < buffer.lineStarts.count ? buffer.lineStarts[line + 1] : .max
    if offset >= last.offset, offset < end {
      last.position.character += buffer.units(in: last.offset..<offset, encoding)
    } else {
      last.position = buffer.position(of: offset, encoding)
    }
    last.offset = offset
    return last.position
  }

  mutating func range(of bytes: Range<Int>) -> TextRange {
    let start = position(of: bytes.lowerBound)
    return TextRange(start: start, end: position(of: bytes.upperBound))
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies `belongsInSecondHalf`. All elements
  /// after it must satisfy it too.
  func partitioningIndex(where belongsInSecondHalf: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondHalf(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
