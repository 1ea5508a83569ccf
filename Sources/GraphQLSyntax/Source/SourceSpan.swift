/// A half-open range of byte offsets in a ``SourceMap``.
///
/// Offsets run through all sources of the map, so a span identifies its file as well.
public struct SourceSpan: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: UInt32
  /// The offset one past the last byte.
  public var end: UInt32

  /// Creates the span `start..<end`.
  @inlinable
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end
  }

  /// Creates the empty span before the byte at `offset`.
  @inlinable
  public init(at offset: UInt32) {
    self.init(start: offset, end: offset)
  }

  /// The number of bytes.
  @inlinable
  public var count: Int { Int(end - start) }

  /// Returns the span from the start of this one to the end of `other`.
  @inlinable
  public func through(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(start: start, end: other.end)
  }

  /// Returns whether the byte at `offset` belongs to the span.
  @inlinable
  public func contains(_ offset: UInt32) -> Bool {
    start <= offset && offset < end
  }
}
