/// A place in a source as people name it.
public struct SourceLocation: Hashable, Sendable {
  /// The index of the source in its ``SourceMap``.
  public var source: Int
  /// From 1. A line ends with a line feed, a carriage return, or both.
  public var line: Int
  /// From 1, in Unicode code points.
  public var column: Int

  /// The place `line`:`column`, both from 1, of the source at an index.
  public init(source: Int, line: Int, column: Int) {
    self.source = source
    self.line = line
    self.column = column
  }
}

extension SourceMap {
  /// The place of `offset`.
  ///
  /// For many offsets, use a ``LocationTable``, which finds the lines of a source once.
  /// - Complexity: O(length of the source).
  public func location(of offset: UInt32) -> SourceLocation {
    var table = LocationTable(self)
    return table.location(of: offset)
  }
}

/// Turns offsets into lines and columns, finding the lines of each source only once.
public struct LocationTable: Sendable {
  /// The sources that offsets are looked up in.
  public let map: SourceMap
  /// What is known of each source, by source; found when first asked for.
  private var measures: [SourceMeasure?]

  /// A table for the sources of `map`, none of which is measured yet.
  public init(_ map: SourceMap) {
    self.map = map
    measures = Array(repeating: nil, count: map.sources.count)
  }

  /// The place of `offset`.
  ///
  /// - Complexity: O(log *lines*), however long the line is, after the first call for a source.
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

  /// The part of the line that holds `offset` which is around it.
  ///
  /// - Parameters:
  ///   - offset: A place in the line, or at its end.
  ///   - maximalLength: How many characters the part has at most.
  /// - Returns: The whole line if it is not longer than that.
  /// - Complexity: O(log *lines* + `maximalLength`), however long the line is, after the first call
  ///   for a source.
  mutating func excerpt(around offset: UInt32, maximalLength: Int) -> LineExcerpt {
    let index = map.sourceIndex(at: offset)
    let source = map.sources[index]
    let measure = measure(ofSourceAt: index)
    let local = Int(offset - map.span(ofSourceAt: index).start)
    let line = source.line(around: local, measure)
    let place = min(local, line.upperBound)
    let start = source.characterCount(before: line.lowerBound, measure)
    let column = source.characterCount(before: place, measure) - start
    let length = source.characterCount(before: line.upperBound, measure) - start
    let first = max(0, min(column - maximalLength / 2, length - maximalLength))
    let last = min(length, first + maximalLength)
    let begin = source.position(column - first, charactersBefore: place, downTo: line.lowerBound)
    let end = source.position(last - column, charactersAfter: place, upTo: line.upperBound)
    return LineExcerpt(
      before: source.paddedBytes[begin..<place], after: source.paddedBytes[place..<end],
      isCutAtStart: first > 0, isCutAtEnd: last < length, lengthAfter: last - column)
  }

  private mutating func measure(ofSourceAt index: Int) -> SourceMeasure {
    if let known = measures[index] { return known }
    let measure = SourceMeasure(map.sources[index])
    measures[index] = measure
    return measure
  }
}

/// A part of a line around a place in it.
struct LineExcerpt {
  /// What is before the place.
  var before: ArraySlice<UInt8>
  /// What is at the place and after it, without the end of the line.
  var after: ArraySlice<UInt8>
  /// Whether the line starts before the part.
  var isCutAtStart: Bool
  /// Whether the line goes on after the part.
  var isCutAtEnd: Bool
  /// How many characters are in `after`.
  var lengthAfter: Int
}

/// Where the lines of a source are, and how many characters are before some of its bytes.
private struct SourceMeasure {
  private(set) var lineStarts = [0]
  /// How many characters begin before each block, so that at most one block has to be counted.
  private(set) var characterCounts: [Int] = []

  static let blockSize = 256

  init(_ source: Source) {
    var count = 0
    for (index, byte) in source.bytes.enumerated() {
      if index % Self.blockSize == 0 { characterCounts.append(count) }
      if !byte.isUTF8Continuation { count += 1 }
      guard byte.isLineTerminator else { continue }
      let isFirstOfPair =
        byte == UInt8(ascii: "\r") && source.paddedBytes[index + 1] == UInt8(ascii: "\n")
      if !isFirstOfPair { lineStarts.append(index + 1) }
    }
    characterCounts.append(count)
  }

  /// The index of the line that holds the byte at `offset`.
  func line(around offset: Int) -> Int {
    lineStarts.partitioningIndex { $0 > offset } - 1
  }
}

extension Source {
  /// The bytes of the line that holds the byte at `offset`, without its end.
  fileprivate func line(around offset: Int, _ measure: SourceMeasure) -> Range<Int> {
    let line = measure.line(around: offset)
    let start = measure.lineStarts[line]
    guard line + 1 < measure.lineStarts.count else { return start..<count }
    var end = measure.lineStarts[line + 1]
    while end > start, paddedBytes[end - 1].isLineTerminator { end -= 1 }
    return start..<end
  }

  /// Where the character begins that is `distance` characters before the one at `place`.
  fileprivate func position(
    _ distance: Int, charactersBefore place: Int, downTo limit: Int
  ) -> Int {
    var position = place
    var distance = distance
    while distance > 0, position > limit {
      position -= 1
      if !paddedBytes[position].isUTF8Continuation { distance -= 1 }
    }
    return distance > 0 ? limit : position
  }

  /// Where the character begins that is `distance` characters after the one at `place`.
  fileprivate func position(_ distance: Int, charactersAfter place: Int, upTo limit: Int) -> Int {
    var position = place
    for _ in 0..<distance where position < limit {
      position += 1
      while position < limit, paddedBytes[position].isUTF8Continuation { position += 1 }
    }
    return position
  }

  /// How many characters begin before the byte at `offset`.
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
  /// The first index whose element satisfies `belongsInSecondHalf`, when all that do come last.
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
