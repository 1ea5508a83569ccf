/// A place in a source as people name it.
public struct SourceLocation: Hashable, Sendable {
  /// The index of the source in its ``SourceMap``.
  public var source: Int
  /// From 1. A line ends with a line feed, a carriage return, or both.
  public var line: Int
  /// From 1, in Unicode code points.
  public var column: Int

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
  public let map: SourceMap
  /// Where the lines of each source start, by source; found when first asked for.
  private var lineStarts: [[Int]?]

  public init(_ map: SourceMap) {
    self.map = map
    lineStarts = Array(repeating: nil, count: map.sources.count)
  }

  /// The place of `offset`.
  ///
  /// - Complexity: O(log *lines* + length of the line), after the first call for a source.
  public mutating func location(of offset: UInt32) -> SourceLocation {
    let index = map.sourceIndex(at: offset)
    let source = map.sources[index]
    let local = Int(offset - map.span(ofSourceAt: index).start)
    let starts = lines(ofSourceAt: index)
    let line = starts.partitioningIndex { $0 > local } - 1
    let column = source.paddedBytes[starts[line]..<local].count { !$0.isUTF8Continuation }
    return SourceLocation(
      source: index,
      line: line + source.origin.line,
      column: column + (line == 0 ? source.origin.column : 1))
  }

  /// The bytes of the line that holds `offset`, without its end, and the offset of its first byte.
  public mutating func line(around offset: UInt32) -> (bytes: ArraySlice<UInt8>, start: UInt32) {
    let index = map.sourceIndex(at: offset)
    let source = map.sources[index]
    let base = map.span(ofSourceAt: index).start
    let starts = lines(ofSourceAt: index)
    let start = starts[starts.partitioningIndex { $0 > Int(offset - base) } - 1]
    let rest = source.bytes[start...]
    return (rest.prefix { !$0.isLineTerminator }, base + UInt32(start))
  }

  private mutating func lines(ofSourceAt index: Int) -> [Int] {
    if let known = lineStarts[index] { return known }
    let starts = map.sources[index].lineStarts()
    lineStarts[index] = starts
    return starts
  }
}

extension Source {
  fileprivate func lineStarts() -> [Int] {
    var starts = [0]
    let bytes = self.bytes
    for (index, byte) in bytes.enumerated() where byte.isLineTerminator {
      let isFirstOfPair = byte == UInt8(ascii: "\r") && paddedBytes[index + 1] == UInt8(ascii: "\n")
      if !isFirstOfPair { starts.append(index + 1) }
    }
    return starts
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
