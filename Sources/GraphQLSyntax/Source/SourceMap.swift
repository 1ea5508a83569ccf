/// The sources of a document, laid end to end in one range of offsets.
///
/// A span of a ``Document`` is a range of these offsets, and the map leads back to the file. There
/// is one offset between two sources, so the end of a file differs from the start of the next:
///
///     |  a.graphql  | |  b.graphql  |
///     0            11 12            23
public struct SourceMap: Sendable {
  /// The sources, in the order in which they were appended.
  public private(set) var sources: [Source] = []
  /// The offset of the first byte of each source, followed by that of the next source to be
  /// appended.
  private var bases: [UInt32] = [0]

  /// Creates a map without sources.
  public init() {}

  /// Appends `source` and returns its index, or `nil` if its offsets would exceed 32 bits.
  public mutating func append(_ source: Source) -> Int? {
    let next = Int(bases[sources.count]) + source.count + 1
    guard let base = UInt32(exactly: next) else { return nil }
    sources.append(source)
    bases.append(base)
    return sources.count - 1
  }

  /// Returns the span of the whole text of the source at `index`.
  public func span(ofSourceAt index: Int) -> SourceSpan {
    SourceSpan(start: bases[index], end: bases[index + 1] - 1)
  }

  /// Returns the index of the source that contains `offset` or ends at it.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of sources.
  public func sourceIndex(at offset: UInt32) -> Int {
    var low = 0
    var high = sources.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if bases[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the bytes of `span`, which must lie within one source.
  public func bytes(of span: SourceSpan) -> ArraySlice<UInt8> {
    let index = sourceIndex(at: span.start)
    let base = bases[index]
    return sources[index].paddedBytes[Int(span.start - base)..<Int(span.end - base)]
  }

  /// Returns the text of `span`, which must lie within one source.
  public func text(of span: SourceSpan) -> String {
    String(decoding: bytes(of: span), as: UTF8.self)
  }
}
