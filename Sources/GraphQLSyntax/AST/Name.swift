/// A name in the text.
public struct Name: Node, Hashable {
  /// The spelling, as a symbol of the document's ``NameTable``.
  public var symbol: Symbol
  /// The position of the name, without `$` or `@`.
  public var span: SourceSpan

  /// Creates the name `symbol`, written at `span`.
  @inlinable
  public init(symbol: Symbol, span: SourceSpan) {
    self.symbol = symbol
    self.span = span
  }
}
