/// A name, and where it is written.
public struct Name: Node, Hashable {
  /// The spelling, as a symbol of the document's ``NameTable``.
  public var symbol: Symbol
  /// Where the name is written; without `$` or `@`.
  public var span: SourceSpan

  /// The name `symbol`, written at `span`.
  @inlinable
  public init(symbol: Symbol, span: SourceSpan) {
    self.symbol = symbol
    self.span = span
  }
}
