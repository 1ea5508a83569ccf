/// A position in a source, in lines and columns.
public struct SourceLocation: Hashable, Sendable {
  /// The index of the source in its ``SourceMap``.
  public var source: Int
  /// The line, counted from 1. A line ends with a line feed, a carriage return, or both.
  public var line: Int
  /// The column, counted from 1 in Unicode code points.
  public var column: Int

  /// Creates the position `line`:`column` in the source at index `source`.
  public init(source: Int, line: Int, column: Int) {
    self.source = source
    self.line = line
    self.column = column
  }
}

extension SourceMap {
  /// Returns the line and column of `offset`.
  ///
  /// To convert many offsets, use a ``LocationTable``: it finds the lines of each source only once.
  /// - Complexity: O(*n*), where *n* is the length of the source.
  public func location(of offset: UInt32) -> SourceLocation {
    var table = LocationTable(self)
    return table.location(of: offset)
  }
}

/// Converts offsets to lines and columns.
///
/// The lines of a source are found on its first use and kept, so one table should serve all
/// lookups:
///
/// ```swift
/// var locations = LocationTable(document.sources)
/// for diagnostic in diagnostics {
///   guard let span = diagnostic.span else { continue }
///   let location = locations.location(of: span.start)
///   print("\(location.line):\(location.column): \(diagnostic.message)")
/// }
/// ```
public struct LocationTable: Sendable {
  /// The sources that the offsets point into.
  public let map: SourceMap
  /// The line index of each source, or `nil` before the first lookup in it.
  private var measures: [SourceMeasure?]

  /// Creates a table for the sources of `map`.
  public init(_ map: SourceMap) {
    self.map = map
    measures = Array(repeating: nil, count: map.sources.count)
  }

  /// Returns the line and column of `offset`.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of lines, after the first call for a source.
  public mutating func location(of offset: UInt32) -> SourceLocation {
    let index = map.sourceIndex(at: offset)
    let source = map.sources[index]
    let local = Int(offset - map.span(ofSourceAt: index).start)
    let measure = measure(ofSourceAt: index)
    let line = measure.line(around: local)
    let column =
      source.characterCount(before: local, measure)
      - source.characterCount(before: measure.lineStarts[line], measure)
    return SourceLocation(
      source: index,
      line: line + source.origin.line,
      column: column + (line == 0 ? source.origin.column : 1))
  }

  /// Returns the part of a line that surrounds `offset`.
  ///
  /// - Parameters:
  ///   - offset: A position in the line, or its end.
  ///   - maximumLength: The maximum number of characters to return.
  /// - Returns: The whole line if it is short enough, else the characters around `offset`.
  /// - Complexity: O(log *n* + `maximumLength`), where *n* is the number of lines, after the first
  ///   call for a source. The length of the line does not matter.
  mutating func excerpt(around offset: UInt32, maximumLength: Int) -> LineExcerpt {
    let index = map.sourceIndex(at: offset)
    let source = map.sources[index]
    let measure = measure(ofSourceAt: index)
    let local = Int(offset - map.span(ofSourceAt: index).start)
    let line = source.line(around: local, measure)
    let cursor = min(local, line.upperBound)
    let start = source.characterCount(before: line.lowerBound, measure)
    let column = source.characterCount(before: cursor, measure) - start
    let length = source.characterCount(before: line.upperBound, measure) - start
    let first = max(0, min(column - maximumLength / 2, length - maximumLength))
    let last = min(length, first + maximumLength)
    let begin = source.position(column - first, charactersBefore: cursor, downTo: line.lowerBound)
    let end = source.position(last - column, charactersAfter: cursor, upTo: line.upperBound)
    return LineExcerpt(
      before: source.paddedBytes[begin..<cursor], after: source.paddedBytes[cursor..<end],
      isCutAtStart: first > 0, isCutAtEnd: last < length, lengthAfter: last - column)
  }

  private mutating func measure(ofSourceAt index: Int) -> SourceMeasure {
    if let known = measures[index] { return known }
    let measure = SourceMeasure(map.sources[index])
    measures[index] = measure
    return measure
  }
}

/// A part of a line, divided at a position of interest.
struct LineExcerpt {
  /// The text before the position.
  var before: ArraySlice<UInt8>
  /// The text from the position on, without the line terminator.
  var after: ArraySlice<UInt8>
  /// A Boolean value that indicates whether the line has text before the excerpt.
  var isCutAtStart: Bool
  /// A Boolean value that indicates whether the line has text after the excerpt.
  var isCutAtEnd: Bool
  /// The number of characters in `after`.
  var lengthAfter: Int
}

/// An index of a source's lines and of its character counts.
///
/// Counting characters up to a byte takes constant time: the count of each block is kept, so only
/// one block has to be counted.
private struct SourceMeasure {
  /// The index of the first byte of each line.
  private(set) var lineStarts = [0]
  /// The number of characters that begin before each block.
  private(set) var characterCounts: [Int] = []

  /// The number of bytes in a block.
  static let blockSize = 256

  init(_ source: Source) {
    var count = 0
    source.bytes.withUnsafeBufferPointer { bytes in
      for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
        characterCounts.append(count)
        let end = min(start + Self.blockSize, bytes.count)
        count += UnsafeBufferPointer(rebasing: bytes[start..<end]).count { !$0.isUTF8Continuation }
      }
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        guard byte.isLineTerminator else { continue }
        let isFirstOfPair =
          byte == UInt8(ascii: "\r") && index < bytes.count
          && bytes[index] == UInt8(ascii: "\n")
        if !isFirstOfPair { lineStarts.append(index) }
      }
    }
    characterCounts.append(count)
  }

  /// Returns the index of the line that contains the byte at `offset`.
  func line(around offset: Int) -> Int {
    lineStarts.partitioningIndex { $0 > offset } - 1
  }
}

extension Source {
  /// Returns the byte range of the line that contains `offset`, without the line terminator.
  fileprivate func line(around offset: Int, _ measure: SourceMeasure) -> Range<Int> {
    let line = measure.line(around: offset)
    let start = measure.lineStarts[line]
    guard line + 1 < measure.lineStarts.count else { return start..<count }
    var end = measure.lineStarts[line + 1]
    while end > start, paddedBytes[end - 1].isLineTerminator { end -= 1 }
    return start..<end
  }

  /// Returns the start of the character that is `distance` characters before the one at `index`.
  fileprivate func position(
    _ distance: Int, charactersBefore index: Int, downTo limit: Int
  ) -> Int {
    var position = index
    var distance = distance
    while distance > 0, position > limit {
      position -= 1
      if !paddedBytes[position].isUTF8Continuation { distance -= 1 }
    }
    return distance > 0 ? limit : position
  }

  /// Returns the start of the character that is `distance` characters after the one at `index`.
  fileprivate func position(_ distance: Int, charactersAfter index: Int, upTo limit: Int) -> Int {
    var position = index
    for _ in 0..<distance where position < limit {
      position += 1
      while position < limit, paddedBytes[position].isUTF8Continuation { position += 1 }
    }
    return position
  }

  /// Returns the number of characters that begin before the byte at `offset`.
  fileprivate func characterCount(before offset: Int, _ measure: SourceMeasure) -> Int {
    let block = min(offset / SourceMeasure.blockSize, max(0, (count - 1) / SourceMeasure.blockSize))
    let start = block * SourceMeasure.blockSize
    return measure.characterCounts[block]
      + paddedBytes[start..<offset].count { !$0.isUTF8Continuation }
  }
}

extension UInt8 {
  var isLineTerminator: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
  var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension Array {
  /// Returns the index of the first element that satisfies `belongsInSecondHalf`. All elements
  /// after it must satisfy it too.
  fileprivate func partitioningIndex(where belongsInSecondHalf: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondHalf(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
