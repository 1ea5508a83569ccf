/// A half-open range of byte offsets into a ``SourceMap``, which runs through all of its sources.
public struct SourceSpan: Hashable, Sendable {
  public var start: UInt32
  public var end: UInt32

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

  @inlinable
  public func contains(_ offset: UInt32) -> Bool {
    start <= offset && offset < end
  }
}
