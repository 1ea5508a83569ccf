/// A half-open range of byte offsets into a ``SourceMap``, which runs through all of its sources.
public struct SourceSpan: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: UInt32
  /// The offset one past the last byte.
  public var end: UInt32

  /// The bytes in `start..<end`.
  @inlinable
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end
  }

  /// The empty span just before the byte at `offset`.
  @inlinable
  public init(at offset: UInt32) {
    self.init(start: offset, end: offset)
  }

  /// How many bytes it covers.
  @inlinable
  public var count: Int { Int(end - start) }

  /// The span from the start of this one to the end of `other`.
  @inlinable
  public func through(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(start: start, end: other.end)
  }

  /// Whether the byte at `offset` is within the span.
  @inlinable
  public func contains(_ offset: UInt32) -> Bool {
    start <= offset && offset < end
  }
}
