/// A name, and where it is written.
public struct Name: Node, Hashable {
  public var symbol: Symbol
  public var span: SourceSpan

  @inlinable
  public init(symbol: Symbol, span: SourceSpan) {
    self.symbol = symbol
    self.span = span
  }
}
