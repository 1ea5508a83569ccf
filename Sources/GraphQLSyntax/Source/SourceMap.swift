/// The sources of a document, one after the other, and what an offset into them means.
///
/// Each source starts one past the end of the one before it, so that the end of a file is a place
/// of its own.
public struct SourceMap: Sendable {
  /// The sources, in the order in which they were appended.
  public private(set) var sources: [Source] = []
  /// The offset of each source's first byte, and the offset at which the next source will start.
  private var bases: [UInt32] = [0]

  /// A map without sources.
  public init() {}

  /// Appends `source` and returns its index, or nil when offsets would no longer fit 32 bits.
  public mutating func append(_ source: Source) -> Int? {
    let next = Int(bases[sources.count]) + source.count + 1
    guard let base = UInt32(exactly: next) else { return nil }
    sources.append(source)
    bases.append(base)
    return sources.count - 1
  }

  /// The span of all of the text of the source at `index`.
  public func span(ofSourceAt index: Int) -> SourceSpan {
    SourceSpan(start: bases[index], end: bases[index + 1] - 1)
  }

  /// The index of the source that holds `offset`, which must be in one, or at the end of one.
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

  /// The bytes that `span` covers, which must be within one source.
  public func bytes(of span: SourceSpan) -> ArraySlice<UInt8> {
    let index = sourceIndex(at: span.start)
    let base = bases[index]
    return sources[index].paddedBytes[Int(span.start - base)..<Int(span.end - base)]
  }

  /// The text that `span` covers, which must be within one source.
  public func text(of span: SourceSpan) -> String {
    String(decoding: bytes(of: span), as: UTF8.self)
  }
}
