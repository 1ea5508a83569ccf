/// A literal or a variable.
///
/// Spec: 2.9, "Input Values".
public struct Value: Node {
  public var content: Content
  public var span: SourceSpan

  @inlinable
  public init(content: Content, span: SourceSpan) {
    self.content = content
    self.span = span
  }

  /// What a value is. Numbers and strings are kept as written: `document.text(of: value.span)` is a number's text.
  public enum Content: Hashable, Sendable {
    /// `$name`; the span of the value includes the `$`.
    case variable(Symbol)
    case int
    case float
    case string(StringLiteral)
    case boolean(Bool)
    case null
    case `enum`(Symbol)
    case list(Value.List)
    case object(ObjectField.List)
  }
}

/// `name: value` in an input object.
public struct ObjectField: Node {
  public var name: Name
  public var value: Value
  public var span: SourceSpan
}

/// A string as written, with its quotes. `document.string(literal)` is what it means.
public struct StringLiteral: Hashable, Sendable {
  public var span: SourceSpan
  /// Whether it is written with three quotes.
  public var isBlock: Bool

  @inlinable
  public init(span: SourceSpan, isBlock: Bool) {
    self.span = span
    self.isBlock = isBlock
  }
}
